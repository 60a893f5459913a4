# Several ranges in a request are locked all or not at all; unlocks come first and stay done.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
nt_create "f" disp=2 share=7 -> fid=F
2: nt_create "f" share=7 -> fid=G
lock F off=100 len=10
2: lock G off=0 len=10 off2=100 len2=10 -> error LOCK_NOT_GRANTED
lock F off=0 len=10
unlock F off=0 len=10 off2=100 len2=10
2: lock G off=0 len=10 off2=100 len2=10
lock F off=50 len=10
relock F off=50 len=10 off2=100 len2=1 -> error LOCK_NOT_GRANTED
unlock F off=50 len=10 -> error RANGE_NOT_LOCKED
2: unlock G off=0 len=10 off2=7 len2=7 -> error RANGE_NOT_LOCKED
lock F off=0 len=10
# exclusive twice is too much; shared upon the own exclusive is not, and each wants its unlock
lock F off=0 len=10 -> error LOCK_NOT_GRANTED
lock F off=0 len=10 shared
2: read G off=0 count=1 -> error FILE_LOCK_CONFLICT
unlock F off=0 len=10
2: read G off=0 count=1 -> count=0
2: write G off=0 data="x" -> error FILE_LOCK_CONFLICT
unlock F off=0 len=10
2: write G off=0 data="x"
unlock F off=0 len=10 -> error RANGE_NOT_LOCKED
# changing the type of a lock, cancelling what does not wait, counts that lie
lock F off=0 len=10 type=0x14 -> error DOS 1/174
lock F off=0 len=10 type=0x18 -> error DOS 1/173
lock F off=0 len=10 locks=2 -> error INVALID_SMB
lock F off=0 len=10 locks=0xffff -> error INVALID_SMB
lock F off=0 len=10 unlocks=1 locks=0xffff -> error INVALID_SMB
lock F locks=0
# process exit takes its locks along
2: close G
2: nt_create "f" share=7 -> fid=G
lock F off=0 len=10
2: lock G off=0 len=10 -> error LOCK_NOT_GRANTED
exit
2: lock G off=0 len=10
