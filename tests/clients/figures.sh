#!/usr/bin/env bash
# The figures this daemon promises, each with its number: see figures.py.  figures.sh [PART ...]
cd "$(dirname "$0")/../.." || exit 1
. tests/clients/lib.sh
command -v python3 >/dev/null || { echo "ok - figures # SKIP python3 is not installed"; echo "0 passed, 0 failed"; exit 0; }
export PYTHONDONTWRITEBYTECODE=1
start_server "" "" # with the defaults, for those are what is promised
chmod 1777 "$SHARE"
timeout "${LIM:-300}" python3 tests/clients/figures.py 127.0.0.1 "$PORT" "$SPID" "$@" >"$T/out" 2>&1
rc=$?
cat "$T/out"
tail -n 1 "$T/out" | grep -q passed || { tail -n 40 "$DIR/log/smb1d.log"; echo "0 passed, 1 failed"; exit 1; }
exit $rc
