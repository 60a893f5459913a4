#!/usr/bin/env bash
# What one client, and many that do not log in, can cost: see ceilings.py.  ceilings.sh [PART ...]
cd "$(dirname "$0")/../.." || exit 1
. tests/clients/lib.sh
command -v python3 >/dev/null || { echo "ok - ceilings # SKIP python3 is not installed"; echo "0 passed, 0 failed"; exit 0; }
export PYTHONDONTWRITEBYTECODE=1
start_server "
 smb1d: stall timeout = 2
 smb1d: login timeout = 3
 smb1d: max unauthenticated = 20
 smb1d: max unauthenticated total = 40
 use sendfile = no
" "[unshown]
 path = $SHARE
 read only = no
 guest ok = yes
 posix locking = no
"
chmod 1777 "$SHARE"
export CTL="$B/smb1ctl -s $DIR/smb.conf"
timeout "${LIM:-200}" python3 tests/clients/ceilings.py 127.0.0.1 "$PORT" "$SPID" "$SHARE" "$@" >"$T/out" 2>&1
rc=$?
cat "$T/out"
tail -n 1 "$T/out" | grep -q passed || { tail -n 40 "$DIR/log/smb1d.log"; echo "0 passed, 1 failed"; exit 1; }
exit $rc
