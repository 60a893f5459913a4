#!/usr/bin/env bash
# What the stories send, spoiled, by many clients at once (tests/wire/storm.c).  storm.sh [MESSAGES [SEED]]
# Afterwards the daemon must be as it was: no process, no descriptor, no record left.
cd "$(dirname "$0")/../.." || exit 1
. tests/clients/lib.sh
total=${1:-20000} seed=${2:-$(date +%s)}
storm_ceiling=32
grep -q __asan_init "$B/smb1d" && storm_ceiling=160 # what is freed stays for a while, and each byte has a shadow
export ASAN_OPTIONS="log_path=$T/out.d/report:quarantine_size_mb=2:detect_leaks=0" UBSAN_OPTIONS="log_path=$T/out.d/report:print_stacktrace=1"
mkdir -p "$T/out.d" "$T/corpus"
chmod 777 "$T/out.d" "$T/corpus"
"$B/play" --corpus "$T/corpus" tests/play/*.story tests/multi/*.story >/dev/null
[ -x "$B/storm" ] || { echo "0 passed, 1 failed"; exit 1; }
fds() { ls "/proc/$SPID/fd" | wc -l; }
children() { pgrep -c -P "$SPID"; }
# Nobody is served any more, and nothing of them is left but the watcher of folders and the listener's end of it.
quiet() {
	for _ in $(seq 100); do
		[ "$(children)" -le $((kids + 1)) ] && [ "$(fds)" -le $((open + 1)) ] && "$B/storm" --left "$DIR/lock" >"$T/left" && return 0
		sleep 0.1
	done
	cat "$T/left"
	echo "# $(children) processes (before: $kids), $(fds) descriptors ($open)"
	return 1
}
# storm NAME PART-OF-THE-MESSAGES [global lines]
storm() {
	start_server "
 unix extensions = yes
 ea support = yes
 store dos attributes = yes
 nt acl support = yes
 lanman auth = yes
 max smbd processes = 0
 smb1d: max unauthenticated = 1000
 smb1d: streams = yes
 log level = 1
$3
" "
[ro]
 path = $SHARE
 guest ok = yes
[print]
 path = $SHARE
 printable = yes
 guest ok = yes
"
	chmod 1777 "$SHARE"
	sleep 0.3
	kids=$(children) open=$(fds)
	if "$B/storm" --seed "$seed" --messages $((total * $2 / 100)) --user "$SUSER" --password "$SPASS" --log "$DIR/log/smb1d.log" \
		--daemon "$SPID" --ceiling "$storm_ceiling" "$PORT" "$T/corpus" "$T/out.d"; then
		ok "$1 (seed $seed)"
	else
		no "$1 (seed $seed)"
		cat "$T"/out.d/report.* 2>/dev/null | head -n 60
		[ -n "${STORM_KEEP:-}" ] && cp -r "$T/out.d" "$DIR/log" "$STORM_KEEP"
	fi
	if quiet; then ok "$1: nothing is left of them"; else no "$1: something is left of them"; fi
	t "$1: the next client is served" timeout 10 "$B/smb1ctl" -s "$DIR/smb.conf" status
	stop_server
}
storm "accounts and guests" 70 ""
storm "passwords of shares, in the clear too" 15 "
 security = share
 encrypt passwords = no"
storm "signing, kernel oplocks, no extensions" 15 "
 server signing = auto
 kernel oplocks = yes
 unix extensions = no
 smb1d: streams = no
 strict locking = yes"
done_
