#!/usr/bin/env bash
# Builds the codec tests (cursors, wire, statuses, clock; what turns bytes into numbers) for 32-bit ARM and
# big-endian s390x with Debian's cross compilers and runs them under qemu-user.
# CROSS="cc:qemu ..." names others.  Needs nothing but libc there, so these tests use no cmocka.
set -u
cd "$(dirname "$0")/.." || exit 1
P=0 F=0
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	for p in gcc-arm-linux-gnueabihf gcc-s390x-linux-gnu libc6-dev-armhf-cross libc6-dev-s390x-cross qemu-user; do
		dpkg-query -W -f '${Status}' $p 2>/dev/null | grep -q 'ok installed' ||
			DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $p >/dev/null 2>&1
	done
fi
run() { # compiler qemu
	command -v "$1" >/dev/null && command -v "$2" >/dev/null || { echo "ok - $1 # SKIP not installed"; return; }
	if "$1" -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Wconversion -Werror -Isrc -Itests/wire/stub -static -o "$W/codec" \
		tests/wire/codec.c src/wire/frame.c src/base/status.c src/base/clock.c >"$W/log" 2>&1 &&
		"$2" "$W/codec" >>"$W/log" 2>&1; then
		P=$((P + 1)); echo "ok - $1: $(tail -n 1 "$W/log")"
	else
		F=$((F + 1)); echo "not ok - $1: $(tail -n 3 "$W/log")"
	fi
}
run gcc /usr/bin/env
run arm-linux-gnueabihf-gcc qemu-arm
run s390x-linux-gnu-gcc qemu-s390x
echo "$P passed, $F failed"
[ "$F" = 0 ]
