#!/usr/bin/env bash
# Change notify for smbclient: changes by other clients, by itself, by local programs; and many that watch.
cd "$(dirname "$0")/../.." || exit 1
. tests/clients/lib.sh
command -v smbclient >/dev/null || { echo "ok - notify # SKIP smbclient is not installed"; echo "0 passed, 0 failed"; exit 0; }
start_server "" ""
: > "$T/client.conf"
SC=(stdbuf -o0 smbclient -s "$T/client.conf" --option='client min protocol=NT1' --option="lock directory=$T" -m NT1
	-p "$PORT" "//127.0.0.1/share" -U "$SUSER%$SPASS")
sc() { timeout 20 "${SC[@]}" "$@" >/dev/null 2>&1 </dev/null; }
# watch SECONDS FILE: what smbclient hears of the folder w meanwhile
watch() { timeout "$1" "${SC[@]}" -c 'notify w' >"$2" 2>&1 </dev/null & sleep "${3:-1.5}"; }
seen() { await grep -qx -- "$2" "$1" && return; no "$3: no \"$2\" in: $(tr '\n' ' ' <"$1" | cut -c1-200)"; return 1; }
sees() { seen "$@" && ok "$3"; }

mkdir -p "$SHARE/w/sub"; chown -R "$SUSER" "$SHARE/w" 2>/dev/null
watch 12 "$T/n"
sc -c 'mkdir w\made; cd w; lcd '"$T"'; put client.conf sent'
sees "$T/n" "0001 made" "another client's folder"
sees "$T/n" "0001 sent" "another client's file"
sc -c 'cd w; rename sent moved; del moved'
sees "$T/n" "0005 moved" "another client's rename"
sees "$T/n" "0002 moved" "another client's deletion"
touch "$SHARE/w/touched"
sees "$T/n" "0001 touched" "touch by a local program"
touch "$SHARE/w/sub/deep"
sees "$T/n" '0001 sub\\deep' "a local program in a folder below"
mkdir "$SHARE/w/fresh"; sleep 0.3; touch "$SHARE/w/fresh/f"
sees "$T/n" '0001 fresh\\f' "... and in one that came later"
mv "$SHARE/w/touched" "$SHARE/w/renamed"
sees "$T/n" "0005 renamed" "a local rename"
[ "$(grep -cx '0001 made' "$T/n")" = 1 ] && ok "one change, told once" || no "a change told twice"

# many watch one folder: all hear of it, and none of them costs much
N=${WATCHERS:-30}
for i in $(seq "$N"); do watch 15 "$T/m$i" 0.02; done
all_in() { [ "$(pgrep -c -P "$SPID" smb1d-worker)" -ge "$N" ]; }
await all_in
sleep 2
sc -c 'mkdir w\for-all'; touch "$SHARE/w/for-all-local"
all=yes
for i in $(seq "$N"); do
	seen "$T/m$i" "0001 for-all" "watcher $i" && seen "$T/m$i" "0001 for-all-local" "watcher $i" || { all=; break; }
done
[ "$all" ] && ok "$N clients hear of it"
kb=0; for p in $(pgrep -P "$SPID"); do kb=$((kb + $(awk '/^RssAnon:/{print $2}' "/proc/$p/status" 2>/dev/null || echo 0))); done
[ "$kb" -gt 0 ] && [ "$kb" -lt $((N * 1500 + 8000)) ] && ok "$N watching clients cost $kb kB" || no "$N watching clients cost $kb kB"
[ "$(pgrep -c -P "$SPID" smb1d-watcher)" = 1 ] && ok "one watcher process for all" || no "not one watcher process"

# the watcher dies: there is another, and clients that watch hear of local changes again
sleep 5; watch 20 "$T/d"
pkill -9 -P "$SPID" smb1d-watcher; sleep 1
touch "$SHARE/w/after-death"
sees "$T/d" "0001 after-death" "a new watcher takes over"
done_
