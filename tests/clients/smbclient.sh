#!/usr/bin/env bash
# Samba's smbclient against a daemon of our own: the daily life of an NT1 client.
cd "$(dirname "$0")/../.." || exit 1
. tests/clients/lib.sh
command -v smbclient >/dev/null || { echo "ok - smbclient # SKIP not installed"; echo "0 passed, 0 failed"; exit 0; }
start_server "" "[ro]
 path = $SHARE
 guest ok = yes
[secret]
 path = $SHARE
 valid users = nobodyelse
[hidden]
 path = $SHARE
 browseable = no
 guest ok = yes"
: > "$T/client.conf"
sc() { # sc SHARE COMMANDS [more options]
	local s=$1 c=$2; shift 2
	smbclient -s "$T/client.conf" --option='client min protocol=NT1' --option="lock directory=$T" -m NT1 -p "$PORT" "//127.0.0.1/$s" "$@" -c "$c"
}
n1() { sc share "$1" -U "$SUSER%$SPASS" "${@:2}"; }
b() { eval "$1"; }
export -f sc n1 b; export PORT SUSER SPASS SHARE DIR
bb() { local d=$1; shift; t "$d" bash -c "$1"; }
head -c 3000001 /dev/urandom > "$T/big"; head -c 12345 /dev/urandom > "$T/small"; : > "$T/empty"
bb "put and get 3 MB" 'n1 "lcd $T; put big; get big back" && cmp $T/big $T/back && cmp $T/big $SHARE/big'
bb "put and get 12345 bytes" 'n1 "lcd $T; put small; get small back" && cmp $T/small $T/back'
bb "empty file" 'n1 "lcd $T; put empty; get empty back" && cmp $T/empty $T/back'
g "listing" "big +A +3000001" bash -c 'n1 ls'
g "case-blind get" "getting file .BIG" bash -c 'n1 "lcd $T; get BIG back"'
bb "rename, and only the case" 'n1 "rename small Small2; rename Small2 SMALL2" && [ -e $SHARE/SMALL2 ]'
bb "delete" 'n1 "del SMALL2" && [ ! -e $SHARE/SMALL2 ]'
bb "wildcard delete" 'touch $SHARE/w1.tmp $SHARE/w2.tmp && chown -f '"$SUSER"' $SHARE/w*.tmp; n1 "del w*.tmp" && ! ls $SHARE/w*.tmp'
bb "mkdir, cd, rmdir" 'n1 "mkdir d1; cd d1; mkdir d2; rmdir d2; cd ..; rmdir d1" && [ ! -e $SHARE/d1 ]'
mkdir -p "$T/tree/a/b"; for i in 1 2 3 4 5; do head -c $((i*9999)) /dev/urandom > "$T/tree/a/f$i"; cp "$T/tree/a/f$i" "$T/tree/a/b/g$i"; done
bb "mput and mget of a tree" 'mkdir $T/dl; n1 "lcd $T; recurse; prompt; mput tree; lcd dl; mget tree" && diff -r $T/tree $T/dl/tree'
bb "tar" 'n1 "tar c $T/o.tar tree" && mkdir $T/ut && tar xf $T/o.tar -C $T/ut && [ $(find $T/ut -type f | wc -l) = 10 ]'
g "allinfo" "create_time: +[A-Z]" bash -c 'n1 "allinfo big"'
bb "attributes" 'n1 "setmode big +rsh" && n1 "allinfo big" | grep -q "attributes:.*RHS" && n1 "setmode big -rsh" && ! n1 "allinfo big" | grep -q RHS'
bb "read-only files stay" 'n1 "setmode big +r" && n1 "del big" 2>&1 | grep -q NT_STATUS_CANNOT_DELETE; n1 "setmode big -r"; [ -e $SHARE/big ]'
bb "times" 'n1 "utimes big 2001:02:03-04:05:06 2002:02:03-04:05:06 2003:02:03-04:05:06 -1" && [ $(stat -c %Y $SHARE/big) -lt 1100000000 ]'
bb "100 files in one session" 'for i in $(seq 100); do cp $T/small $T/m$i; done; n1 "lcd $T; prompt; mput m*" >/dev/null && [ $(n1 "ls m*" | grep -c " 12345 ") = 100 ]'
bb "deltree" 'n1 "deltree tree" && [ ! -e $SHARE/tree ]'
bb "free space" 'n1 ls | grep -q "blocks available"'
bb "NTLMv1" 'n1 "ls" --option=clientntlmv2auth=no --option=clientusespnego=no'
bb "NTLMv2 without SPNEGO" 'n1 "ls" --option=clientusespnego=no'
bb "signed" 'n1 "lcd $T; put big sig; get sig back" --client-protection=sign && cmp $T/big $T/back'
bb "buffer of 1200 bytes" 'n1 "lcd $T; put big bs; get bs back" -b 1200 && cmp $T/big $T/back'
bb "NetBIOS port" 'PORT='"$NBTPORT"' n1 "ls"'
f "wrong password" bash -c "sc share ls -U '$SUSER%wrong'"
f "unknown share" bash -c "sc nosuch ls -U '$SUSER%$SPASS'"
bb "guest" 'sc share ls -N'
f "guest on a share for users" bash -c "sc secret ls -N"
f "valid users" bash -c "sc secret ls -U '$SUSER%$SPASS'"
bb "read-only share" 'sc ro "ls" -U "$SUSER%$SPASS" && sc ro "lcd $T; put small ro1" -U "$SUSER%$SPASS" 2>&1 | grep -q ACCESS_DENIED'
g "share list by RPC" "^Disk.share.test share" smbclient -s "$T/client.conf" --option='client min protocol=NT1' -m NT1 -p "$PORT" -U "$SUSER%$SPASS" -g -L 127.0.0.1
f "hidden share is not listed" bash -c "smbclient -s $T/client.conf --option='client min protocol=NT1' -m NT1 -p $PORT -U '$SUSER%$SPASS' -g -L 127.0.0.1 | grep -q hidden"
g "share list by RAP" "Disk.share" smbclient -s "$T/client.conf" --option='client min protocol=CORE' --option='client lanman auth=yes' --option='client ntlmv2 auth=no' -m LANMAN2 -p "$PORT" -N -g -L 127.0.0.1
bb "files belong to the user" '[ "$(id -u)" != 0 ] || [ "$(stat -c %U $SHARE/big)" = "$SUSER" ]'
if command -v curl >/dev/null && curl -V | grep -qw smb; then
	bb "curl puts and gets" 'curl -s -u "$SUSER:$SPASS" -T $T/small smb://127.0.0.1:$PORT/share/curl.bin && curl -s -u "$SUSER:$SPASS" smb://127.0.0.1:$PORT/share/curl.bin -o $T/back && cmp $T/small $T/back'
	bb "curl, 3 MB" 'curl -s -u "$SUSER:$SPASS" smb://127.0.0.1:$PORT/share/big -o $T/back && cmp $T/big $T/back'
