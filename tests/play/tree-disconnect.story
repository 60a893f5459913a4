# TREE_DISCONNECT and LOGOFF: what goes and what stays (reports 39).
connect; negotiate "NT LM 0.12"; session guest -> uid=U
tree \\host\share -> tid=A
nt_create "a" disp=2 -> fid=F
tree \\host\share -> tid=B
nt_create "b" disp=2 -> fid=G
tdis tid=A
close F tid=A -> error SMB_BAD_TID
close F tid=B -> error INVALID_HANDLE
write_andx G data="x" tid=B -> count=1
tdis tid=A -> error SMB_BAD_TID
tdis tid=B wct=1 -> error INVALID_SMB
# a second user: logging off one leaves the other
session user anna secret1 -> uid=V
set tid=B
nt_create "c" disp=2 -> fid=H
logoff
close H -> error INVALID_HANDLE
write_andx H data="z" -> error INVALID_HANDLE
write_andx G data="z" -> error SMB_BAD_UID
dskattr -> error SMB_BAD_UID
logoff -> error SMB_BAD_UID
set uid=U
write_andx G data="y" off=1 -> count=1
close G
tdis
tdis -> error SMB_BAD_TID
logoff wct=0 -> error INVALID_SMB
logoff
echo "the connection lives" -> count=1
