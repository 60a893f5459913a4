# COPYCHUNK: a key for the source, then pieces of it into the target.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "from" data="0123456789"*300; host file "to" data="x"
nt_create "from" access=0x120089 share=7 -> fid=S
nt_create "to" access=0x12019f share=7 -> fid=T
fsctl S code=0x140078 -> count_d=28 data[0:8]=K1 data[8:8]=K2 data[16:8]=K3
# the second hundred, and three bytes somewhere
copychunk T K1 K2 K3 100 0 100 7 200 3 -> chunks=2 bytes=0 total=103
host stat "to" -> size=203
read T off=0 count=100 -> data="0123456789"*10; read T off=199 count=4 -> data=hex:00+"789"
# inside one file, onto a later part of itself
fsctl T code=0x140078 -> data[0:8]=L1 data[8:8]=L2 data[16:8]=L3
copychunk T L1 L2 L3 0 1 99 -> chunks=1 total=99
read T off=0 count=13 -> data="0012345678901"
copychunk T K1 K2 K3 -> chunks=0 bytes=0 total=0
# limits: too long a chunk, none at all, too many, too much in all: all three numbers
copychunk T K1 K2 K3 0 0 0x100001 -> error INVALID_PARAMETER chunks=256 bytes=0x100000 total=0x1000000
copychunk T K1 K2 K3 0 0 0 -> error INVALID_PARAMETER chunks=256
copychunk T K1 K2 K3 count=257 0 0 1 -> error INVALID_PARAMETER chunks=256 bytes=0x100000 total=0x1000000
copychunk T K1 K2 K3 count=2 0 0 1 -> error INVALID_PARAMETER
copychunk T K1 K2 K3 repeat=17 0 0 0x100000 -> error INVALID_PARAMETER total=0x1000000
# what the source does not have
copychunk T K1 K2 K3 0 0 1 2990 10 11 -> error INVALID_VIEW_SIZE chunks=1 total=1
copychunk T K1 K2 K3 5000 0 1 -> error INVALID_VIEW_SIZE chunks=0
# keys: of nobody, cut, of a closed file
copychunk T 1 2 3 0 0 1 -> error OBJECT_NAME_NOT_FOUND
fsctl T code=0x1440f2 d=hex:00*24 -> error INVALID_PARAMETER
fsctl T code=0x1480f2 -> error INVALID_PARAMETER
copychunk T K1 K2 K3 0 0 1 maxd=11 -> error INVALID_PARAMETER
fsctl S code=0x140078 maxd=27 -> error INVALID_PARAMETER
# locks of somebody else, in the source and in the target
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
2: nt_create "from" access=0x12019f share=7 -> fid=A; 2: nt_create "to" access=0x12019f share=7 -> fid=B
2: lock A off=1000 len=10; 2: lock B off=50 len=1
copychunk T K1 K2 K3 0 0 10 995 20 10 0 0 10 -> error FILE_LOCK_CONFLICT chunks=1 total=10
copychunk T K1 K2 K3 0 45 10 -> error FILE_LOCK_CONFLICT chunks=0
# another client's key is worth nothing
2: copychunk B K1 K2 K3 0 0 1 -> error OBJECT_NAME_NOT_FOUND
# rights: the target must be readable, but for the form that only writes
nt_create "to" access=0x100002 share=7 -> fid=W
copychunk W K1 K2 K3 0 0 5 -> error ACCESS_DENIED
copychunk W K1 K2 K3 code=0x1480f2 0 0 5 -> chunks=1 total=5
copychunk S K1 K2 K3 0 0 5 -> error ACCESS_DENIED
close S
copychunk T K1 K2 K3 0 0 1 -> error OBJECT_NAME_NOT_FOUND
# from another share of the same client
tree \\host\ro
nt_create "from" access=0x120089 share=7 -> fid=S
fsctl S code=0x140078 -> data[0:8]=K1 data[8:8]=K2 data[16:8]=K3
copychunk S K1 K2 K3 0 0 5 -> error ACCESS_DENIED
