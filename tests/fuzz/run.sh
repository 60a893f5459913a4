#!/bin/sh
# run.sh BUILD PLAY SECONDS HARNESS...: each harness for some seconds, its corpus kept in BUILD/corpus/NAME.  Seeds: the
# stories' recordings for the frames, a few small inputs for the others.  Input that broke something stays in
# BUILD/found.  Ends with "N passed, N failed".
build=$1 play=$2 seconds=$3
shift 3
passed=0 failed=0
export TALLOC_FREE_FILL=0xdd # see asan in the Makefile
mkdir -p "$build/found" "$build/corpus"
chmod 777 "$build/found" "$build/corpus" # as root the harnesses go on as nobody

seeds() { # NAME DIR
	case $1 in
	fuzz_frames)
		"$play" --corpus "$2" tests/play/*.story >/dev/null
		printf L >"$2/logged-in"
		;;
	fuzz_many)
		"$play" --scripts "$2" tests/play/*.story tests/multi/*.story >/dev/null
		;;
	fuzz_conf)
		printf '[global]\nworkgroup = W\nhosts allow = 192.168. EXCEPT 10.0.0.0/8\n[data]\npath = /srv/%%U\nread only = no\n' >"$2/small"
		cp conf/*.conf "$2/" 2>/dev/null
		;;
	fuzz_spnego)
		printf '\050\000NTLMSSP\000\001\000\000\000\025\202\010\142\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' >"$2/raw"
		;;
	fuzz_rpc)
		printf '\010\377\000\000WrLeh\000B13BWz\000\001\000\000\020' >"$2/rap"
		# a bind of lsarpc and a call, on the third pipe
		printf '\111\000\005\000\013\003\020\000\000\000\110\000\000\000\001\000\000\000\270\020\270\020\000\000\000\000\001\000\000\000\000\000\001\000\170\127\064\022\064\022\315\253\357\000\001\043\105\147\211\253\000\000\000\000\004\135\210\212\353\034\311\021\237\350\010\000\053\020\110\140\002\000\000\000\005\000\000\003\020\000\000\000\050\000\000\000\002\000\000\000\020\000\000\000\000\000\055\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' >"$2/lsarpc"
		;;
	fuzz_sealed)
		for k in T R r S s; do printf %s "$k" >"$2/$k"; done
		printf 'T\050NTLMSSP\000\001\000\000\000\065\202\010\142\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' >"$2/token"
		printf 's\044\053\000\000\000\000\030\001\100\000\000\000\000\000\000\000\000\000\000\000\000\001\000\000\000\001\000\001\000\001\001\000\001\000x' >"$2/echo"
		;;
	fuzz_orders)
		for k in r p a h y i c w m s d; do printf '%s\001' $k >"$2/$k"; done
		printf 'h\003\000abc\003\000def' >"$2/hello"
		printf 'r\001\005\000print%s' "$(for _ in 1 2 3 4 5 6 7 8; do printf '\001\001x'; done)" >"$2/run"
		printf 'wlpr -P %%p "%%s"; rm %%s' >"$2/command"
		printf 'm!anna = "Anna Meier" ameier\nstaff = @office *\n' >"$2/map"
		printf 'sanna:1000:XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX:0123456789ABCDEF0123456789ABCDEF:[U          ]:LCT-00000000:\n' >"$2/passwd"
		;;
	fuzz_records)
		for k in q v c t h w; do printf '%s\001' $k >"$2/$k"; done
		;;
	esac
	chmod -R a+rwX "$2"
}

for harness in "$@"; do
	name=$(basename "$harness")
	dir=$build/corpus/$name
	mkdir -p "$dir"
	chmod 777 "$dir"
	seeds "$name" "$dir"
	if "$harness" -max_total_time="$seconds" -max_len=16384 -timeout=20 -rss_limit_mb=1500 \
		-print_final_stats=1 -artifact_prefix="$build/found/$name-" "$dir" >"$build/$name.log" 2>&1; then
		passed=$((passed + 1))
		echo "ok - $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log") inputs"
	else
		failed=$((failed + 1))
		echo "not ok - $name"
		grep -E 'ERROR|runtime error|SUMMARY|panic|    #[0-9] ' "$build/$name.log" | head -n 25
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
