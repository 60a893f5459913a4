# NT_CREATE_ANDX cut short and aimed wrong.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
nt_create "x" disp=2 wct=23 -> error INVALID_SMB
nt_create "x" disp=2 namelen=200 -> error INVALID_SMB
nt_create "x" disp=2 bcc=200 -> error INVALID_SMB
nt_create "x" disp=2 cut=2 -> error INVALID_SMB
nt_create "x" disp=2 tid=99 -> error SMB_BAD_TID
nt_create "x" disp=2 uid=99 -> error SMB_BAD_UID
nt_create "x" disp=2 tid=99 uid=99 -> error SMB_BAD_UID
host missing "x"
tree \\host\ro
nt_create "y" disp=2 -> error ACCESS_DENIED
host file "z" data="z"
nt_create "z" access=0x120089 -> fid=F
write_andx F data="x" -> error ACCESS_DENIED
close F
nt_create "z" access=0x12019f -> error ACCESS_DENIED
nt_create "z" disp=5 -> error ACCESS_DENIED
host read "z" -> data="z"
