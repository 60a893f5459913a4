# Which is asked first: sharing or the oplock?
connect; negotiate "NT LM 0.12"; session guest caps=0xc0dc; tree \\host\share
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest caps=0xc0dc; 2: tree \\host\share
# exclusive: sharing; the holder hears nothing
nt_create "f" disp=2 cflags=2 share=0 -> fid=F oplock=1
2: nt_create "f" share=7 -> error SHARING_VIOLATION
echo "quiet" count=1
# who only looks is in nobody's way
2: nt_create "f" access=0x100080 share=0 cflags=4 -> oplock=0 fid=G
2: close G
echo "quiet" count=1
close F
# batch: the oplock, since the client may have closed the file long ago
nt_create "f" cflags=4 share=0 -> fid=F oplock=2
2: later { nt_create "f" share=7 }
oplock_break -> fid==F level=1
oplock_ack F level=1
2: arrives -> error SHARING_VIOLATION
close F
nt_create "f" cflags=4 share=0 -> fid=F oplock=2
2: later { nt_create "f" share=7 }
oplock_break -> fid==F
close F
2: arrives -> fid=G
2: close G
# so is deleting and renaming
nt_create "f" cflags=4 share=7 -> fid=F oplock=2
2: later { rename "f" "g" }
oplock_break -> fid==F
oplock_ack F level=1
2: arrives
2: delete "g" -> error SHARING_VIOLATION
close F
nt_create "g" cflags=4 share=7 -> fid=F oplock=2
2: later { delete "*" }
oplock_break -> fid==F
close F
2: arrives
host missing "g"
# on one connection the client breaks its own
nt_create "f" disp=2 cflags=4 share=7 -> fid=F oplock=2
later { nt_create "f" cflags=4 share=7 }
oplock_break -> fid==F level=1
oplock_ack F level=1
arrives -> oplock=3 fid=H
close F; close H
