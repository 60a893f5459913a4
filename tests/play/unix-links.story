# Links, FIFOs and modes of the UNIX extensions.  The client never asks for them first: many kernels forget that after
# a reconnect (reports 151), so the levels are served to Linux all the same.  To others a stray level is no unlink.
connect; negotiate "NT LM 0.12"; session guest os="Linux version 6.1"; tree \\host\share
host file "t" data="target"
trans2 spath "/l" level=0x201 data=hex:7400+hex:0000
trans2 qpath "/l" level=0x201 -> data=hex:7400+hex:0000
trans2 qpath "/l" level=0x200 -> data[56:4]=2
trans2 qpath "/t" level=0x201 -> data=hex:0000
trans2 spath "/l" level=0x201 data=hex:7400+hex:0000 -> error OBJECT_NAME_COLLISION
# a way out of the share can be written down and read, not gone
trans2 spath "/out" level=0x201 data=hex:2f00650074006300+hex:0000
trans2 qpath "/out" level=0x201 -> data=hex:2f00650074006300+hex:0000
trans2 qpath "/out/passwd" level=0x200 -> error OBJECT_PATH_NOT_FOUND
nt_create "out\passwd" -> error OBJECT_PATH_NOT_FOUND
# hard links: one file, one number
trans2 spath "/h" level=0x203 data=hex:7400+hex:0000
trans2 qpath "/h" level=0x200 -> data[92:8]=2 data[76:8]=N
trans2 qpath "/t" level=0x200 -> data[76:8]==N data[0:8]=6
trans2 spath "/h2" level=0x203 data=hex:78007800+hex:0000 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "/h" level=0x203 data=hex:7400+hex:0000 -> error OBJECT_NAME_COLLISION
# a FIFO; a mode; what is not there and is to be a plain file
trans2 spath "/p" level=0x200 data="a"*0+hex:ffffffffffffffff+hex:ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff+hex:ffffffffffffffffffffffffffffffff+hex:05000000+hex:00000000000000000000000000000000+hex:ffffffffffffffff+hex:8001000000000000+hex:ffffffffffffffff
trans2 qpath "/p" level=0x200 -> data[56:4]=5 data[84:2]=0x180
trans2 spath "/t" level=0x200 data=hex:ffffffffffffffff+hex:ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff+hex:ffffffffffffffffffffffffffffffff+hex:00000000+hex:00000000000000000000000000000000+hex:ffffffffffffffff+hex:8001000000000000+hex:ffffffffffffffff
trans2 qpath "/t" level=0x200 -> data[84:2]=0x180 data[0:8]=6
trans2 spath "/no" level=0x200 data=hex:ffffffffffffffff+hex:ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff+hex:ffffffffffffffffffffffffffffffff+hex:00000000+hex:00000000000000000000000000000000+hex:ffffffffffffffff+hex:8001000000000000+hex:ffffffffffffffff -> error OBJECT_NAME_NOT_FOUND
# reading a FIFO would hang for ever: refused
nt_create "p" access=1 -> error ACCESS_DENIED
trans2 spath "/p" level=0x20a data=hex:0000
trans2 spath "/l" level=0x20a data=hex:0000
host exists "t"; host missing "p"; host missing "l"
# access list: three entries of the mode
trans2 qpath "/t" level=0x204 -> data[0:2]=1 data[2:2]=3 data[4:2]=0 data[6:1]=1 data[7:1]=6
# the volume, and who we are
trans2 qfs level=0x201 -> count_d=56
trans2 qfs level=0x202 -> data[0:4]=1 data[4:4]=1
trans2 qfs level=0x203 -> error INVALID_LEVEL
trans2 qpath "/t" level=0x205 -> error INVALID_LEVEL
trans2 spath "/t" level=0x200 data=hex:00 -> error INVALID_PARAMETER
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
2: trans2 spath "t" level=0x20a data=hex:0000 -> error INVALID_LEVEL
2: trans2 qpath "t" level=0x200 -> ok
host exists "t"
