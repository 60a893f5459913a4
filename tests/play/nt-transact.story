# NT_TRANSACT: unknown functions, FSCTLs, wrong layouts.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "f"
nt_create "f" access=0x1f01ff -> fid=F
nttrans fn=99 -> error INVALID_PARAMETER
# FSCTL nobody knows
nttrans fn=2 setup=hex:ffff0900+hex:00000100 -> error INVALID_HANDLE
nttrans fn=6 p=hex:00 -> error INVALID_PARAMETER
nttrans fn=1 p=hex:00 -> error INVALID_PARAMETER
nttrans fn=2 wct=18 -> error INVALID_SMB
nttrans fn=2 poff=0xffffff00 pcount=100 totalp=100 -> error INVALID_PARAMETER
nttrans fn=2 totald=0x7fffffff -> error INSUFFICIENT_RESOURCES
close F
cancel -> none
cancel wct=1 -> error INVALID_SMB
