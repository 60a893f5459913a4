# A lock with a timeout waits, and is granted when whoever holds the range unlocks, closes, leaves or dies.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
3: connect; 3: negotiate "NT LM 0.12"; 3: session guest; 3: tree \\host\share
nt_create "f" disp=2 share=7 -> fid=F
2: nt_create "f" share=7 -> fid=G
3: nt_create "f" share=7 -> fid=H
lock F
2: lock G timeout=100 -> error FILE_LOCK_CONFLICT
# unlocked
2: later { lock G timeout=10000 }
2: echo
unlock F
2: arrives -> ok waited<=5000
# the first to wait is the first to be served
later { lock F timeout=10000 }
echo
3: later { lock H timeout=0xffffffff }
3: echo
2: unlock G
arrives -> ok waited<=5000
2: lock G -> error FILE_LOCK_CONFLICT
unlock F
3: arrives -> ok waited<=5000
3: unlock H
# two ranges, the second in the way: what it has it keeps while it waits (reports 109)
lock F off=100
2: later { lock G off=50 off2=100 timeout=10000 }
2: echo
3: lock H off=50 -> error LOCK_NOT_GRANTED
unlock F off=100
2: arrives -> ok
2: unlock G off=50 off2=100
# ... and gives back when the time is over
lock F off=100
2: lock G off=50 off2=100 timeout=200 -> error FILE_LOCK_CONFLICT
3: lock H off=50
3: unlock H off=50
# closed
2: later { lock G off=100 timeout=10000 }
2: echo
close F
2: arrives -> ok waited<=5000
# died
3: later { lock H off=100 timeout=20000 }
3: echo
kill 2
3: arrives -> ok waited<=5000
# left in good order
nt_create "f" share=7 -> fid=F
later { lock F off=100 timeout=10000 }
echo
3: disconnect
arrives -> ok waited<=5000
close F
