# Sparse files: the attribute, ranges that have blocks, ranges that lose them.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "f" data="a"*65536; host dir "d"
nt_create "f" access=0x1f01ff share=7 -> fid=F
fsctl F code=0x900c4
trans2 qfile F level=1004 -> attrs~0x200
fsctl F code=0x900c4 d=hex:00
trans2 qfile F level=1004 -> attrs=0x20
fsctl F code=0x900c4 d=hex:01; trans2 qpath "f" level=1004 -> attrs~0x200
# all of it is there
fsctl F code=0x940cf d=hex:0000000000000000+hex:0000010000000000 -> count_d=16 data[0:8]=0 data[8:8]=65536
# a hole in the middle
fsctl F code=0x980c8 d=hex:0040000000000000+hex:0080000000000000
read F off=16384 count=3 -> data=hex:000000; read F off=32768 count=1 -> data="a"
fsctl F code=0x940cf d=hex:0000000000000000+hex:ffff7f0000000000 -> count_d=32 data[0:8]=0 data[8:8]=16384 data[16:8]=32768 data[24:8]=32768
fsctl F code=0x940cf d=hex:0050000000000000+hex:0010000000000000 -> count_d=0
fsctl F code=0x940cf d=hex:0070000000000000+hex:0020000000000000 -> count_d=16 data[0:8]=0x8000 data[8:8]=0x1000
# no room for all of them; for any
fsctl F code=0x940cf d=hex:0000000000000000+hex:0000010000000000 maxd=16 -> warning BUFFER_OVERFLOW count_d=16
fsctl F code=0x940cf d=hex:0000000000000000+hex:0000010000000000 maxd=15 -> error BUFFER_TOO_SMALL
fsctl F code=0x940cf d=hex:0000000000000000+hex:0000000000000000 -> count_d=0
fsctl F code=0x940cf d=hex:0000100000000000+hex:0000100000000000 -> count_d=0
# bytes, not blocks; and never beyond the end
fsctl F code=0x980c8 d=hex:0100000000000000+hex:0300000000000000
read F off=0 count=4 -> data="a"+hex:0000+"a"
fsctl F code=0x980c8 d=hex:ffff000000000000+hex:0000040000000000
read F off=65534 count=10 -> data="a"+hex:00; host stat "f" -> size=65536
fsctl F code=0x980c8 d=hex:0500000000000000+hex:0500000000000000
# wrong
fsctl F code=0x940cf -> error INVALID_PARAMETER
fsctl F code=0x940cf d=hex:ffffffffffffffff+hex:0100000000000000 -> error INVALID_PARAMETER
fsctl F code=0x940cf d=hex:0100000000000000+hex:ffffffffffffff7f -> error INVALID_PARAMETER
fsctl F code=0x980c8 d=hex:0500000000000000 -> error INVALID_PARAMETER
fsctl F code=0x980c8 d=hex:0500000000000000+hex:0400000000000000 -> error INVALID_PARAMETER
fsctl F code=0x980c8 d=hex:0000000000000000+hex:00000000000000ff -> error INVALID_PARAMETER
nt_create "d" access=0x1f01ff options=1 share=7 -> fid=D
fsctl D code=0x900c4 -> error INVALID_PARAMETER
fsctl D code=0x940cf d=hex:00*16 -> error INVALID_PARAMETER
# a lock of somebody else is obeyed
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
2: nt_create "f" access=0x12019f share=7 -> fid=G
2: lock G off=100 len=10
fsctl F code=0x980c8 d=hex:6000000000000000+hex:8000000000000000 -> error FILE_LOCK_CONFLICT
fsctl F code=0x980c8 d=hex:6000000000000000+hex:6400000000000000
# rights
close F; nt_create "f" access=0x80 share=7 -> fid=F
fsctl F code=0x900c4 -> error ACCESS_DENIED
fsctl F code=0x980c8 d=hex:0000000000000000+hex:0400000000000000 -> error ACCESS_DENIED
fsctl F code=0x940cf d=hex:0000000000000000+hex:0400000000000000 -> error ACCESS_DENIED
