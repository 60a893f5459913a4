# Nothing works before login but what must, and nothing in a tree of nobody.
connect; negotiate "NT LM 0.12"
tree \\host\share -> error SMB_BAD_UID
nt_create "x" -> error SMB_BAD_UID
read_andx 1 -> error SMB_BAD_UID
write_andx 1 data="x" -> error SMB_BAD_UID
trans2 find_first "\*" -> error SMB_BAD_UID
rap share_enum -> error SMB_BAD_UID
nttrans fn=2 -> error SMB_BAD_UID
logoff -> error SMB_BAD_UID
exit -> error SMB_BAD_UID
tdis -> error SMB_BAD_TID
dskattr -> error SMB_BAD_UID
find_close 1 -> error SMB_BAD_UID
flush 1 -> error SMB_BAD_UID
close 1 -> error SMB_BAD_UID
getattre 1 -> error SMB_BAD_UID
setattre 1 -> error SMB_BAD_UID
read 1 -> error SMB_BAD_UID
write 1 data="x" -> error SMB_BAD_UID
tree_connect \\host\share -> error SMB_BAD_UID
session guest
nt_create "x" -> error SMB_BAD_TID
close 1 -> error SMB_BAD_TID
