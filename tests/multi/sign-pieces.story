# Numbers of signed messages where answers do not come one behind the other: gathered writes, opens that wait,
# secondaries, several answers to one request.
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
host file "big" data="b"; host file "blue" data="b"
# an open that waits for a break, and a transaction in pieces meanwhile
nt_create "held" disp=2 share=7 cflags=4 -> fid=H oplock=2
2: later { nt_create "held" share=7 }
oplock_break -> fid==H
2: trans2 find_first "\b*" split=8 -> names="big,blue"
2: echo "waits" count=2
close H
2: arrives -> fid=I
2: close I
# a listing longer than a message: several answers, one number
host many "name" count=300
trans2 find_first "\name*" count=300 maxd=60000 -> count=300
echo "end"; 2: echo "end"
logoff; 2: logoff
