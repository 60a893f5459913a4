# SET_PATH_INFO, SET_FILE_INFO, CREATE_DIRECTORY, OPEN2.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
trans2 mkdir "d"
trans2 mkdir "d" -> error OBJECT_NAME_COLLISION
trans2 mkdir "no\d" -> error OBJECT_PATH_NOT_FOUND
trans2 open2 "f" -> error OBJECT_NAME_NOT_FOUND
trans2 open2 "f" func=0x11 -> fid=F action=2 size=0
write_andx F data="0123456789" -> count=10
# end of file
trans2 sfile F level=0x104 data=hex:0400000000000000
host stat "f" -> size=4
trans2 sfile F level=1020 data=hex:0800000000000000
host stat "f" -> size=8
# allocation below the end cuts
trans2 sfile F level=0x103 data=hex:0200000000000000
host stat "f" -> size=2
# times and attributes: keep all but the attributes
trans2 sfile F level=0x101 data=hex:00*32+hex:2200000000000000
trans2 qfile F level=0x101 -> attrs=0x22
trans2 spath "f" level=0x101 data=hex:00*16+hex:0080c8c4aaded601+hex:00*8+hex:8000000000000000
trans2 qpath "f" level=0x101 -> attrs=0x80
trans2 sfile F level=1014 data=hex:0500000000000000
trans2 qfile F level=1014 -> position=5
close F
# rename by handle
nt_create "f" access=0x13019f -> fid=F
trans2 sfile F level=1010 data=hex:000000000000000002000000+hex:6700
host exists "g"
close F
# wrong
trans2 sfile F level=0x104 data=hex:00*8 -> error INVALID_HANDLE
nt_create "g" -> fid=F
trans2 sfile F level=0x104 data=hex:00 -> error INVALID_PARAMETER
trans2 sfile F level=0x104 data=hex:ffffffffffffffff -> error INVALID_PARAMETER
trans2 sfile F level=0x999 -> error INVALID_LEVEL
close F
trans2 spath "none" level=0x101 data=hex:00*40 -> error OBJECT_NAME_NOT_FOUND
tree \\host\ro
trans2 mkdir "e" -> error ACCESS_DENIED
trans2 spath "g" level=0x101 data=hex:00*40 -> error ACCESS_DENIED
