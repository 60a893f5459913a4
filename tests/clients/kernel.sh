#!/usr/bin/env bash
# The Linux kernel's own client, `mount -t cifs -o vers=1.0`, in a virtual machine (tests/clients/kernel): with the UNIX
# extensions and without, with many mount options, with locks of this host's programs, and after the workers were killed,
# the daemon restarted, the share closed.
# usage: B=build tests/clients/kernel.sh       KEEP=FILE: keeps the guest's console       LIMIT=SECONDS (400)
#        MODES="unix nounix"       ONLY=TEXT: only the tests of files.c whose name has it
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
. "$HERE/../vm.sh"
skip() { echo "ok - the kernel's client # SKIP $1"; echo "0 passed, 0 failed"; exit 0; }
install qemu-system-x86 busybox-static kmod gcc libc6-dev
vm_ready || skip "$VM_WHY"
mkdir -p "$T/root"/{bin,dev,proc,sys,tmp}
ldd "$(command -v busybox)" >/dev/null 2>&1 && skip "busybox is not the static one"
cp "$(command -v busybox)" "$T/root/bin/"
vm_modules "$T/root" virtio_pci virtio_net cifs nls_utf8 md5 hmac cmac ecb
[ -s "$T/root/modules" ] || skip "no modules of this kernel"
start_server "" ""
gcc -O2 -static -o "$T/root/bin/files" "$HERE/kernel/files.c" || { echo "Bail out! files.c"; exit 1; }
cp "$HERE/kernel/guest.sh" "$T/root/init" && chmod 755 "$T/root/init"
printf "PORT='%s' SHARE=share USER='%s' PASS='%s' MODES='%s' ONLY='%s'\n" "$PORT" "$SUSER" "$SPASS" "${MODES:-unix nounix}" "${ONLY:-}" > "$T/root/settings"

workers() { "$B/smb1ctl" -s "$DIR/smb.conf" clients | awk '$3 == "worker" { print $1 }'; }
locker=
help_guest() { # what it asked for; the answer is a line
	case $1 in
	"the workers are killed") kill -9 $(workers) && echo done || echo "no worker";;
	"the daemon is restarted") stop_server; run_server && echo done;;
	"the share is closed") "$B/smb1ctl" -s "$DIR/smb.conf" close-share share >/dev/null && echo done || echo "close-share failed";;
	"lock "*) "$T/root/bin/files" hold "$SHARE/${1#lock }" & locker=$!; sleep 0.5; echo done;;
	"unlock") kill $locker; wait $locker 2>/dev/null; echo done;;
	"try "*) "$T/root/bin/files" try "$SHARE/${1#try }" && echo granted || echo refused;;
	*) echo "what?";;
	esac
}

mkfifo "$T/console"
vm_boot "$T/root" "${LIMIT:-400}" "" -netdev user,id=n -device virtio-net-pci,netdev=n,romfile= \
	<"$T/console" >"$T/guest" 2>"$T/qemu" &
vm=$!
exec 8>"$T/console"
ended=
while IFS= read -r line; do
	line=${line%$'\r'}
	case $line in
	"ok - "*) ok "${line#ok - }";;
	"not ok - "*) no "${line#not ok - }";;
	"# "*) echo "$line";;
	"##ASK "*) help_guest "${line#\#\#ASK }" >"$T/answer"; cat "$T/answer" >&8;;
	"##END"*) ended=yes;;
	esac
done < <(tail -n +1 -F --pid=$vm "$T/guest" 2>/dev/null)
exec 8>&-
wait $vm
[ -n "${KEEP:-}" ] && cp "$T/guest" "$KEEP"
[ -n "$ended" ] || no "the guest did not reach its end: $(tail -n 1 "$T/guest") $(tail -n 1 "$T/qemu")"
t "the daemon is alive" "$B/smb1ctl" -s "$DIR/smb.conf" ping
f "no worker crashed" grep -E 'panic|signal (6|7|8|11)' "$DIR/log/smb1d.log"
done_
