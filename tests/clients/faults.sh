#!/usr/bin/env bash
# Calls of the C library that fail, one after the other: see faults.py.  faults.sh [CALL | CALL:ERRNO | PART ...]
# CI_FULL=1: all of them; else each call once.
cd "$(dirname "$0")/../.." || exit 1
. tests/clients/lib.sh
command -v python3 >/dev/null || { echo "ok - faults # SKIP python3 is not installed"; echo "0 passed, 0 failed"; exit 0; }
export PYTHONDONTWRITEBYTECODE=1
${CC:-gcc} -shared -fPIC -O1 -o "$T/fail_nth.so" tests/shim/fail_nth.c -ldl || exit 1
[ $# = 0 ] && [ -z "${CI_FULL:-}" ] && set -- pwrite:ENOSPC pwrite:SHORT pread:EIO fdatasync:EIO open:EMFILE mkdirat:EROFS \
	unlinkat:EIO renameat2:ENOSPC fsetxattr:ENOSPC fork socketpair malloc clock full_database
export FAIL_CTL=$T/control
head -c 4096 /dev/zero >"$FAIL_CTL"
PRELOAD=$T/fail_nth.so start_server "" ""
chmod 1777 "$SHARE"
timeout "${LIM:-300}" python3 tests/clients/faults.py 127.0.0.1 "$PORT" "$FAIL_CTL" "$SHARE" "$DIR/log/smb1d.log" "$@" >"$T/out" 2>&1
rc=$?
cat "$T/out"
[ -n "${KEEP:-}" ] && cp "$DIR/log/smb1d.log" "$KEEP"
tail -n 1 "$T/out" | grep -q passed || { tail -n 40 "$DIR/log/smb1d.log"; echo "0 passed, 1 failed"; exit 1; }
exit $rc
