#!/bin/sh
# Runs test programs one after the other: a line each, and "N passed, N failed" at the end.  A program that dies
# or says nothing counts as one failure.
passed=0 failed=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
for t in "$@"; do
	CMOCKA_MESSAGE_OUTPUT=TAP "$t" >"$log" 2>&1
	rc=$?
	p=$(grep -c '^ok [0-9]' "$log")
	f=$(grep '^not ok [0-9]' "$log" | grep -vc '# SKIP')
	s=$(grep -c '# SKIP' "$log")
	if [ "$rc" != 0 ] && [ "$f" = 0 ] || [ $((p + f + s)) = 0 ]; then
		f=$((f + 1))
	fi
	passed=$((passed + p)) failed=$((failed + f))
	if [ "$f" = 0 ]; then
		echo "ok - $(basename "$t"): $p passed"
	else
		echo "not ok - $(basename "$t"): $p passed, $f failed (exit status $rc)"
		grep -v -e '^ok ' -e '# SKIP' "$log" | tail -n 40
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
