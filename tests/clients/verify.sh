#!/bin/bash
# Every mode of our load tool looks at each byte it moves: signed and not, with sendfile and without, writes straight to
# the file and not, one and more requests in flight, one and more clients, a file that is cut while it is read, a disk that
# fills while it is written (needs root for its file system).  usage: B=build tests/clients/verify.sh
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
make -s --no-print-directory -C "$HERE/../.." B="$B" "$B/bench/load" >/dev/null || { echo "Bail out! the load tool does not build"; exit 1; }
full=$DIR/full disk=
mkdir -p "$full" "$SHARE/find300"; chmod 1777 "$SHARE"
( cd "$SHARE/find300" && seq -f 'Document number %06.0f.doc' 300 | xargs -d '\n' touch )
trap 'stop_server; kill $cutter 2>/dev/null; umount -l "$full" 2>/dev/null; rm -rf "$T"' EXIT
cutter=
mount -t tmpfs -o size=2m,mode=1777 none "$full" 2>/dev/null && disk=yes ||
	echo "ok - a disk that fills # SKIP no file system of our own"
share() { printf '[%s]\n path = %s\n read only = no\n guest ok = yes\n %s\n' "$1" "$2" "$3"; }

load() { # share, arguments: with the file of about a megabyte that this setting and mode has for itself
	timeout 60 "$B/bench/load" -p "$PORT" -u "$SUSER%$SPASS" -S "$1" -t 0.02 -z 400000 -v $g "${@:2}" >"$T/load" 2>"$T/load.err"
}
says() { tail -n 1 "$T/load.err"; }
v() { local s=$1; shift; if load "$s" "$@"; then P=$((P+1)); else no "$name: $*: $(says)"; fi; }

every_mode() { # share
	local many
	for many in "" "-d 4" "-d 4 -c 8"; do
		v "$1" $many readx; v "$1" $many -s 130048 readx; v "$1" $many -s 4096 readx; v "$1" $many -s 511 readx
		v "$1" $many -s 4096 read
		v "$1" $many writex; v "$1" $many -s 130048 writex; v "$1" $many -s 4096 writex; v "$1" $many -s 100 writex
		v "$1" $many -s 4096 write
		v "$1" $many echo; v "$1" $many stat
	done
	for many in "" "-c 8"; do
		v "$1" $many open; v "$1" $many lock; v "$1" $many meta; v "$1" $many connect
		v "$1" $many -D find300 -e 300 find; v "$1" $many -D find300 miss
	done
}

raw_modes() { # share
	local many size
	for many in "" "-c 8"; do
		for size in 65535 65000 4096 1; do v "$1" $many -s $size readraw; v "$1" $many -s $size writeraw; done
	done
}

# without a place for signatures there are no raw frames: said at NEGOTIATE, or in answer to each
no_raw_modes() { # share, what is said
	local m
	for m in readraw writeraw; do
		if load "$1" -s 65535 $m; then no "$name: $m: it was served"
		elif says | grep -qE "$2"; then P=$((P+1))
		else no "$name: $m: $(says)"; fi
	done
}

cut_while_read() { # share
	: > "$SHARE/cut.dat"; chmod 666 "$SHARE/cut.dat"
	( while :; do truncate -s 30000 "$SHARE/cut.dat"; truncate -s 1000000 "$SHARE/cut.dat"; done 2>/dev/null ) & cutter=$!
	v "$1" -w -z 1000000 -t 0.2 -f cut.dat -d 4 readx
	v "$1" -w -z 1000000 -t 0.2 -f cut.dat -s 4096 -d 4 readx
	v "$1" -w -z 1000000 -t 0.2 -f cut.dat -s 4096 read
	[ -n "$raw" ] && v "$1" -w -z 1000000 -t 0.2 -f cut.dat -s 65535 readraw
	kill $cutter; wait $cutter 2>/dev/null; cutter=
}

disk_fills() {
	[ -n "$disk" ] || return
	v full -z 10000 fill; v full -z 10000 -d 4 fill; v full -z 10000 -d 4 -s 130048 fill; v full -z 10000 -d 8 -s 5000 fill
	[ -n "$raw" ] && { v full -z 10000 -s 65535 fillraw; v full -z 10000 -s 5000 fillraw; }
	v full -z 10000 -s 4096 writex # and there is room again
}

matrix() { # server signing, min receivefile size, "-g" for a client that signs whenever it can
	local way raw=
	g=$3
	[ "$1" != mandatory ] && [ -z "$g" ] && raw=yes
	for way in direct copied; do
		name="server signing = $1${g:+, a client that signs}, min receivefile size = $2, $way"
		every_mode $way
		[ -n "$raw" ] && raw_modes $way
		cut_while_read $way
	done
	[ -n "$raw" ] || no_raw_modes direct "no raw mode|0 bytes at 0|0x00fb0002"
	disk_fills
}

for settings in disabled:0: disabled:16384: disabled:1024: auto:131072: auto:1024:-g mandatory:1024:; do
	IFS=: read -r signing receivefile g <<< "$settings"
	start_server " server signing = $signing
 min receivefile size = $receivefile
 max xmit = 65535" "$(share direct "$SHARE")
$(share copied "$SHARE" "use sendfile = no")
$(share full "$full" "use sendfile = $([ "$receivefile" = 0 ] && echo no || echo yes)")"
	chmod 1777 "$SHARE"; chmod 777 "$SHARE/find300"
	matrix "$signing" "$receivefile" "$g"
	stop_server
done
done_
