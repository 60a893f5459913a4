# Numbers of signed messages beside a copy in pieces.
connect; negotiate "NT LM 0.12"; session user anna secret1 ntlmv2 caps=0xc0dc sign; tree \\host\share -> tid=T
2: connect; 2: negotiate "NT LM 0.12"; 2: session user bob secret2 ntlmv1 caps=0xc0dc sign; 2: tree \\host\share
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
close M
logoff; 2: logoff
