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
mkdir -p "$DIR/bin" "$DIR/run" "$DIR/spool" "$DIR/rules" "$DIR/given" "$DIR/forced" "$DIR/later" "$T/outside"
chmod 1777 "$DIR/run" "$DIR/spool" "$DIR/rules" "$DIR/forced"; chown mail "$DIR/given"; chmod 777 "$DIR/given"
chmod 1777 "$DIR/forced" "$DIR/later" "$T/outside"
lists=
list() { # list NAME SETTING...: a share with rules for who may enter or write, and root's file that all may write to
	mkdir -p "$DIR/lists/$1"; echo x > "$DIR/lists/$1/file"; chmod 666 "$DIR/lists/$1/file"
	lists+="[$1]
 path = $DIR/lists/$1
"; shift
	lists+="$(printf ' %s\n' "$@")
"
}
list named "read only = no" "valid users = mail smb1dtest"
list own-group "read only = no" "valid users = @smb1dtest"
list writer "write list = smb1dtest"
list rights "read only = no" "force user = smb1dtest" "valid users = mail"
list others "read only = no" "valid users = mail"
list others-group "read only = no" "valid users = @mail"
list invalid "read only = no" "invalid users = smb1dtest"
list reader "read only = no" "read list = smb1dtest"
list read-only "write list = mail"
list far "read only = no" "hosts allow = 192.0.2.0/24" "hosts deny = ALL"
list gone "read only = no" "available = no"
list guests "read only = no" "guest only = yes"
list rights-of-another "read only = no" "force user = daemon"
start_server " lanman auth = yes" "$lists[forced]
 path = $DIR/forced
 read only = no
 force user = daemon
 force group = games
[rules]
 path = $DIR/rules
 read only = no
 store dos attributes = no
 map archive = no
 map readonly = yes
[owners]
 path = $DIR/rules
 read only = no
 dos filetimes = no
 store dos attributes = yes
[given]
 path = $DIR/given
 read only = no
 inherit owner = unix only
[run]
 path = $DIR/run
 preexec = sh -c 'echo \"\$0 \$1 \$(id -un) \$(id -Gn)\" > $DIR/run/before' %u %S
 postexec = touch $DIR/run/after-%U
[open]
 path = $DIR/run
 preexec = touch $DIR/run/obeyed
[shut]
 path = $DIR/run
 preexec = test %S = open; false
 preexec close = yes
[failing]
 path = $DIR/run
 preexec = false
[slow]
 path = $DIR/run
 preexec = sleep 2
[lp]
 path = $DIR/spool
 printable = yes
 print command = sh -c 'id -un > $DIR/run/printed-\$0' %J
[disk]
 path = $DIR/run
 dfree command = $DIR/bin/dfree %u
 dfree cache time = 60
[slowdisk]
 path = $DIR/run
 dfree command = $DIR/bin/slowdf
 dfree cache time = 60
[nodisk]
 path = $DIR/run
 dfree command = echo full
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
# favours: what a rule of the share allows in a file of somebody else's
for n in open closed; do echo x > "$DIR/rules/$n"; chown mail "$DIR/rules/$n"; done
chmod 666 "$DIR/rules/open"; chmod 644 "$DIR/rules/closed"
g "times of another's file one may write" "attr:open:0:1000000000 00000000" $W "user:$SUSER:$SPASS" tree:rules attr:open:0:1000000000
g "they are set" "^2001-09-0[89]" stat -c %y "$DIR/rules/open"
g "not of one one may not" "attr:closed:0:1000000000 c0000022" $W "user:$SUSER:$SPASS" tree:rules attr:closed:0:1000000000
g "nor, of one one may, where \`dos filetimes = no\`" "attr:open:0:1100000000 c0000022" $W "user:$SUSER:$SPASS" tree:owners attr:open:0:1100000000
g "which is told" "rule: dos filetimes = No" "$B/smb1ctl" -s "$DIR/smb.conf" why "$SUSER"
g "the read-only bit of another's file" "attr:open:1:0 00000000" $W "user:$SUSER:$SPASS" tree:rules attr:open:1:0
g "it is set" "^mail 444" stat -c '%U %a' "$DIR/rules/open"
g "a new file in another's folder" "put:new 00000000" $W "user:$SUSER:$SPASS" tree:given put:new
g "is the other's with \`inherit owner\`" "^mail:" $OWNER "$DIR/given/new"
LOG=$DIR/log/smb1d.log

