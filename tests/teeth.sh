#!/usr/bin/env bash
# Have the tests teeth?  Takes each wall, ceiling and mend out of the source, one at a time, and sees that the test named beside
# it fails (tests/teeth.tsv).  In a copy of the tree; the tree itself is only read.
# usage: tests/teeth.sh [WORD ...]      only rows in which one of the words is found      CC, KEEP=FOLDER for the tests' words
# TEETH_SECONDS: rows by chance until that time is over, others the next time (all of them take most of an hour)
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-gcc}
T=$(mktemp -d "${TMPDIR:-/tmp}/smb1d-teeth.XXXXXX")
chmod 755 "$T" # the tests' users must be able to pass
trap 'rm -rf "$T"' EXIT
P=0 F=0
git ls-files -z | xargs -0 cp --parents -pt "$T" || exit 1
[ -d build ] && cp -a build "$T/build"
cd "$T" || exit 1
export B=build CC LIM=90 # seconds for a test that waits for what will not come
build() { make --no-print-directory CC="$CC" "$@" >"$T/made" 2>&1; }
needs() { # what the test of a row needs built
	case $1 in
		unit) echo "build/tests/unit/$2";;
		story) echo build/play;;
		*) echo all build/smb1d-walls;;
	esac
}
run() {
	local kind=$1; shift
	case $kind in
		unit) timeout "$LIM" "build/tests/unit/$1";;
		story) timeout "$LIM" build/play "tests/play/$1.story";;
		multi) timeout "$LIM" build/play "tests/multi/$1.story";;
		*) bash "tests/clients/$kind.sh" "$@";;
	esac >"$T/said" 2>&1
}
declare -A sound
order() { if [ -n "${TEETH_SECONDS:-}" ]; then shuf tests/teeth.tsv; else cat tests/teeth.tsv; fi; }
while IFS=$'\t' read -r what file edit test; do
	case $what in ''|'#'*) continue;; esac
	[ -n "${TEETH_SECONDS:-}" ] && [ $SECONDS -ge "$TEETH_SECONDS" ] && break
	if [ $# -gt 0 ]; then
		grep -qE "$(IFS='|'; echo "$*")" <<< "$what $file $test" || continue
	fi
	read -ra words <<< "$test"
	if [ -z "${sound[$test]:-}" ]; then # it passes as things are
		build $(needs "${words[@]}") && run "${words[@]}" && sound[$test]=yes || sound[$test]=no
	fi
	cp -p "$file" "$T/kept"
	sed -i -E "$edit" "$file"
	if [ "${sound[$test]}" = no ]; then
		verdict="$test fails anyway"
	elif cmp -s "$file" "$T/kept"; then
		verdict="nothing is changed by $edit"
	elif ! build $(needs "${words[@]}"); then
		verdict="cannot be built: $(grep -m 1 error "$T/made")"
	elif run "${words[@]}"; then
		verdict="$test does not notice"
	else
		verdict=
	fi
	if [ -z "$verdict" ]; then
		P=$((P + 1)); echo "ok - without it $test fails: $what"
		grep -m 3 -E '^not ok|^FAIL|ERROR|FAILED' "$T/said" | sed 's/^/#   /' | cut -c1-160
	else
		F=$((F + 1)); echo "not ok - $what: $verdict"
	fi
	cp -p "$T/kept" "$file"; touch "$file"
done < <(order)
echo "$P passed, $F failed"
[ "$F" = 0 ]
