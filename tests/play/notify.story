# Change notify: records, who is told of what, the order at the end (reports 136, 137).
# setup: filter32, FID, tree, 0.  The folder is FID 1.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
mkdir "d"
nt_create "d" access=1 options=1 -> fid=1
# names below, of files and folders, in the whole tree
later { nttrans fn=4 setup=hex:03000000+hex:01000100 maxp=1000 }
echo "it waits by now"
2: mkdir "d\\sub"
arrives -> params=hex:00000000+hex:01000000+hex:06000000+hex:730075006200+hex:0000
# two changes while nobody asks: both at once, aligned to four, in order
2: nt_create "d\\sub\\f" disp=2 -> fid=G
2: close G
2: rmdir "d\\nothing" -> error OBJECT_NAME_NOT_FOUND
2: delete "d\\sub\\f"
sleep 200
nttrans fn=4 setup=hex:03000000+hex:01000100 maxp=1000 -> params=hex:18000000+hex:01000000+hex:0a000000+hex:7300750062005c006600+hex:0000+hex:00000000+hex:02000000+hex:0a000000+hex:7300750062005c006600+hex:0000
# the filter is that of the first request: no sizes, no times
2: nt_create "d\\g" disp=2 access=0x12019f -> fid=G
2: write_andx G off=0 data="x"
2: close G
nttrans fn=4 setup=hex:18000000+hex:01000000 maxp=1000 -> params=hex:00000000+hex:01000000+hex:02000000+hex:6700+hex:0000
# a rename is one answer, our own as well
later { nttrans fn=4 setup=hex:03000000+hex:01000100 maxp=1000 }
rename "d\\g" "d\\h"
arrives -> params=hex:10000000+hex:04000000+hex:02000000+hex:6700+hex:0000+hex:00000000+hex:05000000+hex:02000000+hex:6800+hex:0000
# NT_CANCEL names the request by its MID
later mid=500 { nttrans fn=4 setup=hex:03000000+hex:01000100 maxp=1000 }
batch {
	cancel mid=500 -> none
}
arrives -> error CANCELLED
# a buffer too small for what happened: NOTIFY_ENUM_DIR, which is no error
mkdir "d\\x"
nttrans fn=4 setup=hex:03000000+hex:01000100 maxp=8 -> error NOTIFY_ENUM_DIR
# ... and nothing is left of it
later { nttrans fn=4 setup=hex:03000000+hex:01000100 maxp=1000 }
rmdir "d\\x"
arrives -> params=hex:00000000+hex:02000000+hex:02000000+hex:7800+hex:0000
# more than the first request's buffer holds, while nobody asks: an empty answer
nt_create "d" access=1 options=1 -> fid=2
later mid=500 { nttrans fn=4 setup=hex:01000000+hex:02000000 maxp=20 }
batch {
	cancel mid=500 -> none
}
arrives -> error CANCELLED
nt_create "d\\l1" disp=2 -> fid=G
close G
delete "d\\l1"
nttrans fn=4 setup=hex:01000000+hex:02000000 maxp=1000 -> params=hex:
close 2
nttrans fn=4 setup=hex:03000000+hex:01000100 maxp=1000 -> params=hex:10000000+hex:01000000+hex:04000000+hex:6c003100+hex:00000000+hex:02000000+hex:04000000+hex:6c003100
# the handle, the process, the tree, the user goes: first what waits is answered (nobody reads the second answer)
later mid=500 { nttrans fn=4 setup=hex:03000000+hex:01000100 maxp=1000 }
batch {
	close 1 -> none
}
arrives -> params=hex:
3: connect; 3: negotiate "NT LM 0.12"; 3: session guest; 3: tree \\host\share
3: nt_create "d" access=1 options=1 -> fid=1
3: later mid=500 { nttrans fn=4 setup=hex:03000000+hex:01000100 maxp=1000 }
3: batch {
	exit -> none
}
3: arrives -> params=hex:
4: connect; 4: negotiate "NT LM 0.12"; 4: session guest; 4: tree \\host\share
4: nt_create "d" access=1 options=1 -> fid=1
4: later mid=500 { nttrans fn=4 setup=hex:03000000+hex:01000100 maxp=1000 }
4: batch {
	tdis -> none
}
4: arrives -> params=hex:
5: connect; 5: negotiate "NT LM 0.12"; 5: session guest; 5: tree \\host\share
5: nt_create "d" access=1 options=1 -> fid=1
5: later mid=500 { nttrans fn=4 setup=hex:03000000+hex:01000100 maxp=1000 }
5: batch {
	logoff -> none
}
5: arrives -> params=hex:
