#!/bin/bash
# The listener is killed; its workers serve on, and the next daemon takes them in.
# usage: B=build tests/clients/orphans.sh
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
command -v python3 >/dev/null || { echo "ok - orphans # SKIP no python3"; echo "0 passed, 0 failed"; exit 0; }
export PYTHONDONTWRITEBYTECODE=1
mkdir -p "$SHARE"; chmod 777 "$SHARE"
CTL=("$B/smb1ctl" -s "$DIR/smb.conf")
start_server "" "
[other]
 path = $SHARE
 read only = no
 guest ok = yes
"
CLIENTS=
# client NAME SHARE FD [SYSTEM]: reads calls from a pipe; say NAME CALL prints what came
client() {
	mkfifo "$T/$1.in"
	python3 "$HERE/nt1wire.py" 127.0.0.1 "$PORT" "$2" 1 ${4:+"$4"} <"$T/$1.in" >"$T/$1.out" 2>"$T/$1.err" &
	CLIENTS="$CLIENTS $!"
	eval "exec $3>\"$T/$1.in\""
	await [ -s "$T/$1.out" ] || no "client $1 did not come in: $(cat "$T/$1.err")"
}
lines() { wc -l < "$T/$1.out"; }
more_lines() { [ "$(lines "$1")" -gt "$2" ]; }
say() { # NAME FD CALL
	local n; n=$(lines "$1"); echo "$3" >&"$2"
	await more_lines "$1" "$n"
	tail -n 1 "$T/$1.out"
}
again() { "$B/smb1d" -F -s "$DIR/smb.conf" >>"$DIR/log/stderr" 2>&1 & SPID=$!; await "${CTL[@]}" ping || no "no daemon"; sleep 0.5; }
# is DESCRIPTION GOT WANTED
is() { [ "$2" = "$3" ] && ok "$1" || no "$1: $2 instead of $3"; }

client a share 4; client b other 5
is "a client holds a file" "$(say a 4 'open("held", share=0)["status"]')" 0
kill -9 "$SPID"; wait "$SPID" 2>/dev/null
sleep 0.3
is "the listener is killed: its workers serve on" "$(say a 4 'echo()')" 0
again
g "the next daemon knows them" '2 logged in' "${CTL[@]}" ping
client c share 6
is "what they hold counts for new clients" "$(say c 6 'open("held")["status"]')" 3221225539
sed -i "s/^\[share\]/ smb1d: native os = Anew\n[share]/" "$DIR/smb.conf"
t "a reload" "${CTL[@]}" reload
reached() { [ "$(grep -c 'has the new configuration' "$DIR/log/smb1d.log")" -ge 3 ]; }
await reached && ok "... reaches them" || no "... reaches them"
client l other 8 "Linux version 6.1.0"
g "close-share reaches them" '[34] clients were told' "${CTL[@]}" close-share other
closed() { [ "$(say b 5 'open("x")["status"]')" != 0 ]; }
await closed && ok "... the share is closed" || no "... the share is closed"
is "... the connection lives" "$(say b 5 'echo()')" 0
broken() { say "$@" 'echo()' | grep -q broken; }
await broken l 8 && ok "... but a Linux client's" || no "... but a Linux client's"
kill -9 "$SPID"; wait "$SPID" 2>/dev/null; again
is "a second time" "$(say a 4 'echo()')" 0
g "kill-client reaches all" '3 connections of' "${CTL[@]}" kill-client 127.0.0.1
await broken a 4 && ok "... they have ended" || no "... they have ended"
client d share 7
is "what they held is free" "$(say d 7 'open("held", share=0)["status"]')" 0
kill -9 "$SPID"; wait "$SPID" 2>/dev/null; again
t "stop" "${CTL[@]}" stop
wait "$SPID" 2>/dev/null; SPID=
say d 7 'echo()' | grep -q broken && ok "... ends them too" || no "... ends them too"
kill $CLIENTS 2>/dev/null
done_
