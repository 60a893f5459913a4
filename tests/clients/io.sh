#!/bin/bash
# Bytes under bad conditions: files that are cut while they are read, a disk that fills (needs root for its file system); and
# clients in a hurry, for whom nobody else waits.
# usage: B=build tests/clients/io.sh
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
command -v python3 >/dev/null || { echo "ok - reads and writes under bad conditions # SKIP no python3"; echo "0 passed, 0 failed"; exit 0; }
export PYTHONDONTWRITEBYTECODE=1
full=$DIR/full small=-
mkdir -p "$full" "$SHARE"; chmod 1777 "$SHARE"
if mount -t tmpfs -o size=1200k,mode=1777 none "$full" 2>/dev/null; then
	small=$full
	trap 'stop_server; umount -l "$full"; rm -rf "$T"' EXIT
else
	echo "ok - a disk that fills # SKIP no file system of our own"
fi
share() { printf '[%s]\n path = %s\n read only = no\n guest ok = yes\n %s\n' "$1" "$2" "$3"; }
start_server " min receivefile size = 40000
 smb1d: stall timeout = 2" "$(share direct "$SHARE")
$(share copied "$SHARE" "use sendfile = no")
$(share full "$full")"
chmod 1777 "$SHARE"
python3 "$HERE/io_day.py" 127.0.0.1 "$NBTPORT" "$SHARE" "$small" > "$T/day"
python3 "$HERE/hurry_day.py" 127.0.0.1 "$NBTPORT" >> "$T/day"
while read -r l; do case $l in "ok "*) P=$((P+1));; "not ok"*) no "${l#not ok - }";; esac; done < "$T/day"
stop_server
done_
