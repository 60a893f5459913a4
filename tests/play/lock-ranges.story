# Ends of the range: empty, the last byte, wrapped, 32 bits, beyond the end of the file (reports 112, 113).
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
nt_create "f" disp=2 share=7 -> fid=F
2: nt_create "f" share=7 -> fid=G
lock F off=10 len=10
2: lock G off=10 len=0
2: lock G off=20 len=0
2: lock G off=15 len=0 -> error LOCK_NOT_GRANTED
unlock F off=10 len=10
2: unlock G off=10 len=0
2: unlock G off=20 len=0
lock F off=0xffffffffffffffff len=1
2: lock G off=0xffffffffffffffff len=1 -> error LOCK_NOT_GRANTED
2: lock G off=0xffffffffffffffff len=2 -> error INVALID_LOCK_RANGE
2: lock G off=1 len=0xffffffffffffffff -> error LOCK_NOT_GRANTED
2: lock G off=2 len=0xffffffffffffffff -> error INVALID_LOCK_RANGE
2: lock G off=0 len=0xffffffffffffffff
2: unlock G off=0 len=0xffffffffffffffff
unlock F off=0xffffffffffffffff len=1
lock F off=0xffffffff len=0xffffffff small
2: lock G off=0x1fffffffd len=1 -> error FILE_LOCK_CONFLICT
2: lock G off=0x1fffffffe len=1
# databases keep semaphores high up: the answer there is always the same
lock F off=0xef000000 len=1
2: lock G off=0xef000000 len=1 -> error FILE_LOCK_CONFLICT
2: lock G off=0xef000000 len=1 -> error FILE_LOCK_CONFLICT
close F; 2: close G
# the core commands: 32 bits, the PID of the header
nt_create "f" share=7 -> fid=F
2: nt_create "f" share=7 -> fid=G
lock_byte F off=0 len=4
lock_byte F off=0 len=4 pid=9 -> error LOCK_NOT_GRANTED
2: lock_byte G off=3 len=1 -> error LOCK_NOT_GRANTED
unlock_byte F off=0 len=4 pid=9 -> error RANGE_NOT_LOCKED
unlock_byte F off=0 len=4
lock_read F off=0 count=8 -> count=0
2: lock_read G off=7 count=1 -> error LOCK_NOT_GRANTED
write_unlock F off=0 data="12345678" -> count=8
write_unlock F off=0 data="12345678" -> error RANGE_NOT_LOCKED
2: lock_read G off=4 count=8 -> count=4 data="5678"
lock_read F off=11 count=1 -> error LOCK_NOT_GRANTED
# a handle without data access, a folder, no handle at all
nt_create "f" access=0x100080 share=7 -> fid=H
lock H off=100 len=1 -> error ACCESS_DENIED
lock 999 off=0 len=1 -> error INVALID_HANDLE
