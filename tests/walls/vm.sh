#!/usr/bin/env bash
# Where the kernel at hand has no Landlock or no filters of system calls, the tests of these walls from inside run in a virtual
# machine with the distribution's kernel (qemu, no hardware help needed).
# usage: B=build tests/walls/vm.sh      FORCE=1: also where this kernel has them      VMLINUZ=FILE: a kernel with Landlock
#        VM_CACHE=FOLDER: keeps the kernel that was fetched       LIMIT=SECONDS (300)
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
skip() { echo "ok - walls in a virtual machine # SKIP $*"; echo "0 passed, 0 failed"; exit 0; }
TESTS="test_proc_fence test_proc_seccomp"
for t in $TESTS; do [ -x "$B/tests/unit/$t" ] || skip "$B/tests/unit/$t has not been made"; done
if [ -z "${FORCE:-}" ]; then
	here=$(for t in $TESTS; do CMOCKA_MESSAGE_OUTPUT=TAP "$B/tests/unit/$t" 2>/dev/null; done)
	case $here in *SKIP*) ;; *) skip "this kernel has them";; esac
fi
. tests/vm.sh
vm_ready || skip "$VM_WHY"
R=$(mktemp -d "${TMPDIR:-/tmp}/smb1d-walls-vm.XXXXXX"); trap 'rm -rf "$R"' EXIT
mkdir -p "$R"/root/{bin,etc,proc,sys,tmp,dev,t,usr/lib}
cp "$(command -v busybox)" "$R/root/bin/busybox"
printf 'root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n' > "$R/root/etc/passwd"
printf 'root:x:0:\nnogroup:x:65534:\n' > "$R/root/etc/group"
echo vm > "$R/root/etc/hostname"
for t in $TESTS; do
	cp "$B/tests/unit/$t" "$R/root/t/"
	for l in "$B/tests/unit/$t" "$(command -v busybox)"; do ldd "$l" 2>/dev/null | grep -o '/[^ ]*' ; done
done | sort -u | while read -r l; do mkdir -p "$R/root$(dirname "$l")"; cp -L "$l" "$R/root$l"; done
G=$(dirname "$(find /usr/lib /usr/lib64 -name gconv-modules 2>/dev/null | head -n 1)") # `dos charset`
[ "$G" = . ] || { mkdir -p "$R/root$G"; cp -RL "$G"/gconv-modules* "$G"/IBM850.so "$G"/IBM437.so "$R/root$G/" 2>/dev/null; }
cat > "$R/root/init" <<'I'
#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc; /bin/busybox mount -t sysfs sys /sys; /bin/busybox mount -t tmpfs tmp /tmp
/bin/busybox mount -t devtmpfs dev /dev 2>/dev/null
/bin/busybox chmod 1777 /tmp
for t in /t/*; do CMOCKA_MESSAGE_OUTPUT=TAP $t 2>&1; echo "##$t ended with $?"; done
echo "##ALL"
/bin/busybox poweroff -f
I
chmod 755 "$R/root/init"
( vm_boot "$R/root" "${LIMIT:-300}" lsm=landlock ) </dev/null 2>"$R/err" | tr -d '\r' > "$R/log"
grep -aE "^(not )?ok [0-9]|^# " "$R/log"
p=$(grep -aE '^ok [0-9]' "$R/log" | grep -vc SKIP) f=$(grep -acE '^not ok [0-9]' "$R/log") s=$(grep -ac SKIP "$R/log")
grep -q '^##ALL' "$R/log" || { f=$((f + 1)); tail -n 5 "$R/err" "$R/log"; echo "not ok - the machine did not finish"; }
[ "$s" = 0 ] || { f=$((f + 1)); echo "not ok - a wall is missing in the machine too"; }
echo "$p passed, $f failed"
[ "$f" = 0 ]
