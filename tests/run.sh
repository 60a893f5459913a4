#!/usr/bin/env bash
# The whole test run: lint, unit tests, stories, bit flips, real clients; with CI_FULL=1 also the sanitizer
# build, the codec tests for other machines (32 bits, big-endian) and, where the folder ../shared holds them, the
# shared client scripts.  Ends with one line: N passed, N failed.
set -u
cd "$(dirname "$0")/.." || exit 1
B=${B:-build}
P=0 F=0
L=$(mktemp -d)
trap 'rm -rf "$L"' EXIT

# phase NAME COMMAND...: adds up the last "N passed, N failed" the command prints; an exit status that says
# "failed" without a count is one failure.
phase() {
	local name=$1 rc p f since=$SECONDS; shift
	echo "== $name"
	"$@" >"$L/log" 2>&1; rc=$?
	read -r p f < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed.*/\1 \2/p' "$L/log" | tail -n 1)
	p=${p:-0} f=${f:-0}
	[ $rc != 0 ] && [ "$f" = 0 ] && f=1
	if [ "$f" != 0 ]; then grep -E '^not ok|^FAIL|error|lint:|ERROR|[*][*][*]' "$L/log" | head -40; [ "$p" = 0 ] && tail -20 "$L/log"; fi
	[ $rc = 0 ] && [ "$p" = 0 ] && [ "$f" = 0 ] && p=1
	echo "   $p passed, $f failed, $((SECONDS - since)) s"
	P=$((P + p)) F=$((F + f))
}

phase "lint" make --no-print-directory lint
phase "unit tests" make --no-print-directory B="$B" unit-run
phase "stories" make --no-print-directory B="$B" play-run
phase "docs of what is served" make --no-print-directory B="$B" docs-check
phase "bit flips and cuts" make --no-print-directory B="$B" flip-run
phase "spoiled messages of many clients" make --no-print-directory B="$B" storm-run
phase "random steps against a model" make --no-print-directory B="$B" model-run
phase "stories with messages lost and late" make --no-print-directory B="$B" fault-run
phase "smbclient and curl" env B="$B" bash tests/clients/smbclient.sh
phase "a day of a CORE and of a LANMAN client" env B="$B" bash tests/clients/old.sh
phase "clients that come back" env B="$B" bash tests/clients/gone.sh
phase "local programs on the same files" env B="$B" bash tests/clients/local.sh
phase "encrypted transport" env B="$B" bash tests/clients/encrypt.sh
phase "login policy and why" env B="$B" bash tests/clients/policy.sh
phase "when bytes are on the disk" env B="$B" bash tests/clients/durable.sh
phase "workers of a killed listener" env B="$B" bash tests/clients/orphans.sh
phase "processes that fork processes" env B="$B" bash tests/clients/nursery.sh
phase "reads and writes under bad conditions" env B="$B" bash tests/clients/io.sh
phase "every byte looked at" env B="$B" bash tests/clients/verify.sh
phase "a small disk" env B="$B" bash tests/clients/full.sh
phase "what a client can cost" env B="$B" bash tests/clients/ceilings.sh
phase "figures" env B="$B" bash tests/clients/figures.sh
phase "calls that fail" env B="$B" bash tests/clients/faults.sh
phase "change notify" env B="$B" bash tests/clients/notify.sh
phase "walls" make --no-print-directory B="$B" walls-run
phase "walls in a virtual machine" env B="$B" bash tests/walls/vm.sh
phase "killed processes and damaged databases" env B="$B" bash tests/clients/state.sh
if [ -n "${CI_FULL:-}" ]; then
	phase "walls taken out, some of them" env TEETH_SECONDS=90 bash tests/teeth.sh
	phase "sanitizers" make --no-print-directory asan
	phase "32-bit ARM and big-endian codecs" bash tests/cross.sh
	phase "the Linux kernel's client" env B="$B" bash tests/clients/kernel.sh
	phase "shared client scripts" env B="$B" bash tests/shared.sh
	phase "fuzzing, some seconds each" make --no-print-directory fuzz FUZZ_SECONDS=5
fi
echo "$P passed, $F failed"
[ "$F" = 0 ]
