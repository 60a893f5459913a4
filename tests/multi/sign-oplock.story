# An oplock break has no signature and no number; its acknowledgement takes two.  A reply that waited keeps its own.
connect; negotiate "NT LM 0.12"; session user anna secret1 ntlmv2 caps=0xc0dc sign; tree \\host\share
2: connect; 2: negotiate "NT LM 0.12"; 2: session user bob secret2 ntlmv1 caps=0xc0dc sign; 2: tree \\host\share
nt_create "f" disp=2 cflags=4 share=7 -> fid=F oplock=2
2: later { nt_create "f" cflags=4 share=7 }
oplock_break -> fid==F level=1
2: echo "meanwhile"
oplock_ack F level=1
2: arrives -> oplock=3 fid=G
echo "goes on"; 2: echo "and on"
close F; 2: close G
# a lock that waits
nt_create "l" disp=2 share=7 -> fid=L; 2: nt_create "l" share=7 -> fid=M
lock L
2: later { lock M timeout=10000 }
2: echo "waits"
unlock L
2: arrives -> ok
2: echo "done"
