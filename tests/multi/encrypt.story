# What the server says by itself is sealed too, in the order it is sent: oplock breaks, locks that are granted, notify.
connect; negotiate "NT LM 0.12"; session guest caps=0xc0dc; tree \\host\share -> tid=T
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest caps=0xc0dc; 2: tree \\host\share
mkdir "d"
# waiting since before the encryption
nt_create "d" access=1 options=1 -> fid=1
later { nttrans fn=4 setup=hex:03000000+hex:01000100 maxp=1000 }
echo "it waits by now"
encrypt anna secret1
echo "sealed"
2: mkdir "d\\sub"
arrives -> params=hex:00000000+hex:01000000+hex:06000000+hex:730075006200+hex:0000
close 1
2: encrypt bob secret2 aead
nt_create "f" disp=2 cflags=4 share=7 -> fid=F oplock=2
2: later { nt_create "f" cflags=4 share=7 }
oplock_break -> fid==F level=1 tid==T len=51
oplock_ack F level=1
2: arrives -> oplock=3 fid=G
2: later { write_andx G data="new" }
2: oplock_break -> fid==G level=0
2: arrives -> count=3
oplock_break -> fid==F level=0
# a lock that is waited for, with other requests in between
lock F
2: later { lock G timeout=10000 }
2: echo "one" -> data="one"
2: echo "two" -> data="two"
unlock F
2: arrives -> ok waited<=5000
# cancelled
later { lock F timeout=0xffffffff }
echo
cancel -> none
