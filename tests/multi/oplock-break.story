# A batch oplock is broken before another client gets in; every way to answer.
connect; negotiate "NT LM 0.12"; session guest caps=0xc0dc; tree \\host\share -> tid=T
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest caps=0xc0dc; 2: tree \\host\share
nt_create "f" disp=2 cflags=4 share=7 -> fid=F oplock=2
# answered: level II stays
2: later { nt_create "f" cflags=4 share=7 }
oplock_break -> fid==F level=1 tid==T len=51
2: echo "still" count=1
oplock_ack F level=1
2: arrives -> oplock=3 fid=G
# level II goes at the first write, by anybody, without a question
2: later { write_andx G data="new" }
2: oplock_break -> fid==G level=0
2: arrives -> count=3
oplock_break -> fid==F level=0
2: write_andx G data="more" -> count=4
close F; 2: close G
# answered with none
nt_create "f" cflags=4 share=7 -> fid=F oplock=2
2: later { nt_create "f" cflags=2 share=7 }
oplock_break -> fid==F level=1
oplock_ack F level=0
2: arrives -> oplock=3 fid=G
close F; 2: close G
# answered by CLOSE: the other has it alone
nt_create "f" cflags=2 share=7 -> fid=F oplock=1
2: later { nt_create "f" cflags=4 share=7 }
oplock_break -> fid==F level=1
close F
2: arrives -> oplock=2 fid=G
2: close G
# an open that cuts the file breaks to none; the rest of its chain waits with it
nt_create "f" cflags=4 share=7 -> fid=F oplock=2
2: later { open_andx "f" access=rw deny=none func=2 -> fid=G; write_andx 0xffff data="chain" -> count=5 }
oplock_break -> fid==F level=0
2: echo "still" count=1
oplock_ack F level=1
2: arrives
2: close G
nt_create "f" share=7 access=0x120089 -> fid=H size=5
close H; close F
