#!/bin/bash
# The two processes that fork porches and workers: what they save, and what becomes of clients when they die.
# usage: B=build tests/clients/nursery.sh
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
command -v python3 >/dev/null || { echo "ok - nursery # SKIP no python3"; echo "0 passed, 0 failed"; exit 0; }
export PYTHONDONTWRITEBYTECODE=1
mkdir -p "$SHARE"; chmod 777 "$SHARE"
${CC:-gcc} -shared -fPIC -O1 -o "$T/late_waitpid.so" "$HERE/../shim/late_waitpid.c" -ldl || exit 1
PRELOAD=$T/late_waitpid.so start_server "" ""
timeout "${LIM:-120}" python3 "$HERE/nursery.py" "$PORT" "$SPID" "$DIR/smb.conf" "$B/smb1ctl" held-up || exit 1
stop_server
start_server "" ""
timeout "${LIM:-120}" python3 "$HERE/nursery.py" "$PORT" "$SPID" "$DIR/smb.conf" "$B/smb1ctl"
