# Counts beyond the data must never be believed (CVE-2017-12163).
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
nt_create "f" disp=2 -> fid=F
write F data="abc" count=1000 -> error INVALID_SMB
write F data="abc" len=1000 count=1000 -> error INVALID_SMB
write F data="abc" len=1000 count=1000 bcc=1003 -> error INVALID_SMB
write F data="abc" format=2 -> error INVALID_SMB
write_andx F data="abc" len=1000 -> error INVALID_SMB
write_andx F data="abc" len=0x10003 -> error INVALID_SMB
write_andx F data="abc" at=0xfff0 -> error INVALID_SMB
write_andx F data="abc" len=65535 bcc=65535 -> error INVALID_SMB
write_andx F data="abc" wct=13 -> error INVALID_SMB
host stat "f" -> size=0
# bad FID, TID, UID
write_andx 4711 data="abc" -> error INVALID_HANDLE
write 4711 data="abc" -> error INVALID_HANDLE
read_andx 4711 -> error INVALID_HANDLE
read 4711 -> error INVALID_HANDLE
read_andx F tid=4711 -> error SMB_BAD_TID
read_andx F uid=4711 -> error SMB_BAD_UID
write_andx F uid=4711 data="abc" -> error SMB_BAD_UID
read_andx F wct=11 -> error INVALID_SMB
read_andx 0 -> error INVALID_HANDLE
read_andx 0xffff -> error INVALID_HANDLE
# offsets no file has
write_andx F off=0x7fffffffffffffff data="abc" -> error INVALID_PARAMETER
write_andx F off=0xffffffffffffffff data="abc" -> error INVALID_PARAMETER
# somebody else's FID
session user anna secret1
read_andx F -> error INVALID_HANDLE
