# Files of an owner.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host dir "d"; host file "d/a"; host file "d/b"
trans2 qfs level=0x202 -> data[8:4]=Uid
nt_create "d" access=0x1f01ff options=1 share=7 -> fid=D
by_owner D Uid -> names="a,b"
# goes on behind the last; begins anew
by_owner D Uid -> names=""
by_owner D Uid anew=1 -> names="a,b"
by_owner D 4711 anew=1 -> names=""
# a group owns no file
fsctl D code=0x9008f d=hex:01000000+hex:0102000000000016+hex:0200000001000000 -> count_d=0
# wrong
fsctl D code=0x9008f -> error INVALID_PARAMETER
fsctl D code=0x9008f d=hex:01000000+hex:01ff -> error INVALID_SID
by_owner D Uid maxd=100 -> error INVALID_PARAMETER
host file "f"; nt_create "f" access=0x1f01ff share=7 -> fid=F
by_owner F Uid -> error INVALID_DEVICE_REQUEST
close D; nt_create "d" access=0x80 options=1 share=7 -> fid=D
by_owner D Uid -> error ACCESS_DENIED
