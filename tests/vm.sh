# Sourced by tests that need another kernel than this machine's: the distribution's own in qemu, without hardware help, with
# a root in memory.
#   vm_ready || skip "$VM_WHY"       the tools and the kernel package are there; $VMLINUZ, which may also be given
#   vm_modules ROOT MODULE...        these modules and what they need; ROOT/modules lists them in the order of loading
#   vm_boot ROOT SECONDS MORE [QEMU ARGUMENTS]   boots it, MORE goes to the kernel; /init runs; its console is input and output
# VM_CACHE keeps the unpacked kernel package.
VM_CACHE=${VM_CACHE:-${TMPDIR:-/tmp}/smb1d-kernel}

vm_ready() {
	local tool package
	[ "$(uname -m)" = x86_64 ] || { VM_WHY="not on $(uname -m)"; return 1; }
	for tool in qemu-system-x86_64 busybox gzip; do
		command -v $tool >/dev/null || { VM_WHY="no $tool"; return 1; }
	done
	[ -n "${VMLINUZ:-}" ] && return
	mkdir -p "$VM_CACHE" || { VM_WHY="no folder $VM_CACHE"; return 1; }
	VMLINUZ=$(ls "$VM_CACHE"/kernel/boot/vmlinuz-* 2>/dev/null | head -n 1)
	[ -n "$VMLINUZ" ] && return
	package=$(apt-cache depends linux-image-amd64 2>/dev/null | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	[ -n "$package" ] || { VM_WHY="no package linux-image-amd64 is known here"; return 1; }
	( cd "$VM_CACHE" && apt-get download "$package" >/dev/null 2>&1 && dpkg-deb -x "$package"_*.deb kernel; rm -f "$package"_*.deb )
	VMLINUZ=$(ls "$VM_CACHE"/kernel/boot/vmlinuz-* 2>/dev/null | head -n 1)
	[ -n "$VMLINUZ" ] || { VM_WHY="the package $package cannot be had"; return 1; }
}

vm_modules() {
	local root=$1 name file kernel=$VM_CACHE/kernel version PATH=$PATH:/usr/sbin:/sbin; shift
	version=${VMLINUZ##*/vmlinuz-}
	[ -f "$kernel/lib/modules/$version/modules.dep.bin" ] || depmod -b "$kernel" "$version" || return
	mkdir -p "$root/modules.d"
	for name in "$@"; do
		modprobe -d "$kernel" -S "$version" --show-depends "$name" 2>/dev/null
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r file; do
		cp "$file" "$root/modules.d/" && basename "$file"
	done > "$root/modules"
}

vm_boot() {
	local root=$1 seconds=$2 more=$3; shift 3
	( cd "$root" && find . | busybox cpio -o -H newc 2>/dev/null | gzip -1 ) > "$root.initrd"
	exec timeout -k 5 "$seconds" qemu-system-x86_64 -M q35 -accel tcg -cpu max -m 512 -smp 1 -nodefaults -no-user-config \
		-display none -no-reboot -kernel "$VMLINUZ" -initrd "$root.initrd" -serial stdio "$@" \
		-append "console=ttyS0 quiet panic=-1 edd=off mitigations=off random.trust_cpu=on $more"
}