# commands of the configuration: outside the worker, as the user
g "preexec lets in" "tree:run 00000000" $W "user:$SUSER:$SPASS" tree:run get:before
g "it has run as the user, macros as arguments" "^$SUSER run $SUSER" cat "$DIR/run/before"
await [ -e "$DIR/run/after-$SUSER" ]
g "postexec too" "^$SUSER:" $OWNER "$DIR/run/after-$SUSER"
g "a preexec that takes its time holds up its own request only" "echo first, soon; the other after 2.*beside:slow 00000000" \
	sh -c "$W user:$SUSER:$SPASS beside:slow | tr '\n' ' '"
g "a request that waits for it can be cancelled" "cancel:slow c0000120" $W "user:$SUSER:$SPASS" cancel:slow
$W "user:$SUSER:$SPASS" tree:lp "user:mail:$SPASS" tree:lp print:second "as:$SUSER" print:first >"$T/out" 2>&1
await [ -s "$DIR/run/printed-first" ] && await [ -s "$DIR/run/printed-second" ]
g "a print command runs as who printed" "^$SUSER mail \$" sh -c "cat $DIR/run/printed-first $DIR/run/printed-second | tr '\n' ' '"
g "whoever has come in between" "finish 00000000" $W "user:$SUSER:$SPASS" tree:lp "user:mail:$SPASS" tree:share put:between "as:$SUSER" in:lp \
	begin:taken as:mail in:share put:again finish
for _ in $(seq 40); do [ -s "$DIR/run/printed-taken" ] && break; sleep 0.1; done
g "it is written as who prints it" "^$SUSER\$" sh -c "stat -c %U $DIR/spool/*-taken"
g "and printed as who has" "^$SUSER\$" cat "$DIR/run/printed-taken"
g "preexec close" "tree:shut c0000022" $W "user:$SUSER:$SPASS" tree:shut
g "and the log says why" "share shut: its .preexec. ended with status 1" cat "$LOG"
g "without it a failure lets in" "tree:failing 00000000" $W "user:$SUSER:$SPASS" tree:failing
printf '#!/bin/sh\necho "$# $1 $2 $(pwd) $(id -un)" >> %s\necho 1000 250 2048\n' "$DIR/run/asked" > "$DIR/bin/dfree"; chmod 755 "$DIR/bin/dfree"
g "dfree command tells size and room" "total 2048000 free 512000" $W "user:$SUSER:$SPASS" tree:disk disk disk
g "in the share's folder, as the user, macros as arguments, asked once" "^2 $SUSER [.] $DIR/run $SUSER;1\$" \
	sh -c "echo \"\$(head -n 1 $DIR/run/asked);\$(wc -l < $DIR/run/asked)\""
printf '#!/bin/sh\necho >> %s\nsleep 2\necho 1000 250 2048\n' "$DIR/run/slowly" > "$DIR/bin/slowdf"; chmod 755 "$DIR/bin/slowdf"
g "one that takes its time holds up those who ask for it only" "echo first, soon; the others after 2.*total 2048000 2048000.*disks 00000000 .*total 2048000 " \
	sh -c "$W user:$SUSER:$SPASS tree:slowdisk disks disk | tr '\n' ' '"
g "and is started once for all of them" "^1\$" sh -c "wc -l < $DIR/run/slowly"
g "a question by TRANSACTION2 waits too" "total 2048000 free 512000" $W "user:$SUSER:$SPASS" tree:slowdisk statfs
g "one can be cancelled, and the next hears the same command" "canceldisk c0000120 total 2048000 free 512000" \
	sh -c "$W user:$SUSER:$SPASS tree:slowdisk canceldisk disk | tr '\n' ' '"
