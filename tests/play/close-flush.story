# CLOSE and FLUSH.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
nt_create "f" disp=2 -> fid=F
write_andx F data="x"
flush F
flush 0xffff
flush 999 -> error INVALID_HANDLE
flush F wct=0 -> error INVALID_SMB
close F wct=2 -> error INVALID_SMB
close F tid=77 -> error SMB_BAD_TID
# the time given is the file's, unless it is 0 or -1
close F time=1000000000
host stat "f" -> mtime=1000000000
close F -> error INVALID_HANDLE
flush F -> error INVALID_HANDLE
nt_create "f" -> fid=F
close F time=0
host stat "f" -> mtime=1000000000
