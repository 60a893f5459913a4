# Numbers of signed messages where answers do not come one behind the other: gathered writes, copies in pieces, opens that
# wait, secondaries, several answers to one request.
config {
[other]
path = @DIR@/lock
read only = no
guest ok = yes
}
connect; negotiate "NT LM 0.12"; session user anna secret1 ntlmv2 caps=0xc0dc sign; tree \\host\share -> tid=T
2: connect; 2: negotiate "NT LM 0.12"; 2: session user bob secret2 ntlmv1 caps=0xc0dc sign; 2: tree \\host\share
# write-through writes in flight: one sync, each answer its own number
open_andx "w" access=rw func=0x11 -> fid=W
batch {
	write_andx W data="aaaa" mode=1 -> count=4
	write_andx W off=4 data="bbbb" mode=1 -> count=4
	chain { write_andx W off=8 data="cccc" mode=1 -> count=4; read_andx W count=4 -> data="aaaa" }
	write_andx W off=12 data="dddd" mode=1 -> count=4
}
close W; echo "x" count=3
# a long copy: what comes meanwhile is answered before it, with its own number
nt_create "big" disp=2 access=0x12019f share=7 -> fid=B
write B off=0x03ffffff data="e"
close B
nt_create "mine" disp=2 access=0x12019f share=7 cflags=4 -> fid=M oplock=2
later { copy "big" "big2" flags=0x10 }
echo "meanwhile"
2: later { nt_create "mine" access=0x120089 share=7 }
oplock_break -> fid==M level=1
oplock_ack M level=1
2: arrives -> oplock=0 waited<=5000 fid=N
arrives -> count=1
2: close N
# one that is cancelled
later mid=500 { copy "big" "big3" flags=0x10 }
batch {
	cancel mid=500 -> none
}
arrives -> error CANCELLED
echo "and on"
# an open that waits for a break, and a transaction in pieces meanwhile
nt_create "held" disp=2 share=7 cflags=4 -> fid=H oplock=2
2: later { nt_create "held" share=7 }
oplock_break -> fid==H
2: trans2 find_first "\b*" split=8 -> names="big,big2"
2: echo "waits" count=2
close H
2: arrives -> fid=I
2: close I; close M
# a listing longer than a message: several answers, one number
host many "name" count=300
trans2 find_first "\name*" count=300 maxd=60000 -> count=300
echo "end"; 2: echo "end"
logoff; 2: logoff
