#!/bin/sh
# run.sh - make bench: our daemon beside an ideal server and Samba, where that is installed and we are root, turn by
# turn, on the same files in memory.
#
#   B=build BENCH_ROUNDS=5 BENCH_SECONDS=0.5 BENCH_ONLY='echo|stat' BENCH_OUT=docs BENCH_PEER=no sh tests/bench/run.sh
#
# CPU time is that of the server's whole process tree (/proc), the median of the rounds.  System calls are counted
# by perf or strace and instructions by callgrind where they are installed: both as the difference between a long and a
# short run, so that login and start do not count.  Writes $BENCH_OUT/bench.md, bench.svg and bench-peer.svg (default:
# docs) after a full run, and prints the table.  A peer that does not start, or fails in a mode, is "-" there.
B=${B:-build}
rounds=${BENCH_ROUNDS:-5} secs=${BENCH_SECONDS:-0.5} only=${BENCH_ONLY:-.}
out=${BENCH_OUT:-docs}
here=$(cd "$(dirname "$0")" && pwd)
B=$(cd "$B" && pwd) || exit 1
base=/dev/shm; [ -w $base ] || base=${TMPDIR:-/tmp}
D=$(mktemp -d $base/smb1d-bench.XXXXXX) || exit 1
port=${BENCH_PORT:-14450} iport=$((${BENCH_PORT:-14450} + 1))
pids=
trap 'kill $pids 2>/dev/null; wait 2>/dev/null; rm -rf "$D"' EXIT
trap 'exit 1' INT TERM

chmod 755 "$D"
user=$(id -un) as=
if [ "$user" = root ]; then
	user=nobody
	as="setpriv --reuid=nobody --regid=$(id -g nobody) --clear-groups"
fi

# ---- the files and the daemon ----
mkdir -p "$D/share/find10" "$D/share/find1000" "$D/share/find10000" "$D/share/find100000" "$D/cg"
for n in 10 1000 10000 100000; do
	( cd "$D/share/find$n" && seq -f 'Document number %06.0f.doc' $n | xargs -d '\n' touch )
done
dd if=/dev/zero of="$D/ideal.dat" bs=1M count=16 2>/dev/null
chmod -R a+rwX "$D"

conf() { # conf NAME PORT: a configuration whose files lie in $D/NAME
	mkdir -p "$D/$1/lock" "$D/$1/state" "$D/$1/cache" "$D/$1/pid" "$D/$1/private"
	cat > "$D/$1/smb.conf" <<-EOF
	[global]
	 netbios name = BENCH
	 workgroup = WORKGROUP
	 smb ports = $2
	 bind interfaces only = yes
	 interfaces = 127.0.0.1/8
	 map to guest = Bad User
	 guest account = $user
	 lock directory = $D/$1/lock
	 state directory = $D/$1/state
	 cache directory = $D/$1/cache
	 pid directory = $D/$1/pid
	 private dir = $D/$1/private
	 log file = $D/$1/log
	 log level = 0
	 server signing = disabled
	 socket options = TCP_NODELAY
	 use sendfile = yes
	 max xmit = 65535
	[share]
	 path = $D/share
	 read only = no
	 guest ok = yes
	 case sensitive = yes
	 mangled names = no
	 store dos attributes = no
	 ea support = no
	 strict locking = no
	 strict sync = no
	[cases]
	 copy = share
	 case sensitive = no
	EOF
	printf 'bench1\nbench1\n' | "$B/smb1ctl" -s "$D/$1/smb.conf" passwd -a -i "$user" >/dev/null || exit 1
}

await() { # until something listens on the port
	i=0
	while [ $i -lt 150 ]; do
		"$B/bench/load" -i -p "$1" -n 0 -t 0 echo >/dev/null 2>&1 && return 0
		sleep 0.2
		i=$((i + 1))
	done
	echo "nothing listens on port $1" >&2
	exit 1
}

conf main $port
"$B/smb1d" -F -s "$D/main/smb.conf" & daemon=$!
"$B/bench/ideal" $iport "$D/ideal.dat" & ideal=$!
pids="$daemon $ideal"
await $port
await $iport

