#!/bin/busybox sh
# First process of the virtual machine (kernel.sh): mounts the share over and over, each time twice, runs the file tests,
# asks the host to break things ("##ASK what", answered by a line), powers off.
/bin/busybox --install -s /bin
export PATH=/bin
mkdir -p /m1 /m2 /m3 /sbin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev; mount -t tmpfs tmp /tmp
exec </dev/console >/dev/console 2>&1
stty -echo
echo 3 > /proc/sys/kernel/printk
. /settings # PORT SHARE USER PASS MODES ONLY
while read -r m; do insmod "/modules.d/$m" || echo "# module $m is refused"; done < /modules
ip link set lo up; ip link set eth0 up; ip addr add 10.0.2.15/24 dev eth0

ok() { echo "ok - $MODE: $*"; }
no() { echo "not ok - $MODE: $*"; }
t() { d=$1; shift; if "$@" >/tmp/out 2>&1; then ok "$d"; else no "$d: $(tail -n 1 /tmp/out)"; fi; }
f() { d=$1; shift; if "$@" >/tmp/out 2>&1; then no "$d: it succeeded"; else ok "$d"; fi; }
ask() { echo "##ASK $*"; read -r answer; }
mounted() { mount -t cifs "//10.0.2.2/$1" "$2" -o "ip=10.0.2.2,port=$PORT,vers=1.0,user=$USER,pass=${4:-$PASS},nosharesock,$3"; }
holds() { [ "$(cat "$1")" = "$2" ]; }

# a path of the share written by one session, read by the other, and a long file's checksum
stream() {
	dd if=/dev/urandom of=/tmp/stream bs=1M count=24 2>/dev/null
	sum=$(md5sum < /tmp/stream)
	t "24 MiB in blocks of 1 MiB" dd if=/tmp/stream of=/m1/d/stream bs=1M conv=fsync
	t "their checksum, read by the other session" sh -c "[ \"\$(md5sum < /m2/d/stream)\" = '$sum' ]"
	rm -f /m1/d/stream /tmp/stream
}

tree() {
	mkdir -p /tmp/tree/a/b /tmp/tree/c
	for i in $(seq 20); do seq "$((i * 300))" > "/tmp/tree/a/$i"; cp "/tmp/tree/a/$i" "/tmp/tree/a/b/$i"; done
	tar cf /tmp/tree.tar -C /tmp tree
	t "a tree is unpacked" tar xf /tmp/tree.tar -C /m1/d
	t "the other session sees the same" diff -r /tmp/tree /m2/d/tree
	t "it is removed" rm -rf /m1/d/tree
	rm -rf /tmp/tree
}

# The connections end in three ways; open files, new files and a lock work on.
reconnect() {
	echo before > /m1/d/open; : > /m1/d/lock
	exec 7<>/m1/d/open
	files hold /m1/d/lock & holder=$!
	sleep 1
	f "a lock keeps the other session out" files try /m2/d/lock
	for how in "the workers are killed" "the daemon is restarted" "the share is closed"; do
		ask "$how"
		[ "$answer" = done ] || no "the host could not help: $how ($answer)"
		t "$how: a new file" sh -c "echo after > /m1/d/new"
		t "$how: the other session reads it" holds /m2/d/new after
		t "$how: the open file is written" sh -c "echo '$how' >&7"
		t "$how: and read by the other" grep -qx "$how" /m2/d/open
		sleep 1
		f "$how: the lock is still held" files try /m2/d/lock
		rm -f /m1/d/new
	done
	exec 7>&-
	kill $holder; wait $holder
	t "the lock is free when its holder has gone" files try /m2/d/lock
}

# Locks of a program on the host, which sees the share as a folder
local_locks() {
	: > /m1/d/local; exec 7<>/m1/d/local
	ask "lock d/local"
	f "a host's lock keeps a client out" files try /m1/d/local
	ask "unlock"
	t "until it is given back" files try /m1/d/local
	exec 7>&-; exec 7<>/m2/d/local # with an oplock the client would keep its locks to itself
	files hold /m1/d/local & holder=$!
	sleep 1
	ask "try d/local"
	[ "$answer" = refused ] && ok "a client's lock keeps the host out" || no "a client's lock keeps the host out: $answer"
	kill $holder; wait $holder
	ask "try d/local"
	[ "$answer" = granted ] && ok "until it is given back by the client" || no "until it is given back by the client: $answer"
	exec 7>&-
}

options() {
	for o in sec=ntlmssp sec=ntlmsspi sec=ntlmv2 sign cache=none cache=loose rsize=4096,wsize=4096 rsize=130048,wsize=65536 \
		nobrl nocase noposixpaths forcemandatorylock noserverino nounix,sfu nounix,mfsymlinks nounix,mapchars; do
		MODE=options
		t "$o" sh -c "mount -t cifs //10.0.2.2/$SHARE /m3 -o ip=10.0.2.2,port=$PORT,vers=1.0,user=$USER,pass=$PASS,nosharesock,$o &&
			seq 30000 > /m3/o1 && seq 30000 | cmp - /m3/o1 && seq 30000 | cmp - /m1/o1 && mv /m3/o1 /m3/o2 && ls -l /m3 | grep -q o2 && rm /m3/o2"
		umount /m3 2>/dev/null
	done
	f "a wrong password" mounted "$SHARE" /m3 rw wrong
	f "an unknown share" mounted nothing /m3 rw
	t "a folder below the share" sh -c "mkdir -p /m1/d/pre/fix && echo here > /m1/d/pre/fix/f"
	t "is mounted" mounted "$SHARE/d/pre/fix" /m3 rw
	t "and read" holds /m3/f here
	umount /m3
}

for MODE in $MODES; do
	o=rw; [ $MODE = nounix ] && o=nounix
	t "mount" mounted "$SHARE" /m1 $o
	t "another session" mounted "$SHARE" /m2 $o,actimeo=0
	if [ $MODE = unix ]; then
		t "the unix extensions are used" grep -q ' /m1 .*,unix,posixpaths' /proc/mounts
	else
		f "the unix extensions are not used" grep -q ' /m1 .*,unix' /proc/mounts
	fi
	mkdir /m1/d
	files all /m1/d /m2/d $MODE "$ONLY"
	[ -n "$ONLY" ] && continue
	stream
	tree
	[ $MODE = unix ] && local_locks
	[ $MODE = unix ] && { options; MODE=unix; }
	reconnect
	t "nothing is left" rm -r /m1/d
	t "umount" umount /m1
	t "umount of the other" umount /m2
done
MODE=kernel
dmesg | grep -E 'CIFS|cifs' | sed 's/^\[[^]]*\] //' | sort | uniq -c | sort -rn | head -n 8 | sed 's/^/# /'
f "no warning" sh -c "dmesg | grep -E 'BUG:|Oops|WARNING:|Call Trace'"
echo "##END"
poweroff -f
