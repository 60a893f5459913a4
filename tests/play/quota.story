# Quotas: the list of all (that is oneself), of named users, in the disk's size; and where there are none.
host quota used=3000000 soft=4194304 hard=8388608
host quota uid=77001 used=5 soft=0 hard=0
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
trans2 qfs level=0x202 -> data[8:4]=Uid
nt_create "\$Extend\$Quota:$Q:$INDEX_ALLOCATION" access=0x3 share=3 -> fid=F
nttrans fn=7 fid=F p=hex:00010000000000000000000000000000 -> params[0:4]=56 data[0:4]=0 data[4:4]=16 data[16:8]=3000000 data[24:8]=4194304 data[32:8]=8388608 data[52:4]==Uid
# that was all; again from the start
nttrans fn=7 fid=F p=hex:00000000000000000000000000000000 -> warning NO_MORE_ENTRIES
nttrans fn=7 fid=F p=hex:00010000000000000000000000000000 -> params[0:4]=56
# somebody by his SID: without limits they are the most there is; whom the disk does not know is left out
nttrans fn=7 fid=F p=hex:010018000000000000000000 d=hex:00000000+hex:10000000+hex:0102000000000016+hex:01000000+hex:c92c0100 -> params[0:4]=56 data[16:8]=5 data[24:8]=0xffffffffffffffff data[32:8]=0xffffffffffffffff data[52:4]=77001
nttrans fn=7 fid=F p=hex:010018000000000000000000 d=hex:00000000+hex:10000000+hex:0102000000000016+hex:01000000+hex:ca2c0100 -> error ACCESS_DENIED
nttrans fn=7 fid=F p=hex:010018000000000000000000 d=hex:00000000+hex:10000000+hex:01ff -> error INVALID_PARAMETER
nttrans fn=7 fid=F p=hex:0100 -> error INVALID_PARAMETER
# a list that goes in a circle, and one that leads out
nttrans fn=7 fid=F p=hex:010030000000000000000000 d=hex:18000000+hex:10000000+hex:0102000000000016+hex:01000000+hex:c92c0100+hex:e8ffffff+hex:10000000+hex:0102000000000016+hex:01000000+hex:c92c0100 -> error INVALID_PARAMETER
nttrans fn=7 fid=F p=hex:010018000000000000000000 d=hex:1c000000+hex:10000000+hex:0102000000000016+hex:01000000+hex:c92c0100 -> error INVALID_PARAMETER
# the disk is as large as one's share of it
trans2 qfs level=1007 -> units=2048 free=1315
# no file can be longer than what is left
nt_create "f" disp=2 access=0x12019f share=7 -> fid=G
trans2 sfile G level=1020 data=hex:0000600000000000 -> error DISK_FULL
trans2 sfile G level=1020 data=hex:0000500000000000
close F; nttrans fn=7 fid=F p=hex:00010000000000000000000000000000 -> error INVALID_HANDLE
# on a pipe there is nothing to ask
tree \\host\ipc$; nt_create "\srvsvc" -> fid=P
nttrans fn=7 fid=P p=hex:00010000000000000000000000000000 -> error INVALID_HANDLE
