#!/usr/bin/env bash
# Shared state when processes are killed and lock databases are damaged: see state.py.
cd "$(dirname "$0")/../.." || exit 1
. tests/clients/lib.sh
command -v python3 >/dev/null || { echo "ok - state # SKIP python3 is not installed"; echo "0 passed, 0 failed"; exit 0; }
start_server "" ""
stop_server
chmod 1777 "$SHARE"
python3 tests/clients/state.py "$B" "$DIR" "$NBTPORT" "$@"
