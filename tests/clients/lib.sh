# Sourced by the client tests: a daemon of its own on free ports, counters, and the end of it all.
# B=build directory.  After start_server: $PORT $NBTPORT $DIR $SHARE (a folder) $SUSER $SPASS.
B=$(cd "${B:-build}" && pwd)
P=0 F=0
T=$(mktemp -d "${TMPDIR:-/tmp}/smb1d-clients.XXXXXX")
chmod 755 "$T"
DIR=$T/server SHARE=$T/server/share SPASS=secret1
ok() { P=$((P+1)); echo "ok - $*"; }
no() { F=$((F+1)); echo "not ok - $*"; }
# t NAME COMMAND...: passes when the command exits 0
t() { local d=$1; shift; if timeout "${LIM:-60}" "$@" >"$T/out" 2>&1 </dev/null; then ok "$d"; else no "$d: $(grep -v '^$' "$T/out" | tail -n 1 | cut -c1-200)"; fi; }
# f NAME COMMAND...: passes when it fails
f() { local d=$1; shift; if timeout "${LIM:-60}" "$@" >"$T/out" 2>&1 </dev/null; then no "$d: it succeeded"; else ok "$d"; fi; }
# g NAME PATTERN COMMAND...: passes when the output has the pattern
g() { local d=$1 p=$2; shift 2; timeout "${LIM:-60}" "$@" >"$T/out" 2>&1 </dev/null; if grep -qE -- "$p" "$T/out"; then ok "$d"; else no "$d: no /$p/ in: $(grep -v '^$' "$T/out" | tail -n 2 | tr '\n' ' ' | cut -c1-200)"; fi; }
# await COMMAND...: until it succeeds, for 20 seconds at most
await() { local i; for ((i = 0; i < 400; i++)); do "$@" >/dev/null 2>&1 && return; sleep 0.05; done; return 1; }
done_() { echo "$P passed, $F failed"; [ "$F" = 0 ]; }

install() { # Debian packages a test needs, where we may
	local p
	[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return
	for p in "$@"; do
		dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' ||
			DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$p" >/dev/null 2>&1
	done
}
free_port() { python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])' 2>/dev/null || echo $((20000 + RANDOM)); }
stop_server() { [ -n "${SPID:-}" ] && kill "$SPID" 2>/dev/null && wait "$SPID" 2>/dev/null; SPID=; }
trap 'stop_server; rm -rf "$T"' EXIT

# start_server [extra lines for [global]] [extra sections]; PRELOAD: a library loaded into the daemon
write_conf() {
	mkdir -p "$SHARE" "$DIR"/lock "$DIR"/state "$DIR"/cache "$DIR"/pid "$DIR"/private "$DIR"/log
	cat > "$DIR/smb.conf" <<EOF
[global]
 workgroup = WORKGROUP
 netbios name = SMBTEST
 smb ports = $PORT $NBTPORT
 interfaces = 127.0.0.1/8
 bind interfaces only = yes
 map to guest = Bad User
 lock directory = $DIR/lock
 state directory = $DIR/state
 cache directory = $DIR/cache
 pid directory = $DIR/pid
 private dir = $DIR/private
 log file = $DIR/log/smb1d.log
 log level = 2
$1
[share]
 comment = test share
 path = $SHARE
 read only = no
 guest ok = yes
$2
EOF
}
start_server() {
	PORT=$(free_port) NBTPORT=$(free_port)
	if [ "$(id -u)" = 0 ]; then
		SUSER=smb1dtest
		id "$SUSER" >/dev/null 2>&1 || useradd -r -M -s /usr/sbin/nologin -d /nonexistent "$SUSER"
	else
		SUSER=$(id -un)
	fi
	write_conf "${1:-}" "${2:-}"
	[ "$(id -u)" = 0 ] && chown "$SUSER" "$SHARE"
	printf '%s\n%s\n' "$SPASS" "$SPASS" | "$B/smb1ctl" -s "$DIR/smb.conf" passwd -a -i "$SUSER" >/dev/null || { echo "Bail out! smb1ctl passwd"; exit 1; }
	run_server
}
# run_server: the same daemon again, after stop_server
run_server() {
	LD_PRELOAD=${PRELOAD:-} "$B/smb1d" -F -s "$DIR/smb.conf" >"$DIR/log/stderr" 2>&1 &
	SPID=$!
	for _ in $(seq 100); do
		"$B/smb1ctl" -s "$DIR/smb.conf" ping >/dev/null 2>&1 && return 0
		kill -0 "$SPID" 2>/dev/null || break
		sleep 0.05
	done
	echo "Bail out! the daemon did not start: $(cat "$DIR/log/stderr")"
	exit 1
}
export T
