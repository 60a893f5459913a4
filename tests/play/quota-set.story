# Limits of users, set by an administrator over the wire; and by whom and how they are not.
config {
admin users = anna
}
host quota used=3000000 soft=4194304 hard=8388608
host quota uid=77001 used=5 soft=0 hard=0
host quota uid=77002 used=6 soft=0 hard=0
connect; negotiate "NT LM 0.12"; session user anna secret1; tree \\host\share
nt_create "\$Extend\$Quota:$Q:$INDEX_ALLOCATION" access=0x3 share=3 -> fid=F
# two users in one list: threshold 1 MiB of 2 MiB; zero is the least, -2 none
nttrans fn=8 fid=F d=hex:38000000+hex:10000000+hex:00*16+hex:0000100000000000+hex:0000200000000000+hex:0102000000000016+hex:01000000+hex:c92c0100+hex:00000000+hex:10000000+hex:00*16+hex:feffffffffffffff+hex:0000000000000000+hex:0102000000000016+hex:01000000+hex:ca2c0100
nttrans fn=7 fid=F p=hex:010018000000000000000000 d=hex:00000000+hex:10000000+hex:0102000000000016+hex:01000000+hex:c92c0100 -> data[16:8]=5 data[24:8]=0x100000 data[32:8]=0x200000
nttrans fn=7 fid=F p=hex:010018000000000000000000 d=hex:00000000+hex:10000000+hex:0102000000000016+hex:01000000+hex:ca2c0100 -> data[24:8]=1 data[32:8]=1
# no limits again
nttrans fn=8 fid=F d=hex:00000000+hex:10000000+hex:00*16+hex:ff*16+hex:0102000000000016+hex:01000000+hex:c92c0100
nttrans fn=7 fid=F p=hex:010018000000000000000000 d=hex:00000000+hex:10000000+hex:0102000000000016+hex:01000000+hex:c92c0100 -> data[24:8]=0xffffffffffffffff data[32:8]=0xffffffffffffffff
# wrong: nothing of such a list is set
nttrans fn=8 fid=F d=hex:38000000+hex:10000000+hex:00*16+hex:0000100000000000+hex:0000200000000000+hex:0102000000000016+hex:01000000+hex:c92c0100+hex:00000000+hex:10000000+hex:00*16+hex:0000000000000080+hex:ff*8+hex:0102000000000016+hex:01000000+hex:ca2c0100 -> error INVALID_PARAMETER
nttrans fn=7 fid=F p=hex:010018000000000000000000 d=hex:00000000+hex:10000000+hex:0102000000000016+hex:01000000+hex:c92c0100 -> data[32:8]=0xffffffffffffffff
# cut; an entry across the next, or at an odd place; a SID of another length; of a group, and of root
nttrans fn=8 fid=F -> error INVALID_PARAMETER
nttrans fn=8 fid=F d=hex:00000000+hex:10000000+hex:00*16+hex:ff*16+hex:0102000000000016+hex:01000000 -> error INVALID_PARAMETER
nttrans fn=8 fid=F d=hex:30000000+hex:10000000+hex:00*16+hex:ff*16+hex:0102000000000016+hex:01000000+hex:c92c0100+hex:00*56 -> error INVALID_PARAMETER
nttrans fn=8 fid=F d=hex:39000000+hex:10000000+hex:00*16+hex:ff*16+hex:0102000000000016+hex:01000000+hex:c92c0100+hex:00*57 -> error INVALID_PARAMETER
nttrans fn=8 fid=F d=hex:40000000+hex:10000000+hex:00*16+hex:ff*16+hex:0102000000000016+hex:01000000+hex:c92c0100 -> error INVALID_PARAMETER
nttrans fn=8 fid=F d=hex:00000000+hex:14000000+hex:00*16+hex:ff*16+hex:0102000000000016+hex:01000000+hex:c92c0100+hex:00000000 -> error INVALID_PARAMETER
nttrans fn=8 fid=F d=hex:00000000+hex:10000000+hex:00*16+hex:ff*16+hex:0102000000000016+hex:02000000+hex:c92c0100 -> error INVALID_SID
nttrans fn=8 fid=F d=hex:00000000+hex:10000000+hex:00*16+hex:ff*16+hex:0102000000000016+hex:01000000+hex:00000000 -> error INVALID_SID
nttrans fn=8 p=hex:00 -> error INVALID_PARAMETER
nttrans fn=8 fid=99 d=hex:00 -> error INVALID_HANDLE
# the switch of the whole disk: what is so already may be said, limits for new users not
trans2 code=4 p=hex:0000ee03 d=hex:00*24+hex:ff*16+hex:0200000000000000
trans2 code=4 p=hex:0000ee03 d=hex:00*48 -> error NOT_SUPPORTED
trans2 code=4 p=hex:0000ee03 d=hex:00*24+hex:ff*16+hex:0000010000000000 -> error INVALID_PARAMETER
trans2 code=4 p=hex:0000ee03 d=hex:00*47 -> error INFO_LENGTH_MISMATCH
# by somebody who does not administer
2: connect; 2: negotiate "NT LM 0.12"; 2: session user bob secret2; 2: tree \\host\share
2: nt_create "\$Extend\$Quota:$Q:$INDEX_ALLOCATION" access=0x3 share=3 -> fid=G
2: nttrans fn=8 fid=G d=hex:00000000+hex:10000000+hex:00*16+hex:ff*16+hex:0102000000000016+hex:01000000+hex:c92c0100 -> error ACCESS_DENIED
why -> user="bob" where="share" rule="admin users = anna" fix~"admin users"
2: trans2 code=4 p=hex:0000ee03 d=hex:00*24+hex:ff*16+hex:0200000000000000 -> error ACCESS_DENIED
why -> user="bob" rule="admin users = anna"
