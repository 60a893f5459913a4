#!/usr/bin/env bash
# run.sh "SEED ..." STORY ...: plays the stories once for each seed, with the messages between workers disturbed.
seeds=$1; shift
passed=0 failed=0
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
for seed in $seeds; do
	FAULT_SEED=$seed LD_PRELOAD=$(cd "$B" && pwd)/fault.so "$B/play" "$@" >"$out" 2>&1
	echo "seed $seed: $(grep '^#' "$out" | tail -n 1)"
	grep '^not ok' "$out"
	read -r p f < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed.*/\1 \2/p' "$out")
	passed=$((passed + ${p:-0})) failed=$((failed + ${f:-1}))
	grep -q '^# of [1-9]' "$out" || { echo "not ok - seed $seed: no message was disturbed"; failed=$((failed + 1)); }
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
