#!/usr/bin/env bash
# What holds a worker in: who it may become and which files it may open, against a daemon of our own.  Needs root.
# usage: make walls-run, or B=build tests/clients/walls.sh with build/smb1d-walls made
HERE=$(cd "$(dirname "$0")" && pwd)
cd "$HERE/../.." || exit 1
. tests/clients/lib.sh
skip() { echo "ok - walls # SKIP $*"; echo "0 passed, 0 failed"; exit 0; }
command -v python3 >/dev/null || skip "no python3"
[ "$(id -u)" = 0 ] || skip "not root: there is one user only"
export PYTHONDONTWRITEBYTECODE=1
mkdir -p "$DIR/forced" "$DIR/later" "$T/outside"
chmod 1777 "$DIR/forced" "$DIR/later" "$T/outside"
start_server " lanman auth = yes" "[forced]
 path = $DIR/forced
 read only = no
 force user = daemon
 force group = games
"
chmod 1777 "$SHARE"
for u in daemon mail; do printf '%s\n%s\n' "$SPASS" "$SPASS" | "$B/smb1ctl" -s "$DIR/smb.conf" passwd -a --lm -i $u >/dev/null; done
printf '%s\n%s\n' "$SPASS" "$SPASS" | "$B/smb1ctl" -s "$DIR/smb.conf" passwd --lm -i "$SUSER" >/dev/null
W="python3 $HERE/walls.py 127.0.0.1 $NBTPORT"
OWNER="stat -c %U:%G"

# two users take turns on one connection, and a share forces a third
g "users take turns on one connection" "put:fifth 00000000" $W "user:$SUSER:$SPASS" tree:share put:first "user:mail:$SPASS" \
	put:second "as:$SUSER" put:third as:mail put:fourth tree:forced put:fifth
g "the first user's file" "^$SUSER:" $OWNER "$SHARE/first"
g "the second user's file" "^mail:mail" $OWNER "$SHARE/second"
g "the first user again" "^$SUSER:" $OWNER "$SHARE/third"
g "and the second" "^mail:mail" $OWNER "$SHARE/fourth"
g "forced user and group" "^daemon:games" $OWNER "$DIR/forced/fifth"
LOG=$DIR/log/smb1d.log
CTL="$B/smb1ctl -s $DIR/smb.conf"
walls=$($CTL walls)
echo "# $walls"

# a reload brings a share: whoever is logged in has to connect anew, others see it
case $walls in *"folders yes"*)
	$W "user:$SUSER:$SPASS" tree:share put:before "wait:$T/reloaded" tree:later put:during >"$T/held" 2>&1 &
	held=$!
	for _ in $(seq 100); do grep -q put:before "$T/held" && break; sleep 0.05; done
	printf '[later]\n path = %s\n read only = no\n' "$DIR/later" >> "$DIR/smb.conf"
	t "reload" $CTL reload
	touch "$T/reloaded"; wait $held
	g "a share of a reload, to a connection from before" "tree:later c00000cc" cat "$T/held"
	g "and the log says why" "added, made or mounted after this client had logged in" cat "$LOG"
	g "to a new connection" "put:after 00000000" $W "user:$SUSER:$SPASS" tree:later put:after
	;;
*) echo "ok - a reload brings a share # SKIP no fence here";;
esac

# the same with the daemon that tries to break out of its own processes
traitor() { # traitor NAME=VALUE...
	stop_server; : > "$LOG"
	env SMB1D_OUTSIDE="$T/outside" SMB1D_SHARE="$SHARE" SMB1D_STRANGER="$(id -u mail)" "$@" \
		"$B/smb1d-walls" -F -s "$DIR/smb.conf" >"$DIR/log/stderr" 2>&1 &
	SPID=$!
	for _ in $(seq 100); do $CTL ping >/dev/null 2>&1 && break; sleep 0.05; done
}
if [ -x "$B/smb1d-walls" ]; then
	echo x > "$T/outside/file"; echo x > "$SHARE/file"; chmod 666 "$T/outside/file" "$SHARE/file"
	traitor SMB1D_TRY=
	$W "user:$SUSER:$SPASS" tree:share put:traitor >"$T/out" 2>&1
	for who in porch worker; do
		grep "inside $who:" "$LOG" | sed 's/.*inside /inside /' | sort -u > "$T/$who"
		while IFS= read -r l; do case $l in
			*": held ("*) ok "$l";;
			*folder*|*file*|*outside*|*" out:"*|*/etc*|*signal*) case $walls in *"folders yes"*) no "$l";; *) echo "ok - $l # SKIP no fence here";; esac;;
			*) no "$l";;
		esac; done < "$T/$who"
	done
	[ "$(wc -l < "$T/porch")" -ge 6 ] && [ "$(wc -l < "$T/worker")" -ge 29 ] && ok "all attempts were made" || no "attempts: $(wc -l < "$T/porch") and $(wc -l < "$T/worker")"
	cp "$DIR/smb.conf" "$DIR/kept"
	sed -i 's/^\[global\]/[global]\n unix extensions = no\n wide links = yes/' "$DIR/smb.conf"
	traitor SMB1D_TRY=
	$W "user:$SUSER:$SPASS" tree:share put:traitor >"$T/out" 2>&1
	g "without the fence a file outside is open" "inside worker: a file outside: OUT" cat "$LOG"
	g "and it is said why there is none" "folders no \(.wide links = yes" $CTL walls
	g "by status too" "^Walls: .*folders no" $CTL status
	mv "$DIR/kept" "$DIR/smb.conf"
	for call in exec fork unlink setuid ptrace; do
		traitor SMB1D_TRY=$call
		f "a porch that calls $call serves nobody" $W "user:$SUSER:$SPASS"
		g "and the log tells" "asked for a forbidden system call" cat "$LOG"
	done
else
	no "$B/smb1d-walls has not been made"
fi
done_
