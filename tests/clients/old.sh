#!/bin/bash
# The working days of two old clients, each with only the dialects of its time, against a daemon of their own:
# core_day.py (DOS basic redirector) and lanman_day.py (OS/2, Windows for Workgroups).
# usage: B=build tests/clients/old.sh
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
command -v python3 >/dev/null || { echo "ok - old clients # SKIP no python3"; echo "0 passed, 0 failed"; exit 0; }
export PYTHONDONTWRITEBYTECODE=1
# old clients see local time: a zone with half hours shows who takes it for UTC
export TZ=IST-5:30

[ "$(id -u)" = 0 ] && owner=smb1dtest || owner=$(id -un)
mkdir -p "$DIR/spool" "$DIR/printed" "$SHARE/longdir"
chmod 1777 "$DIR/spool" "$DIR/printed"
echo long > "$SHARE/longdir/A rather long file name.text"
start_server "
 lanman auth = yes
 smb1d: plaintext clients = 127.0.0.1
 printing = bsd
" "
[own]
 comment = own files
 path = $SHARE
 read only = no
 guest ok = no
 username = $owner
 volume = own
[lp]
 path = $DIR/spool
 printable = yes
 guest ok = yes
 print command = cp %s $DIR/printed/%J-%p.prn; rm -f %s
"
printf '%s\n%s\n' "$SPASS" "$SPASS" | "$B/smb1ctl" -s "$DIR/smb.conf" passwd --lm -i "$SUSER" >"$T/out" 2>&1 ||
	{ echo "Bail out! smb1ctl passwd --lm: $(cat "$T/out")"; exit 1; }

# day NAME SCRIPT: runs a client and takes over its two numbers
day() {
	timeout "${LIM:-240}" python3 "$HERE/$2" 127.0.0.1 "$NBTPORT" own "$SUSER" "$SPASS" lp >"$T/$1" 2>"$T/$1.err"
	local rc=$? p f
	grep -E '^(ok|not ok) - ' "$T/$1" | sed "s/ - / - $1: /"
	read -r p f < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$T/$1")
	P=$((P + ${p:-0})) F=$((F + ${f:-0}))
	[ -n "${p:-}" ] || no "$1: the client came to no end (status $rc): $(tail -n 1 "$T/$1.err")"
}
# printed NAME TEXT: waits for a printed job that has this text
printed() {
	await grep -qrs -- "$2" "$DIR/printed" && ok "$1" || no "$1: no job with '$2'; there are: $(ls "$DIR/printed" | tr '\n' ' ')"
}

day core core_day.py
printed "core: the job came out of the print command" "core page two"
day lanman lanman_day.py
printed "lanman: the job came out of the print command" "lanman page two"
printed "lanman: the job by open, too" "lanman second job"
t "the daemon is alive in the evening" "$B/smb1ctl" -s "$DIR/smb.conf" ping
done_
