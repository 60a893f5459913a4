# PROCESS_EXIT closes the files of one process of the client.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
nt_create "a" disp=2 pid=7 -> fid=F
nt_create "b" disp=2 pid=8 -> fid=G
exit pid=7
write_andx F data="x" -> error INVALID_HANDLE
write_andx G data="x" -> count=1
exit pid=9
exit wct=1 -> error INVALID_SMB
exit uid=99 -> error SMB_BAD_UID
close G
