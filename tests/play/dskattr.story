# QUERY_INFORMATION_DISK: no field 0, all in words, 2 GiB at most for old clients (reports 105).
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
dskattr -> units!=0 blocks!=0 bytes=512 free<=0xffff
dskattr wct=1 -> error INVALID_SMB
dskattr tid=999 -> error SMB_BAD_TID
connect; negotiate "LANMAN1.0"; session guest; tree \\host\share
dskattr -> blocks<=64 bytes=512
