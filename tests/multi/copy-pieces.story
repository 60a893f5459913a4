# A long copy on the server is done in pieces: other requests, breaks of oplocks and a cancel get their turn.
config {
[other]
path = @DIR@/lock
read only = no
guest ok = yes
}
connect; negotiate "NT LM 0.12"; session guest caps=0xc0dc; tree \\host\share -> tid=T
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest caps=0xc0dc; 2: tree \\host\share
nt_create "big" disp=2 access=0x12019f share=7 -> fid=B
write B off=0x03ffffff data="e"
close B
host file "small" data="s"
nt_create "small" access=0x120089 share=7 -> fid=S
nt_create "mine" disp=2 access=0x12019f share=7 cflags=4 -> fid=M oplock=2
later { copy "big" "big2" flags=0x10 }
read S off=0 count=1 -> data="s"
# somebody wants a file of ours: the break goes out, the answer to it is heard
2: later { nt_create "mine" access=0x120089 share=7 }
oplock_break -> fid==M level=1
oplock_ack M level=1
2: arrives -> oplock=0 waited<=5000
# nobody may open the copy as long as it grows
2: nt_create "big2" access=0x120089 share=7 -> error SHARING_VIOLATION
arrives -> count=1
host stat "big2" -> size=0x04000000
2: nt_create "big2" access=0x120089 share=7 -> fid=L; 2: close L
# cancelled: nothing is left of it
later mid=500 { copy "big" "big3" flags=0x10 }
batch {
	cancel mid=500 -> none
}
arrives -> error CANCELLED
host missing "big3"
# what is replaced is gone as well; what is appended to is as long as before
host file "to" data="x"
later mid=500 { copy "big" "to" func=0x11 flags=0x14 }
batch {
	cancel mid=500 -> none
}
arrives -> error CANCELLED
host read "to" -> data="x"
# the connection ends meanwhile
3: connect; 3: negotiate "NT LM 0.12"; 3: session guest; 3: tree \\host\share
3: later { copy "big" "gone" flags=0x10 }
3: disconnect
sleep 400
host missing "gone"
# a move that is cancelled leaves the source, one that is not takes it away
tree \\host\other -> tid=O
set tid=T
later mid=500 { move "big" "moved" tid2=O flags=0x10 }
batch {
	cancel mid=500 -> none
}
arrives -> error CANCELLED
host exists "big"
set tid=O; nt_create "moved" access=0x80 share=7 -> error OBJECT_NAME_NOT_FOUND
set tid=T; move "big" "moved" tid2=O flags=0x10 -> count=1
host missing "big"
set tid=O; nt_create "moved" access=0x120089 share=7
set tid=T
