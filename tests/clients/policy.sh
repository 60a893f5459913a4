#!/usr/bin/env bash
# Login policy by client, slowed guessing and `smb1ctl why`, against a daemon of our own: policy.py.
# usage: B=build tests/clients/policy.sh
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
command -v python3 >/dev/null || { echo "ok - login policy # SKIP no python3"; echo "0 passed, 0 failed"; exit 0; }
export PYTHONDONTWRITEBYTECODE=1
start_server "
 server min protocol = LANMAN1
 smb1d: lanman clients = 127.0.0.3 127.0.0.2
 smb1d: login timeout = 2
 hosts deny = 127.0.0.9
 smb1d: audit file = $DIR/log/audit.json
 smb1d: audit max size = 200
" "[watched]
 path = $SHARE
 read only = no
 smb1d: audit = all
[renames]
 path = $SHARE
 read only = no
 smb1d: audit = rename
"
python3 "$HERE/policy.py" "$NBTPORT" "$SUSER" "$SPASS" "$B/smb1ctl" "$DIR/smb.conf" "$DIR/log/audit.json" >"$T/log" 2>&1
cat "$T/log"
read -r P F < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed.*/\1 \2/p' "$T/log" | tail -n 1)
P=${P:-0} F=${F:-1}
grep -q 'panic\|signal 11\|signal 6\|signal 31' "$DIR/log/smb1d.log" && no "no crash in the log" || ok "no crash in the log"
[ "$F" = 0 ] || tail -n 30 "$DIR/log/smb1d.log"
stop_server

# LM hashes are stored for the accounts that may log in with them, by name or by group, and for no other
if [ "$(id -u)" = 0 ]; then
	start_server " smb1d: lanman clients = 192.0.2.1
 smb1d: lanman users = daemon @games" ""
	for u in daemon games mail; do
		printf '%s\n%s\n' "$SPASS" "$SPASS" | "$B/smb1ctl" -s "$DIR/smb.conf" passwd -a -i $u >/dev/null 2>&1
	done
	"$B/smb1ctl" -s "$DIR/smb.conf" users > "$T/users" 2>&1
	g "an LM hash for a named account" "^daemon .* NT.LM " cat "$T/users"
	g "... for a member of a named group" "^games .* NT.LM " cat "$T/users"
	g "... and for nobody else" "^mail .* NT  " cat "$T/users"
	g "... nor for the one before" "^$SUSER .* NT  " cat "$T/users"
	stop_server
fi

# what the daemon refuses for lack of places or patience, and what a share cannot give
start_server " server min protocol = LANMAN1
 max smbd processes = 2
 smb1d: stall timeout = 1" "[nouser]
 path = $SHARE
 guest ok = yes
 force user = no-such-user-here
[hook]
 path = $SHARE
 guest ok = yes
 preexec = false
 preexec close = yes
[owners]
 path = $SHARE
 guest ok = yes
 read only = no
 dos filetimes = no
[modes]
 path = $SHARE
 guest ok = yes
 read only = no
 store dos attributes = no
 map readonly = yes
[hook2]
 path = $SHARE
 guest ok = yes