g "which was not started again" "^3\$" sh -c "wc -l < $DIR/run/slowly"
g "one that says no numbers does not count" "^total [1-9]" $W "user:$SUSER:$SPASS" tree:nodisk disk
g "and the log says so" "share nodisk: .dfree command. ended with status 0 and said \"full" cat "$LOG"
CTL="$B/smb1ctl -s $DIR/smb.conf"
walls=$($CTL walls)
echo "# $walls"

# a reload brings a share: whoever is logged in has to connect anew, others see it
case $walls in *"folders yes"*)
	$W "user:$SUSER:$SPASS" tree:share put:before "wait:$T/reloaded" tree:later put:during >"$T/held" 2>&1 &
	held=$!
	await grep -q put:before "$T/held"
	printf '[later]\n path = %s\n read only = no\n' "$DIR/later" >> "$DIR/smb.conf"
	t "reload" $CTL reload
	touch "$T/reloaded"; wait $held
	g "a share of a reload, to a connection from before" "tree:later c00000cc" cat "$T/held"
	g "and the log says why" "added, made or mounted after this client had logged in" cat "$LOG"
	g "and so does smb1ctl why" "would allow it: a new connection" $CTL why later
	g "to a new connection" "put:after 00000000" $W "user:$SUSER:$SPASS" tree:later put:after
	;;
*) echo "ok - a reload brings a share # SKIP no fence here";;
esac

# what the kernel says each process is and may
# has NAME PROCESS STATUS...: each line of /proc/PID/status of the (newest) process begins so
has() {
	local name=$1 pid line; shift
	pid=$(pgrep -n -P "$SPID" -x "$1"); shift
	for line in "$@"; do
		line=$(printf '%b' "$line")
		grep -q "^$line" "/proc/$pid/status" && ok "$name: ${line//$'\t'/ }" || no "$name: $(grep "^${line%%:*}" "/proc/$pid/status") and not $line"
	done
	[ "$(awk '/^Max core file size/ { print $5 $6 }' "/proc/$pid/limits")" = 00 ] && ok "$name: leaves no picture of its memory" || no "$name: core"
}
case $walls in *"own user yes, empty root before login yes, system calls yes"*)
	exec 8<>"/dev/tcp/127.0.0.1/$PORT"
	echo x > "$DIR/rules/asked"; chmod 666 "$DIR/rules/asked"
	$W "user:$SUSER:$SPASS" tree:rules attr:asked:0:1000000000 "wait:$T/seen" >"$T/held" 2>&1 &
	held=$!
	await grep -q attr:asked "$T/held"
	caps() { printf 'CapInh:\\t%016x CapPrm:\\t%016x CapEff:\\t%016x NoNewPrivs:\\t1' 0 "$1" "$1"; }
	read -r -a none < <(caps 0); read -r -a keeper < <(caps 6); read -r -a worker < <(caps 0xc0); read -r -a broker < <(caps 0xc9)
	porch=$(pgrep -n -P "$SPID" -x smb1d-porch)
	has "porch" smb1d-porch "Uid:\t64987\t64987\t64987\t64987" "Groups:\t *$" "Seccomp:\t2" "${none[@]}"
	g "porch: its root is empty" "^$DIR/lock/empty$" readlink "/proc/$porch/root"
	g "and nobody can put anything into it" "^0 555$" stat -c '%u %a' "$DIR/lock/empty"
	g "porch: no more descriptors than it needs" "^[4-6]$" sh -c "ls /proc/$porch/fd | wc -l"
	g "porch: no new processes" "processes  *0  *0" cat "/proc/$porch/limits"
	has "keeper" smb1d-keeper "${keeper[@]}"
	u=$(id -u "$SUSER")
	has "worker" smb1d-worker "Uid:\t$u\t$u\t$u\t$u" "Seccomp:\t2" "${worker[@]}"
	has "broker" smb1d-broker "Uid:\t64987\t64987\t64987" "Seccomp:\t2" "${broker[@]}"
	touch "$T/seen"; wait $held
	exec 8>&-;;
*) echo "ok - what the kernel says each process may # SKIP walls are missing here";;
esac

