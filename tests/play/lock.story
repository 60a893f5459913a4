# Byte ranges between two clients: who may lock, read and write.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
nt_create "f" disp=2 share=7 -> fid=F
write F off=0 data="0123456789abcdefghij"
2: nt_create "f" share=7 -> fid=G
lock F off=5 len=5
# the first refusal at an offset and the next one differ
2: lock G off=5 len=5 -> error LOCK_NOT_GRANTED
2: lock G off=5 len=1 -> error FILE_LOCK_CONFLICT
2: lock G off=6 len=1 shared -> error LOCK_NOT_GRANTED
2: lock G off=10 len=5
2: read G off=0 count=5 -> data="01234"
2: read G off=4 count=2 -> error FILE_LOCK_CONFLICT
2: read G off=9 count=1 -> error FILE_LOCK_CONFLICT
2: write G off=9 data="x" -> error FILE_LOCK_CONFLICT
2: read_andx G off=9 count=1 -> error FILE_LOCK_CONFLICT
2: write_andx G off=9 data="x" -> error FILE_LOCK_CONFLICT
# the owner may, another process on the same handle may not (reports 94)
read F off=5 count=5 -> data="56789"
read F off=5 count=5 pid=77 -> error FILE_LOCK_CONFLICT
write F off=5 data="56789"
lock F off=5 len=5 owner=77 -> error LOCK_NOT_GRANTED
# an unlock names exactly what was locked, and who locked it (reports 108)
unlock F off=5 len=4 -> error RANGE_NOT_LOCKED
unlock F off=5 len=5 owner=77 -> error RANGE_NOT_LOCKED
2: unlock G off=5 len=5 -> error RANGE_NOT_LOCKED
unlock F off=5 len=5
unlock F off=5 len=5 -> error RANGE_NOT_LOCKED
2: write G off=5 data="56789"
2: unlock G off=10 len=5
# shared: all read, nobody writes, not even the owner
lock F off=0 len=10 shared
2: lock G off=0 len=10 shared
2: read G off=0 count=10 -> data="0123456789"
write F off=0 data="x" -> error FILE_LOCK_CONFLICT
2: write G off=0 data="x" -> error FILE_LOCK_CONFLICT
lock F off=0 len=10 -> error LOCK_NOT_GRANTED
close F
2: write G off=0 data="x" -> error FILE_LOCK_CONFLICT
2: unlock G off=0 len=10
2: write G off=0 data="x"
2: close G
