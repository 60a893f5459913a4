#!/bin/bash
# Clients and local programs on the same files: `kernel oplocks`, `posix locking`.
# usage: B=build tests/clients/local.sh
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
command -v python3 >/dev/null || { echo "ok - local programs # SKIP no python3"; echo "0 passed, 0 failed"; exit 0; }
export PYTHONDONTWRITEBYTECODE=1
mkdir -p "$SHARE"; chmod 777 "$SHARE"
start_server "" "
[leases]
 path = $SHARE
 read only = no
 guest ok = yes
 kernel oplocks = yes
[unseen]
 path = $SHARE
 read only = no
 guest ok = yes
 posix locking = no
"
timeout 120 python3 "$HERE/local.py" 127.0.0.1 "$PORT" "$SHARE" >"$T/local" 2>"$T/local.err" || cat "$T/local.err"
grep -E '^(ok|not ok) - ' "$T/local"
read -r P F < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$T/local")
P=${P:-0} F=${F:-1}
t "the daemon is alive" "$B/smb1ctl" -s "$DIR/smb.conf" ping
done_
