# What a client that comes back with old numbers hears: it must be able to tell a lost login, tree and file apart.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "f" data="12345"
nt_create "f" access=0x3 -> fid=F
# NT status: the login first, then the tree, then the file
nt_create "f" uid=0x7777 -> error SMB_BAD_UID
nt_create "f" tid=0x7777 -> error SMB_BAD_TID
nt_create "f" uid=0x7777 tid=0x7777 -> error SMB_BAD_UID
trans2 qpath "f" level=0x101 uid=0x7777 -> error SMB_BAD_UID
trans2 qpath "f" level=0x101 tid=0x7777 -> error SMB_BAD_TID
trans2 qfile F level=0x101 tid=0x7777 -> error SMB_BAD_TID
trans2 qfile 0x7777 level=0x101 -> error INVALID_HANDLE
read_andx F count=5 tid=0x7777 -> error SMB_BAD_TID
read_andx 0x7777 count=5 -> error INVALID_HANDLE
write_andx 0x7777 data="x" -> error INVALID_HANDLE
lock 0x7777 -> error INVALID_HANDLE
close 0x7777 -> error INVALID_HANDLE
tdis tid=0x7777 -> error SMB_BAD_TID
# nothing of it has ended anything
read_andx F count=5 -> data="12345"
# the same as DOS errors: ERRSRV/ERRbaduid, ERRSRV/ERRinvnid, ERRDOS/ERRbadfid
set ntstatus=off
nt_create "f" uid=0x7777 -> error DOS 2/91
nt_create "f" tid=0x7777 -> error DOS 2/5
trans2 qpath "f" level=0x101 uid=0x7777 -> error DOS 2/91
trans2 qpath "f" level=0x101 tid=0x7777 -> error DOS 2/5
trans2 qfile 0x7777 level=0x101 -> error DOS 1/6
read_andx 0x7777 count=5 -> error DOS 1/6
write_andx 0x7777 data="x" -> error DOS 1/6
close 0x7777 -> error DOS 1/6
tdis tid=0x7777 -> error DOS 2/5
# a tree that is gone takes its files along
set ntstatus=on
tdis
read_andx F count=5 -> error SMB_BAD_TID
tree \\host\share
read_andx F count=5 -> error INVALID_HANDLE
nt_create "f" access=0x3 -> fid=G
read_andx G count=5 -> data="12345"
