#!/bin/sh
# coverage.sh BUILD CORPUS HARNESS...: which lines of each room the corpora reach.  BUILD/NAME are built with clang's
# -fprofile-instr-generate -fcoverage-mapping; CORPUS/NAME are what `make fuzz` has collected.  -v (in COVERAGE_FLAGS): each
# file, the least covered first.
build=$1 corpus=$2
shift 2
rm -rf "$build/profiles"
mkdir -p "$build/profiles"
chmod 777 "$build/profiles"
objects=
for name in "$@"; do
	objects="$objects -object $build/$name"
	: >"$build/profiles/$name"
	chmod 666 "$build/profiles/$name" # as root the harnesses go on as nobody
	LLVM_PROFILE_FILE="$build/profiles/$name" "$build/$name" -runs=0 -max_len=65536 -rss_limit_mb=0 "$corpus/$name" \
		>"$build/$name.log" 2>&1 || { echo "not ok - $name"; tail -n 5 "$build/$name.log"; }
done
llvm-profdata merge -sparse "$build"/profiles/* -o "$build/all.profdata" || exit 1
llvm-cov export -summary-only ${objects#*-object} -instr-profile="$build/all.profdata" >"$build/coverage.json" || exit 1
python3 - "$build/coverage.json" ${COVERAGE_FLAGS:-} <<'P'
import json
import sys

rooms, files = {}, []
for f in json.load(open(sys.argv[1]))["data"][0]["files"]:
    parts = f["filename"].split("src/")
    lines = f["summary"]["lines"]
    if len(parts) < 2 or not f["filename"].endswith(".c"):
        continue
    where = parts[-1].split("/")
    room = "auth, the talking half" if where[0] == "auth" and where[1] in (
        "talk.c", "ntlmssp.c", "spnego.c", "record.c") else where[0]
    n = rooms.setdefault(room, [0, 0])
    n[0] += lines["covered"]
    n[1] += lines["count"]
    files.append((lines["percent"], parts[-1], lines["count"]))
print("| room | lines | reached |\n|---|---|---|")
for room, (covered, count) in sorted(rooms.items()):
    print("| %s | %d | %.1f %% |" % (room, count, 100 * covered / count))
if "-v" in sys.argv:
    for f in sorted(files):
        print("%5.1f %% of %4d  %s" % (f[0], f[2], f[1]))
P