# ---- Samba with what makes it fast, and with what we do and do not do here ----
peer_conf() {
	mkdir -p "$D/peer/lock" "$D/peer/state" "$D/peer/cache" "$D/peer/pid" "$D/peer/private" "$D/peer/rpc" "$D/peer/log"
	cat > "$D/peer/smb.conf" <<-EOF
	[global]
	 netbios name = BENCH
	 workgroup = WORKGROUP
	 server min protocol = NT1
	 server max protocol = NT1
	 ntlm auth = yes
	 smb ports = $pport
	 bind interfaces only = yes
	 interfaces = 127.0.0.1
	 lock directory = $D/peer/lock
	 state directory = $D/peer/state
	 cache directory = $D/peer/cache
	 pid directory = $D/peer/pid
	 private dir = $D/peer/private
	 ncalrpc dir = $D/peer/rpc
	 log file = $D/peer/log/log
	 log level = 0
	 load printers = no
	 disable spoolss = yes
	 server signing = disabled
	 socket options = TCP_NODELAY
	 use sendfile = yes
	 min receivefile size = 16384
	 aio read size = 0
	 aio write size = 0
	 max xmit = 65535
	 unix extensions = no
	 kernel change notify = no
	 change notify = no
	 dbwrap_tdb_mutexes:* = yes
	[share]
	 path = $D/share
	 read only = no
	 case sensitive = yes
	 mangled names = no
	 store dos attributes = no
	 map archive = no
	 ea support = no
	 nt acl support = no
	 wide links = yes
	 posix locking = no
	 strict locking = no
	 strict sync = no
	 kernel oplocks = no
	[cases]
	 copy = share
	 case sensitive = no
	EOF
}
pport=$((port + 3)) peer=
if [ "${BENCH_PEER:-}" != no ] && [ "$(id -u)" = 0 ] && command -v smbd >/dev/null && command -v pdbedit >/dev/null; then
	peer_conf
	printf 'bench1\nbench1\n' | pdbedit -s "$D/peer/smb.conf" -a -t -u "$user" >/dev/null 2>&1
	smbd -F --no-process-group -s "$D/peer/smb.conf" </dev/null >/dev/null 2>&1 & peer=$!
	pids="$pids $peer"
	( await $pport ) 2>/dev/null || { echo "smbd is installed and does not answer: left out" >&2; peer=; }
fi
peer_is="not there"
[ -z "$peer" ] || peer_is="$(smbd -V | sed 's/^Version //') with the settings in tests/bench/run.sh, the fastest for this"
ask_peer() { "$B/bench/load" -p $pport -u "$user%bench1" -P $peer "$@" 2>/dev/null; }
load() { "$B/bench/load" -p $port -u "$user%bench1" -P $daemon "$@"; }

# ---- what is measured: label | arguments | has an ideal | what one is | operations when counting ----
modes() {
	cat <<-EOF | grep -E "^($only)" | tr ' ' '\001' | sed 's/|/ /g'
	echo|echo|1|op|1000
	read 60K|readx|1|op|1000
	read 60K, 4 in flight|-d 4 readx|1|op|1000
	read 4K|-s 4096 readx|1|op|1000
	core read 4K|-s 4096 read|1|op|1000
	write 60K|writex|1|op|1000
	write 4K|-s 4096 writex|1|op|1000
	raw read 64K|-s 65535 readraw|1|op|1000
	raw write 64K|-s 65535 writeraw|1|op|1000
	stat|stat|0|op|1000
	miss among 10 names|-S cases -D find10 miss|0|op|1000
	miss among 100000|-S cases -D find100000 miss|0|op|1000
	open + close|open|0|op|1000
	lock + unlock|lock|0|op|1000
	list 10|-D find10 -e 10 find|0|12 entries|100
	list 1000|-D find1000 -e 1000 find|0|1002 entries|5
	list 10000|-D find10000 -e 10000 find|0|10002 entries|2
	list 100000|-D find100000 -e 100000 find|0|100002 entries|1
	connect|connect|0|op|20
	EOF
}
words() { echo "$1" | tr '\001' ' '; }
median() { sort -g | awk '{ v[NR] = $1 } END { print NR ? v[int((NR + 1) / 2)] : "-" }'; }

# calls ARGS N: system calls of one operation.  perf disturbs little; under strace a client is so much quicker than the
# server that its next request is always there, which saves waits.
how=none
if command -v perf >/dev/null && perf stat -x, -e raw_syscalls:sys_enter -- true >/dev/null 2>&1; then
	how=perf
elif command -v strace >/dev/null; then
	how=strace
