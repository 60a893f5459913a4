#!/bin/bash
# When written bytes are on the disk: `strict sync`, `sync always`, `smb1d: write through`, and what clients are told when
# the disk fails.  The daemon's syncs are counted by a library loaded into it.
# usage: B=build tests/clients/durable.sh
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
command -v python3 >/dev/null || { echo "ok - durable writes # SKIP no python3"; echo "0 passed, 0 failed"; exit 0; }
export PYTHONDONTWRITEBYTECODE=1
share() { mkdir -p "$DIR/$1"; chmod 1777 "$DIR/$1"; printf '[%s]\n path = %s\n read only = no\n guest ok = yes\n %s\n' "$1" "$DIR/$1" "$2"; }
mkdir -p "$DIR"
${CC:-gcc} -shared -fPIC -O1 -o "$T/sync_count.so" "$HERE/../shim/sync_count.c" -ldl || exit 1
# in a share: workers reach nothing else
notes=$DIR/sync; mkdir -p "$notes"; : > "$notes/syncs"; chmod 666 "$notes/syncs"
export SYNC_LOG=$notes/syncs SYNC_FAIL=$notes/fail
PRELOAD=$T/sync_count.so start_server "" "$(share sync "")
$(share flush "smb1d: write through = flush")
$(share never "strict sync = no")
$(share always "sync always = yes")"
python3 "$HERE/durable_day.py" 127.0.0.1 "$NBTPORT" "$SYNC_LOG" "$SYNC_FAIL" > "$T/day"
while read -r l; do case $l in "ok "*) P=$((P+1));; "not ok"*) no "${l#not ok - }";; esac; done < "$T/day"
stop_server
done_