"
told() { # told NAME PATTERN WHAT...: why.py asks for something, and this is said of it
	local d=$1 p=$2; shift 2
	(cd "$HERE" && timeout 60 python3 why.py "$NBTPORT" "$@") >"$T/asked" 2>&1
	"$B/smb1ctl" -s "$DIR/smb.conf" why 127.0.0.1 >"$T/said" 2>&1
	g "$d" "$p" sh -c "tr '\\n' ' ' < $T/said"
}
line() { grep -n "^ $1 =" "$DIR/smb.conf" | cut -d: -f1; }
told "too many clients" "rule: max smbd processes = 2 \($DIR/smb.conf:$(line "max smbd processes")\)" many
told "half a message" "rule: smb1d: stall timeout = 1 \($DIR/smb.conf:$(line "smb1d: stall timeout")\)" half
[ "$(id -u)" != 0 ] || told "a forced user who is not there" "rule: force user = no-such-user-here \($DIR/smb.conf:$(line "force user")\)" tree nouser
told "a client of SMB2 only" "the connection ends: the client speaks SMB2 only" smb2
told "a message that is too long" "a frame of [0-9]+ bytes, where none is that long" long
# a favour that is not done: by the rule of the share, by the broker, of a file that everybody may write to
if [ "$(id -u)" = 0 ]; then
	echo x > "$SHARE/roots"; echo x > "$SHARE/setid"; chmod 666 "$SHARE/roots"; chmod 4666 "$SHARE/setid"
	told "the times of another's file" "set_information of \"roots\": it belongs to another user" attributes owners roots 0x80 1000000000
	g "... by which rule" "rule: dos filetimes = No \($DIR/smb.conf:$(line "dos filetimes")\)" cat "$T/said"
	g "... and what would allow it" "would allow it: .dos filetimes = yes." cat "$T/said"
	told "times at close, which succeeds" "close, times of an open file: it belongs to another user" close owners roots 1000000000
	told "set-id bits: the broker says why" "set_information of \"setid\": a file with set-id bits is its owner's alone" attributes modes setid 0x01 0
fi
# a share that a reload takes away
(cd "$HERE" && python3 why.py "$NBTPORT" hold hook2 >"$T/held" 2>&1) & held=$!
await grep -q "(0, 0)" "$T/held"
sed -i '/^\[hook2\]/,$d' "$DIR/smb.conf"; "$B/smb1ctl" -s "$DIR/smb.conf" reload >/dev/null
await sh -c "\"$B/smb1ctl\" -s \"$DIR/smb.conf\" why hook2 | grep -q gone"
g "a share that is gone" "share hook2 is gone from the configuration" "$B/smb1ctl" -s "$DIR/smb.conf" why hook2
wait $held
told "a command that says no" "rule: preexec close = Yes \($DIR/smb.conf:$(line "preexec close")\)" tree hook
stop_server
start_server " server min protocol = LANMAN1
 lanman auth = yes
 guest account = no-such-account-here" "[guests]
 path = $SHARE
 guest only = yes
"
printf '%s\n%s\n' "$SPASS" "$SPASS" | "$B/smb1ctl" -s "$DIR/smb.conf" passwd --lm -i "$SUSER" >/dev/null 2>&1
told "a guest account that is none" "\"nobodyknows\" cannot be a guest *rule: guest account = no-such-account-here \($DIR/smb.conf:$(line "guest account")\)" \
	tree share
told "a share for guests alone then" "share guests: there is no Unix account .no-such-account-here. *rule: guest account = no-such-account-here" tree guests "$SUSER" "$SPASS"
stop_server

# share level by the port a client comes to, and by the name it asks for
security() { # port, called name: the security mode of NEGOTIATE, 0 for share level
	(cd "$HERE" && python3 -c '
import sys
from smb1wire import Conn
c = Conn("127.0.0.1", int(sys.argv[1]), sys.argv[2], "OLD")
print("mode", c.negotiate(["LANMAN1.0"]).w(1) & 1)' "$@")
}
is() { local d=$1 want=$2 got; shift 2; got=$(security "$@" 2>&1); [ "$got" = "$want" ] && ok "$d" || no "$d: $got"; }
start_server " smb1d: share level clients = port:7, called:BYPASS@127.0.0.0/8, called:ELSE@192.0.2.0/24" ""
sed -i "s/port:7,/port:$NBTPORT@127.0.0.1,/" "$DIR/smb.conf"; "$B/smb1ctl" -s "$DIR/smb.conf" reload >/dev/null
is "share level at one port" "mode 0" "$NBTPORT" SERVER
is "... and not at the other" "mode 1" "$PORT" SERVER
is "share level for one name of ours" "mode 0" "$PORT" BYPASS
is "... and not for another" "mode 1" "$PORT" ELSE
stop_server
done_
