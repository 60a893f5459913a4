#!/bin/bash
# A small disk: what does not fit is refused as clients of each dialect expect it, with and without `strict allocate`.
# Needs root for a tmpfs of 4 MiB.  usage: B=build tests/clients/full.sh
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
command -v python3 >/dev/null || { echo "ok - a small disk # SKIP no python3"; echo "0 passed, 0 failed"; exit 0; }
export PYTHONDONTWRITEBYTECODE=1
mkdir -p "$DIR/small"
[ "$(id -u)" = 0 ] && mount -t tmpfs -o size=4m,mode=1777 none "$DIR/small" 2>/dev/null ||
	{ echo "ok - a small disk # SKIP no right to mount one"; echo "0 passed, 0 failed"; exit 0; }
trap 'stop_server; umount "$DIR/small"; rm -rf "$T"' EXIT
start_server "" "
[loose]
 path = $DIR/small
 read only = no
 guest ok = yes
[strict]
 path = $DIR/small
 read only = no
 guest ok = yes
 strict allocate = yes
"
for share in loose strict; do
	timeout "${LIM:-120}" python3 "$HERE/full.py" 127.0.0.1 "$NBTPORT" $share $share >"$T/$share" 2>"$T/$share.err"
	grep -E '^(ok|not ok) - ' "$T/$share" | sed "s/ - / - $share: /"
	read -r p f < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$T/$share")
	P=$((P + ${p:-0})) F=$((F + ${f:-0}))
	[ -n "${p:-}" ] || no "$share: the client came to no end: $(tail -n 1 "$T/$share.err")"
done
t "the daemon is alive" "$B/smb1ctl" -s "$DIR/smb.conf" ping
done_
