#!/bin/sh
# Installs what the build and the tests need on Debian and Ubuntu; elsewhere says what that is.
# BARE=1: only what the daemon needs.  Nothing happens when all is there.
need_build="gcc libc6-dev make libevent-dev libtdb-dev libtalloc-dev libpopt-dev libiniparser-dev nettle-dev"
need_test="libcmocka-dev smbclient curl cppcheck python3 procps"
need="$need_build"
[ -n "$BARE" ] || need="$need $need_test"
if ! command -v dpkg-query >/dev/null 2>&1; then
	ok=1
	for h in event2/event.h tdb.h talloc.h popt.h nettle/md4.h; do
		[ -e /usr/include/$h ] || ok=0
	done
	[ $ok = 1 ] || echo "smb1d needs the development files of libevent, tdb, talloc, popt, iniparser and nettle; please install them" >&2
	exit 0
fi
missing=
for p in $need; do
	dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" != 0 ]; then
	echo "these packages are missing:$missing; as root: apt-get install$missing" >&2
	exit 1
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1 ||
	{ apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing >/dev/null; }
