# Windows 95 does not always answer the first break: clients without level II are asked again after 5 s (reports 73).
connect; negotiate "NT LM 0.12"; session guest caps=0x45; tree \\host\share
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
nt_create "f" disp=2 cflags=4 share=7 -> fid=F oplock=2
2: later { nt_create "f" share=7 }
oplock_break -> fid==F level=0
2: echo "still" count=1
oplock_break -> fid==F level=0
2: echo "still" count=1
oplock_ack F
2: arrives -> waited>=4500
