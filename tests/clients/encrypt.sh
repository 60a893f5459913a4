#!/usr/bin/env bash
# The encrypted transport with smbclient, through a relay that keeps every byte: no name, no content in the clear.
cd "$(dirname "$0")/../.." || exit 1
. tests/clients/lib.sh
command -v smbclient >/dev/null || { echo "ok - encrypted transport # SKIP smbclient is not installed"; echo "1 passed, 0 failed"; exit 0; }
start_server "" "[must]
 path = $SHARE
 read only = no
 server smb encrypt = required
[never]
 path = $SHARE
 read only = no
 smb encrypt = off"
RELAY=$(free_port) WIRE=$T/wire
python3 tests/clients/relay.py "$RELAY" "$PORT" "$WIRE" 2>/dev/null & RPID=$!
trap 'kill $RPID 2>/dev/null; stop_server; rm -rf "$T"' EXIT
await eval ': >"/dev/tcp/127.0.0.1/$RELAY"'
: > "$T/client.conf"
sc() { # sc SHARE COMMANDS [more options]
	local s=$1 c=$2; shift 2
	smbclient -s "$T/client.conf" --option='client min protocol=NT1' --option="lock directory=$T" -m NT1 -p "$RELAY" \
		-U "$SUSER%$SPASS" "//127.0.0.1/$s" "$@" -c "$c" 2>&1
}
export -f sc; export T RELAY SUSER SPASS SHARE
bb() { t "$1" bash -c "$2"; }
head -c 3000001 /dev/urandom > "$T/big"
for _ in $(seq 2000); do echo "Treasure-Of-The-Island"; done > "$T/gold"
# on_wire TEXT: is it there, in 8-bit or in UTF-16?
on_wire() { python3 - "$WIRE" "$1" <<'PY'
import sys
w, t = open(sys.argv[1], "rb").read(), sys.argv[2]
sys.exit(0 if t.encode() in w or t.encode("utf-16-le") in w else 1)
PY
}
all='put gold HiddenName; get HiddenName back; ls; mkdir SecretFolder; ls; rename HiddenName OtherName; allinfo OtherName; del OtherName; rmdir SecretFolder'
day() { # day NAME SHARE OPTIONS COMMANDS-BEFORE
	: > "$WIRE"; rm -f "$T/back"
	bb "$1: a day's work" "cd $T && sc $2 '$4 lcd $T; $all' $3 | tee $T/said; cmp $T/gold $T/back && grep -q SecretFolder $T/said && ! grep -q NT_STATUS $T/said"
	for secret in Treasure HiddenName SecretFolder OtherName; do
		if on_wire "$secret"; then no "$1: \"$secret\" is on the wire"; else ok "$1: \"$secret\" is not on the wire"; fi
	done
}
# the relay sees what there is to see
: > "$WIRE"
bb "in the clear" "sc share 'lcd $T; put gold HiddenName; del HiddenName'"
if on_wire Treasure && on_wire HiddenName; then ok "the relay sees names and content"; else no "the relay sees nothing"; fi

day "--client-protection=encrypt" share --client-protection=encrypt ""
day "posix_encrypt" share "" "posix_encrypt WORKGROUP $SUSER $SPASS;"
day "a share that requires it" must "" "posix_encrypt WORKGROUP $SUSER $SPASS;"
day "signed inside" must "--option=clientsigning=required" "posix_encrypt WORKGROUP $SUSER $SPASS;"
bb "3 MB both ways, encrypted" "sc must 'lcd $T; put big; get big back' --client-protection=encrypt; cmp $T/big $T/back && cmp $T/big $SHARE/big"
g "posix after it" "mandatory_posix_encrypt" bash -c "sc must 'posix_encrypt WORKGROUP $SUSER $SPASS; posix; ls'"
{ echo "posix_encrypt WORKGROUP $SUSER $SPASS"; echo ls; sleep 3; } | smbclient -s "$T/client.conf" --option='client min protocol=NT1' \
	-m NT1 -p "$RELAY" -U "$SUSER%$SPASS" //127.0.0.1/must >/dev/null 2>&1 &
sleep 1.5
g "status shows it" "RC4 .NTLMSSP" "$B/smb1ctl" -s "$DIR/smb.conf" status -p
g "in the clear, refused" "NT_STATUS_ACCESS_DENIED" bash -c "sc must ls"
g "and the log says why" "the client does not encrypt; by .server smb encrypt = required" cat "$DIR/log/smb1d.log"
g "not offered" "NT_STATUS_NOT_SUPPORTED" bash -c "sc never 'posix_encrypt WORKGROUP $SUSER $SPASS'"
g "wrong password" "NT_STATUS_LOGON_FAILURE" bash -c "sc share 'posix_encrypt WORKGROUP $SUSER wrong'"
done_
