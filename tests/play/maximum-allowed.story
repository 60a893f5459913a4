# MAXIMUM_ALLOWED beside other rights, where Authenticated Users may only read.
connect; negotiate "NT LM 0.12"; session user anna secret1; tree \\host\share
nt_create "f" disp=2 access=0x1f01ff -> fid=F
nttrans fn=3 fid=F p=hex:0000+hex:04000000 d=hex:010004800000000000000000000000001400000002001c000100000000001400890012000101000000000005+hex:0b000000
close F
nt_create "f" access=0x02000000 -> fid=F; trans2 qfile F level=1008 -> access=0x170089; close F
nt_create "f" access=0x82000000 -> fid=F; close F
# to run is to read, for the generic right
nt_create "f" access=0x22000000 -> fid=F; trans2 qfile F level=1008 -> access=0x170089; close F
# wrong: what it does not have
nt_create "f" access=0x20000000 -> error ACCESS_DENIED
nt_create "f" access=0x02000020 -> error ACCESS_DENIED
nt_create "f" access=0x02000002 -> error ACCESS_DENIED
nt_create "f" access=0x42000000 -> error ACCESS_DENIED
nt_create "f" access=0x12000000 -> error ACCESS_DENIED
