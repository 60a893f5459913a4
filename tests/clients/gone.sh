#!/bin/bash
# Clients that die without a word and come back: from machines of their own (network namespaces), so root only.
# usage: B=build tests/clients/gone.sh
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
skip() { echo "ok - clients that come back # SKIP $*"; echo "0 passed, 0 failed"; exit 0; }
command -v python3 >/dev/null || skip "no python3"
NS=smb1d-gone-$$ NET=10.$((RANDOM % 200 + 20)).$((RANDOM % 250))
[ "$(id -u)" = 0 ] || skip "not root"
ip netns add "$NS" 2>/dev/null || skip "no network namespaces here"
leave() { ip netns del "$NS" 2>/dev/null; stop_server; rm -rf "$T"; }
trap leave EXIT
ip link add "sg$$" type veth peer name eth0 netns "$NS" 2>/dev/null || skip "no veth here"
ip addr add "$NET.1/24" dev "sg$$" && ip link set "sg$$" up && ip -n "$NS" addr add "$NET.2/24" dev eth0 &&
	ip -n "$NS" link set eth0 up && ip -n "$NS" link set lo up || skip "the namespace has no network"
export PYTHONDONTWRITEBYTECODE=1
mkdir -p "$SHARE"
start_server " interfaces = 127.0.0.1/8 $NET.1/24"
chmod 777 "$SHARE"
timeout 120 python3 "$HERE/gone.py" "$NS" "$NET.1" "$PORT" "$B" "$DIR/smb.conf" >"$T/gone" 2>"$T/gone.err" || cat "$T/gone.err"
grep -E '^(ok|not ok) - ' "$T/gone"
read -r P F < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$T/gone")
P=${P:-0} F=${F:-1}
t "the daemon is alive" "$B/smb1ctl" -s "$DIR/smb.conf" ping
done_
