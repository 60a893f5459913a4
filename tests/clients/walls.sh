#!/usr/bin/env bash
# What holds a worker in: who it may become and which files it may open, against a daemon of our own.  Needs root.
# usage: B=build tests/clients/walls.sh
HERE=$(cd "$(dirname "$0")" && pwd)
cd "$HERE/../.." || exit 1
. tests/clients/lib.sh
skip() { echo "ok - walls # SKIP $*"; echo "0 passed, 0 failed"; exit 0; }
command -v python3 >/dev/null || skip "no python3"
[ "$(id -u)" = 0 ] || skip "not root: there is one user only"
export PYTHONDONTWRITEBYTECODE=1
mkdir -p "$T/server/forced" "$T/server/later"
chmod 1777 "$T/server/forced" "$T/server/later"
start_server " lanman auth = yes" "[forced]
 path = $DIR/forced
 read only = no
 force user = daemon
 force group = games
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
done_