fi
calls() {
	[ $how != none ] || { echo -; return; }
	all="$daemon $(pgrep -P $daemon | tr '\n' ' ')" # those who fork the others are there already
	for n in $2 $(($2 * 3)); do
		if [ $how = perf ]; then
			perf stat -x, -e raw_syscalls:sys_enter -p "$(echo $all | tr ' ' ,)" -o "$D/calls.$n" 2>/dev/null & tracer=$!
		else
			strace -f -qq -c -o "$D/calls.$n" -p "$all" 2>/dev/null & tracer=$!
		fi
		sleep 0.5
		load -n $n $1 >/dev/null 2>&1
		sleep 0.3
		kill -INT $tracer 2>/dev/null
		wait $tracer 2>/dev/null
	done
	awk -v n=$2 '/raw_syscalls/ { split($0, field, ","); c[FILENAME] = field[1] }
		$NF == "total" { c[FILENAME] = $4 } # time, seconds, us a call, calls, errors
		END { for (f in c) t[++k] = c[f]; d = t[1] - t[2]; printf "%.2f\n", (d < 0 ? -d : d) / 2 / n }' \
		"$D/calls.$2" "$D/calls.$(($2 * 3))"
}

# instructions ARGS N: of one operation in user space; of a daemon of its own under valgrind
instructions() {
	command -v valgrind >/dev/null && [ -x "$B/bench/smb1d-count" ] || { echo -; return; }
	[ "$1" != connect ] || { echo -; return; } # under valgrind processes come about in another way
	for n in $2 $(($2 * 3)); do
		rm -rf "$D/cg" "$D/count"
		mkdir "$D/cg"
		conf count $((port + 2))
		chmod -R a+rwX "$D/cg" "$D/count"
		[ -z "$as" ] || chown -R $user "$D/count"
		$as valgrind -q --tool=callgrind --trace-children=yes --callgrind-out-file="$D/cg/%p" \
			--zero-before=porch_run --zero-before=worker_run \
			"$B/bench/smb1d-count" -F -s "$D/count/smb.conf" >/dev/null 2>&1 & v=$!
		await $((port + 2))
		"$B/bench/load" -p $((port + 2)) -u "$user%bench1" -n $n $1 >/dev/null 2>&1
		sleep 1
		kill $v
		wait $v 2>/dev/null
		sleep 0.5
		# a child begins with the counts of its parent, and with none where its own work begins
		awk 'FNR == 1 { n = FILENAME } /^(summary|totals):/ && !(n in c) { c[n] = $2; t += $2 } END { printf "%.0f\n", t }' \
			"$D"/cg/* > "$D/count.$n"
	done
	awk -v n=$2 '{ t[NR] = $1 } END { v = (t[2] - t[1]) / 2 / n; if (t[1] > 0 && v > 0 && v < 1e9) printf "%.0f\n", v; else print "-" }' \
		"$D/count.$2" "$D/count.$(($2 * 3))"
}

# ---- rounds: server, ideal, Samba, server, ideal, Samba ----
r=0
while [ $r -lt "$rounds" ]; do
	echo "round $((r + 1)) of $rounds" >&2
	modes | while read -r label args has what count; do
		f=$(echo "$label" | tr -c 'a-zA-Z0-9\n' _)
		load -t "$secs" $(words "$args") >> "$D/run.$f" || echo "$label failed" >&2
		[ "$has" = 0 ] || "$B/bench/load" -i -p $iport -P $ideal -t "$secs" $(words "$args") >> "$D/ideal.$f"
		[ -z "$peer" ] || ask_peer -t "$secs" $(words "$args") >> "$D/peer.$f" || :
	done
	r=$((r + 1))
done

num() { printf '%s' "$1" | awk '{ if ($1 == "-") print "-"; else printf $1 < 10 ? "%.2f" : $1 < 100 ? "%.1f" : "%.0f", $1 }'; }
echo "counting system calls ($how) and instructions (callgrind); a line when each is done" >&2
{
	echo "| what | ops/s | MB/s | server CPU, us | ideal, us | ratio | Samba, us | ratio | system calls | instructions |"
	echo "|---|---|---|---|---|---|---|---|---|---|"
	modes | while read -r label args has what count; do
		f=$(echo "$label" | tr -c 'a-zA-Z0-9\n' _)
		ops=$(awk '{ print $4 }' "$D/run.$f" | median)
		mb=$(awk '{ print $5 }' "$D/run.$f" | median)
		us=$(awk '{ print $6 }' "$D/run.$f" | median)
		id=-
		[ ! -s "$D/ideal.$f" ] || id=$(awk '{ print $6 }' "$D/ideal.$f" | median)
		per=$(words "$what"); per=${per% entries}; [ "$per" != op ] || per=1
		pe=-
		[ ! -s "$D/peer.$f" ] || pe=$(awk '{ print $6 }' "$D/peer.$f" | median)
		sc=$(calls "$(words "$args")" $count)
		in=$(instructions "$(words "$args")" $count)
		in=${in:--} # the daemon under valgrind did not come up
		[ "$sc" = - ] || sc=$(echo "$sc $per" | awk '{ printf "%.2f", $1 / $2 }' | sed 's/\.00$//')
		[ "$in" = - ] || in=$(echo "$in $per" | awk '{ printf "%.0f", $1 / $2 }')
		ratio=$(echo "$us $id" | awk '{ print $2 == "-" ? "-" : sprintf("%.2f", $1 / $2) }')
		pratio=$(echo "$us $pe" | awk '{ print $2 == "-" ? "-" : sprintf("%.2f", $1 / $2) }')
		us=$(echo "$us $per" | awk '{ print $1 / $2 }')
		[ "$pe" = - ] || pe=$(echo "$pe $per" | awk '{ print $1 / $2 }')
		name=$(words "$label"); [ "$per" = 1 ] || name="$name, an entry"
		[ "$(echo "$mb" | awk '{ print ($1 > 1) }')" = 1 ] && [ "$per" = 1 ] || mb=-
		echo "| $name | $(num "$ops") | $(num "$mb") | $(num "$us") | $(num "$id") | $ratio | $(num "$pe") | $pratio | $sc | $in |"
	done
} | tee "$D/table"
if echo idle | grep -qE "^($only)"; then
	load -c 50 idle | awk '{ printf "\nAn idle connection with a file open: %s KiB PSS, of them %s KiB its own; %s KiB of page tables.\n", $7, $8, $9 }' |
		tee "$D/idle"
fi

# ---- docs/bench.md, bench.svg ----
[ "$only" = . ] || exit 0
{
	echo "# What a request costs"
	echo
	echo "Written by \`make bench\` (tests/bench/run.sh) on $(date +%Y-%m-%d), Linux $(uname -r | cut -d- -f1),"
	echo "$(nproc) x $(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo), files on $base; $rounds rounds of $secs s, medians."
	echo
	echo "One line for each kind of request: how many a second one client gets answered; what one costs the server in CPU time,"
	echo "of all its processes; system calls and instructions (user space, callgrind) of one.  \"Ideal\" is tests/bench/ideal.c: it"
	echo "receives, moves the bytes and answers without looking at anything.  \"Samba\" is $peer_is.  The same client"
	echo "asks all in turn; the ratios are ours by theirs: below 1 we are"
	echo "cheaper.  On a busy machine trust the ratios, the system calls and the instructions, not the rates."
	echo
	echo "![server CPU against the ideal server](bench.svg)"
	[ -z "$peer" ] || printf '\n![server CPU against Samba](bench-peer.svg)\n'
	echo
	cat "$D/table" "$D/idle"
} > "$out/bench.md"
plot() { # column of the ratio, title
	awk -F' *[|] *' -v col="$1" -v title="$2" 'NR > 2 && $col != "-" { n[++k] = $2; v[k] = $col; if ($col > max) max = $col }
	END {
		printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">\n", 40 + 26 * k
		print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/><text x=\"10\" y=\"20\">" title "</text>"
		s = 360 / (max > 1.5 ? max : 1.5)
		for (i = 1; i <= k; i++) {
			y = 32 + 26 * (i - 1)
			printf "<text x=\"190\" y=\"%d\" text-anchor=\"end\">%s</text>", y + 15, n[i]
			printf "<rect x=\"200\" y=\"%d\" width=\"%.0f\" height=\"18\" fill=\"#4a7ebb\"/>", y, v[i] * s
			printf "<text x=\"%.0f\" y=\"%d\">%s</text>\n", 206 + v[i] * s, y + 14, v[i]
		}
		printf "<path d=\"M%.0f 28v%d\" stroke=\"#c33\" stroke-dasharray=\"4 3\"/></svg>\n", 200 + s, 26 * k
	}' "$D/table"
}
plot 7 "server CPU, ideal server = 1" > "$out/bench.svg"
[ -z "$peer" ] || plot 9 "server CPU, Samba = 1" > "$out/bench-peer.svg"
echo "written: $out/bench.md, $out/bench.svg${peer:+, $out/bench-peer.svg}"
