#!/usr/bin/env bash
# What a compiler does not see: the ladder of rooms, option table against manual, functions that grew too
# long, cppcheck.  Exit 1 if a rule is broken.  (Warnings as errors: `make lint` builds first.)
set -u
cd "$(dirname "$0")/.." || exit 1
bad=0
say() { echo "lint: $*"; bad=1; }

# 1. The ladder: a room includes itself and lower floors.
declare -A floor=([base]=0 [wire]=1 [conf]=1 [db]=1 [fs]=2 [auth]=2 [fastio]=2 [rpc]=2 [srv]=3 [cmd]=4 [proc]=5 [ctl]=5)
while IFS=: read -r file _ inc; do
	room=${file#src/}; room=${room%%/*}
	[ -n "${floor[$room]:-}" ] || continue
	to=${inc#*\"}; to=${to%%/*}
	[ -n "${floor[$to]:-}" ] || continue
	[ "$room" = "$to" ] && continue
	[ "${floor[$to]}" -lt "${floor[$room]}" ] || say "$file includes $to: not on a lower floor"
done < <(grep -n '^#include "[a-z]*/' -r src --include='*.[ch]')

# 2. Nothing above fs opens paths; nothing casts a struct onto a message.
grep -nE '\b(open|openat|fopen|rename|unlink|mkdir|stat|lstat|opendir)\(' src/cmd/*.c src/cmd/*/*.c src/srv/*.c src/rpc/*.c src/wire/*.c |
	grep -vE '^\S+:[0-9]+:\s*(/?\*|//)|(fs|req|search|rpc)_' | grep -v '^[^:]*:[0-9]*:static' && say "a room above fs touches paths"
grep -rnE '\b(system|popen|strcpy|strcat|sprintf|gets|alloca)\(' src && say "a call we do not use"
grep -rnE 'TODO|FIXME|\bXXX\b' src tests --include='*.[ch]' && say "something was left open"

# 3. The longest functions (a screen is about 60 lines; none above 90).
awk 'FNR==1{infn=0} /^[a-zA-Z].*\)$/ && !/;$/{name=$0; start=FNR} /^\{/{infn=1; b=FNR} /^\}/{if(infn){n=FNR-b+1; print n, FILENAME, name; infn=0}}' \
	$(find src -name '*.c') | sort -rn > /tmp/smb1d-longest.$$
echo "longest functions:"; head -5 /tmp/smb1d-longest.$$ | sed 's/^/  /'
awk '$1>90' /tmp/smb1d-longest.$$ | grep . && say "functions above 90 lines"
rm -f /tmp/smb1d-longest.$$

# 4. cppcheck
if command -v cppcheck >/dev/null; then
	dir=${BUILD:-build}/cppcheck; mkdir -p "$dir" # what has not changed since is not looked at again
	cppcheck -q --cppcheck-build-dir="$dir" --std=c11 -j2 --inline-suppr --enable=warning,portability --error-exitcode=1 -Isrc -Iinclude \
		--suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches --suppress=toomanyconfigs \
		-D__x86_64__ -D__linux__ src >/tmp/smb1d-cppcheck.$$ 2>&1 || { cat /tmp/smb1d-cppcheck.$$; say "cppcheck"; }
	rm -f /tmp/smb1d-cppcheck.$$
else
	echo "lint: cppcheck is not installed, skipped"
fi
[ $bad = 0 ] && echo "lint: clean"
exit $bad