fi
if [ -n "${CI_FULL:-}" ]; then
	LIM=240
	bb "5 GiB up and down" 'truncate -s 5G $T/huge && echo end >> $T/huge && n1 "lcd $T; put huge" && rm $T/huge && [ $(stat -c %s $SHARE/huge) = 5368709124 ] && tail -c 4 $SHARE/huge | grep -q end && n1 "get huge -" 2>/dev/null | tail -c 4 | grep -q end; r=$?; rm -f $SHARE/huge; exit $r'
fi
bb "150 clients log in at the same moment" 'python3 tests/clients/burst.py 127.0.0.1 $PORT 150'
# two workers killed in the middle of writes: nothing stays behind, the daemon goes on, what was acknowledged is there
head -c 200000000 /dev/zero > "$T/long"
for i in 1 2; do ( n1 "lcd $T; put small ack$i; put long k$i" >/dev/null 2>&1 ) & done
await [ -s "$SHARE/k1" ] && await [ -s "$SHARE/k2" ]
victims=$(pgrep -P "$SPID" smb1d-worker)
[ "$(echo "$victims" | wc -w)" = 2 ] && kill -9 $victims && ok "two workers in the middle of writes killed" || no "two workers to kill, found: $victims"
wait $(jobs -p | grep -v "^$SPID$") 2>/dev/null
nobody() { [ "$("$B/smb1ctl" -s "$DIR/smb.conf" status --json | python3 -c "import json,sys; d=json.load(sys.stdin); print(len(d['sessions']) + len(d['open_files']))")" = 0 ]; }
await nobody && ok "their sessions and opens are gone" || no "their sessions and opens are gone"
bb "the file can be opened and deleted by others" 'n1 "lcd $T; put small k1; get k1 back; del k1; del k2" && cmp $T/small $T/back && [ ! -e $SHARE/k1 ]'
bb "acknowledged files are whole" 'cmp $T/small $SHARE/ack1 && cmp $T/small $SHARE/ack2'
grep -q 'panic\|signal 11\|signal 6' "$DIR/log/smb1d.log" && no "no crash in the log" || ok "no crash in the log"
done_