# the same with the daemon that tries to break out of its own processes
# somebody, and a group the system says he is in
named=$(awk -F: '$4 { split($4, who, ","); print who[1] ":" $1; exit }' /etc/group); named=${named:-root:root}
traitor() { # traitor NAME=VALUE...
	stop_server; : > "$LOG"
	env SMB1D_OUTSIDE="$T/outside" SMB1D_SHARE="$SHARE" SMB1D_STRANGER="$(id -u mail)" SMB1D_GROUP="$(id -g mail)" \
		SMB1D_LISTS="$DIR/lists" SMB1D_NAMED="${named%:*}" "$@" \
		"$B/smb1d-walls" -F -s "$DIR/smb.conf" >"$DIR/log/stderr" 2>&1 &
	SPID=$!
	await $CTL ping
}
if [ -x "$B/smb1d-walls" ]; then
	echo x > "$T/outside/file"; echo x > "$SHARE/file"; chmod 666 "$T/outside/file" "$SHARE/file"; echo x > "$SHARE/secret"; chmod 600 "$SHARE/secret"
	echo x > "$SHARE/setid"; chmod 4766 "$SHARE/setid"
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
	g "a command runs as who asks for it, whatever is said" "^${named%:*} run $SUSER " cat "$DIR/run/before"
	f "nor in a group of who is named" grep -qE "^[^ ]* run .* ${named#*:}( |\$)" "$DIR/run/before"
	g "orders without a token, or with another's" "^2\$" grep -c "asked for a command: an order without a token" "$LOG"
	f "are not obeyed" test -e "$DIR/run/obeyed"
	g "a print job that is none" "a print job that cannot be read" cat "$LOG"
	[ "$(wc -l < "$T/porch")" -ge 9 ] && [ "$(wc -l < "$T/worker")" -ge 60 ] && ok "all attempts were made" || no "attempts: $(wc -l < "$T/porch") and $(wc -l < "$T/worker")"
	cp "$DIR/smb.conf" "$DIR/kept"
	sed -i 's/^\[global\]/[global]\n unix extensions = no\n wide links = yes\n dos filemode = yes/' "$DIR/smb.conf"
	traitor SMB1D_TRY=
	$W "user:$SUSER:$SPASS" tree:share put:traitor >"$T/out" 2>&1
	g "without the fence a file outside is open" "inside worker: a file outside: OUT" cat "$LOG"
	g "and it is said why there is none" "folders no \(.wide links = yes" $CTL walls
	g "with \`dos filemode\` the broker sets a mode" "the broker: a mode: OUT" cat "$LOG"
	g "but no set-id bit" "the broker: a set-id bit: held" cat "$LOG"
	g "nor of a file that has one" "the broker: a mode beside a set-id bit: held" cat "$LOG"
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

# a kernel without walls: it starts, serves, says so, and tells what stands
${CC:-gcc} -O1 -o "$T/old_kernel" tests/shim/old_kernel.c || exit 1
if "$T/old_kernel" true 2>/dev/null; then
	stop_server; : > "$LOG"; sleep 1
	"$T/old_kernel" "$B/smb1d" -F -s "$DIR/smb.conf" >"$DIR/log/stderr" 2>&1 &
	SPID=$!
	await $CTL ping
	g "on an old kernel users are served" "put:oldkernel 00000000" $W "user:$SUSER:$SPASS" tree:share put:oldkernel
	g "with their own rights" "^$SUSER:" $OWNER "$SHARE/oldkernel"
	ln -sfn "$T/outside" "$SHARE/leads-out"
	g "and not outside the share" "leads-out.* c00000(3a|34|22)" $W "user:$SUSER:$SPASS" tree:share 'get:leads-out\file'
	for w in "no filter of system calls" "workers see the whole file tree: the kernel has no Landlock" 'knows no "no new privileges"'; do
		g "the log says once what is missing: $w" "^1$" sh -c "grep -c 'missing wall: .*$w' $LOG"
	done
	g "and status what stands" "^Walls: own user yes, empty root before login yes, system calls no, identities no, capabilities yes, no new privileges no, folders no .the kernel has no Landlock" $CTL status
else
	echo "ok - an old kernel # SKIP it cannot be played here"
fi
done_
