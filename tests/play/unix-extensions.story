# UNIX extensions: what is told and set by path and by handle.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "f" data="12345"; host dir "d"
trans2 qfs level=0x200 -> count_d=12 data[0:2]=1 data[4:1]!=0
trans2 qfs level=0x201 -> count_d=56
trans2 qfs level=0x202 -> data[4:4]=1
# before names are POSIX: as before
trans2 qpath "f" level=0x200 -> count_d=100 data[0:8]=5
trans2 code=4 p=hex:00000002 d=hex:01000000+hex:3b00000000000000
trans2 code=4 p=hex:00000002 d=hex:0100 -> error INVALID_PARAMETER
trans2 qpath "/f" level=0x200 -> count_d=100 data[0:8]=5 data[56:4]=0
trans2 qpath "/f" level=0x20b -> count_d=116
trans2 qpath "/d" level=0x200 -> data[56:4]=1
trans2 qpath "/F" level=0x200 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "/F" level=0x20b -> error OBJECT_NAME_NOT_FOUND
# chmod
trans2 spath "/f" level=0x200 data=hex:ff*40+hex:ff*16+hex:00*28+hex:8001000000000000+hex:00*8
host stat "f" -> mode=0600
trans2 spath "/f" level=0x20b data=hex:ff*40+hex:ff*16+hex:00*28+hex:a401000000000000+hex:00*8+hex:ff*8+hex:00*8
host stat "f" -> mode=0644
trans2 spath "/f" level=0x200 data=hex:00 -> error INVALID_PARAMETER
trans2 spath "/f" level=0x20b data=hex:00*100 -> error INVALID_PARAMETER
# symbolic and hard links
trans2 spath "/s" level=0x201 data=hex:66000000
trans2 qpath "/s" level=0x200 -> data[56:4]=2
trans2 qpath "/s" level=0x201 -> data~hex:6600
trans2 qpath "/f" level=0x201 -> count_d=2
trans2 qpath "/none" level=0x201 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "/s" level=0x201 data=hex:66000000 -> error OBJECT_NAME_COLLISION
trans2 spath "/h" level=0x203 data=hex:2f0066000000
trans2 qpath "/h" level=0x200 -> data[92:8]=2
trans2 spath "/h" level=0x203 data=hex:2f0066000000 -> error OBJECT_NAME_COLLISION
# lists
trans2 qpath "/f" level=0x204 -> data[0:2]=1 data[2:2]>=3
trans2 qpath "/none" level=0x204 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "/f" level=0x204 data=hex:0100ffffffff
trans2 spath "/f" level=0x204 data=hex:0900ffffffff -> error INVALID_PARAMETER
trans2 qpath "/none" level=0x206 -> error OBJECT_NAME_NOT_FOUND
# flags of lsattr: the file system of the test may keep them or not
trans2 qpath "/f" level=0x206 -> count_d=16 data[0:8]!=0
# listings
trans2 find_first "/f" level=0x202 -> count=1
trans2 find_first "/f" level=0x20b -> count=1
trans2 find_first "/none" level=0x202 -> error NO_SUCH_FILE
trans2 find_first "/none" level=0x20b -> error NO_SUCH_FILE
# open, lock, unlink
trans2 spath "/p" level=0x209 data=hex:00*4+hex:34000000+hex:a401000000000000+hex:0002 -> data[4:4]=2 data[8:2]=0x200 data[2:2]=F
trans2 spath "/p" level=0x209 data=hex:00*4+hex:34000000+hex:a401000000000000+hex:0002 -> error OBJECT_NAME_COLLISION
trans2 spath "/q" level=0x209 data=hex:00*4+hex:04000000+hex:a401000000000000+hex:0002 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "/e" level=0x209 data=hex:00*4+hex:12020000+hex:ed01000000000000+hex:ffff -> data[4:4]=2 data[2:2]=0
host exists "e"
trans2 sfile F level=0x208 data=hex:01000000+hex:07000000+hex:00*8+hex:0a00000000000000
trans2 qfile F level=0x208 data=hex:01000000+hex:07000000+hex:00*8+hex:0a00000000000000 -> data[0:2]=2
trans2 sfile F level=0x208 data=hex:02000000+hex:07000000+hex:00*8+hex:0a00000000000000
trans2 sfile F level=0x208 data=hex:0900 -> error INVALID_PARAMETER
trans2 qfile F level=0x208 data=hex:0900 -> error INVALID_PARAMETER
trans2 qfile F level=0x20b -> count_d=116
trans2 spath "/p" level=0x20a data=hex:0000
host missing "p"
close F
trans2 spath "/none" level=0x20a data=hex:0000 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "/e" level=0x20a data=hex:0100
host missing "e"
# reserved numbers
trans2 qpath "/f" level=0x205 -> error INVALID_LEVEL
trans2 qpath "/f" level=0x207 -> error INVALID_LEVEL
# nothing of it on a read-only share
tree \\host\ro
trans2 spath "f" level=0x200 data=hex:ff*40+hex:ff*16+hex:00*28+hex:8001000000000000+hex:00*8 -> error ACCESS_DENIED
trans2 spath "x" level=0x201 data=hex:66000000 -> error ACCESS_DENIED
trans2 spath "f" level=0x20a data=hex:0000 -> error ACCESS_DENIED
