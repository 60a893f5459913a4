#!/usr/bin/env bash
# Calls of the C library that fail, one after the other: see faults.py.  faults.sh [CALL | CALL:ERRNO | PART ...]
# CI_FULL=1: all of them; else each call once.
cd "$(dirname "$0")/../.." || exit 1
. tests/clients/lib.sh
command -v python3 >/dev/null || { echo "ok - faults # SKIP python3 is not installed"; echo "0 passed, 0 failed"; exit 0; }
export PYTHONDONTWRITEBYTECODE=1
${CC:-gcc} -shared -fPIC -O1 -o "$T/fail_nth.so" tests/shim/fail_nth.c -ldl || exit 1
[ $# = 0 ] && [ -z "${CI_FULL:-}" ] && set -- pwrite:ENOSPC pwrite:SHORT pread:EIO fdatasync:EIO open:EMFILE mkdirat:EROFS \
	unlinkat:EIO renameat2:ENOSPC fsetxattr:ENOSPC fork socketpair accept4:EMFILE malloc no_worker clock full_database
export FAIL_CTL=$T/control
head -c 4096 /dev/zero >"$FAIL_CTL"
PRELOAD=$T/fail_nth.so start_server " smb1d: login timeout = 3" ""
chmod 1777 "$SHARE"
# a broken smb.conf: the reload is refused, and what was read before goes on whole (the days below need its share)
cp "$DIR/smb.conf" "$T/good.conf"
sed -i 's/^\[share\]/ security = nonsense\n[other]/' "$DIR/smb.conf"
f "a broken configuration is not taken" "$B/smb1ctl" -s "$DIR/smb.conf" reload
timeout "${LIM:-300}" python3 tests/clients/faults.py 127.0.0.1 "$PORT" "$FAIL_CTL" "$SHARE" "$DIR/log/smb1d.log" "$@" >"$T/out" 2>&1
cp "$T/out" "$T/day"
cat "$T/day"
[ -n "${KEEP:-}" ] && cp "$DIR/log/smb1d.log" "$KEEP"
tail -n 1 "$T/day" | grep -q passed || { tail -n 40 "$DIR/log/smb1d.log"; echo "0 passed, 1 failed"; exit 1; }
read -r p failed < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$T/day")
P=$((P + p)) F=$((F + failed))
f "nor later" "$B/smb1ctl" -s "$DIR/smb.conf" reload
cp "$T/good.conf" "$DIR/smb.conf"
t "the mended one is" "$B/smb1ctl" -s "$DIR/smb.conf" reload
done_
