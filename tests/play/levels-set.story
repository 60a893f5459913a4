# Every level of SET_PATH_INFO and SET_FILE_INFO.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "f" data="12345"
nt_create "f" access=0x1f01ff share=7 -> fid=F
trans2 sfile F level=0x1 data=hex:00*12
trans2 spath "f" level=0x1 data=hex:00*12
trans2 sfile F level=0x101 data=hex:00*40
trans2 spath "f" level=0x101 data=hex:00*40
trans2 sfile F level=0x102 data=hex:00
trans2 spath "f" level=0x102 data=hex:00
trans2 sfile F level=0x103 data=hex:0500000000000000
trans2 spath "f" level=0x103 data=hex:0500000000000000
trans2 sfile F level=0x104 data=hex:0500000000000000
trans2 spath "f" level=0x104 data=hex:0500000000000000 -> error INVALID_LEVEL
trans2 sfile F level=1004 data=hex:00*40
trans2 spath "f" level=1004 data=hex:00*40
trans2 sfile F level=1013 data=hex:00
trans2 spath "f" level=1013 data=hex:00
trans2 sfile F level=1014 data=hex:0000000000000000
trans2 spath "f" level=1014 data=hex:0000000000000000
trans2 sfile F level=1016 data=hex:00000000
trans2 spath "f" level=1016 data=hex:00000000
trans2 sfile F level=1019 data=hex:0500000000000000
trans2 spath "f" level=1019 data=hex:0500000000000000
trans2 sfile F level=1020 data=hex:0500000000000000
trans2 spath "f" level=1020 data=hex:0500000000000000
trans2 sfile F level=1039 data=hex:0500000000000000
trans2 spath "f" level=1039 data=hex:0500000000000000
host stat "f" -> size=5
# attributes: set, seen, asked for by name, taken away by an empty value
trans2 spath "f" level=2 data=hex:0b000000+hex:0001+hex:0100+"A"+hex:00+"x"
trans2 qpath "f" level=4 -> count_d=11 data~"A"
trans2 qpath "f" level=2 -> ea_size=11
trans2 qpath "f" level=3 data=hex:07000000+hex:01+"A"+hex:00 -> data~"x"
trans2 find_first "f" level=3 d=hex:07000000+hex:01+"A"+hex:00 -> names="f"
trans2 sfile F level=2 data=hex:0a000000+hex:0001+hex:0000+"A"+hex:00
trans2 qpath "f" level=0x103 -> ea_size=0
# a second name, the same file
trans2 spath "f" level=1011 data=hex:00*8+hex:02000000+hex:6c00
host exists "l"
trans2 qpath "f" level=0x102 -> links=2
trans2 spath "f" level=1011 data=hex:00*8+hex:02000000+hex:6c00 -> error OBJECT_NAME_COLLISION
trans2 spath "f" level=1015 data=hex:00000000+hex:00+hex:01+hex:0100+"A"+hex:00+"x"
trans2 qpath "f" level=4 -> count_d=11 data~"A"
trans2 sfile F level=1015 data=hex:00000000+hex:00+hex:01+hex:0000+"A"+hex:00
trans2 qpath "f" level=0x103 -> ea_size=0
trans2 sfile F level=1015 data=hex:00000000+hex:00+hex:09+hex:0000+"A"+hex:00 -> error EA_LIST_INCONSISTENT
trans2 sfile F level=1015 data=hex:00 -> error INVALID_PARAMETER
# deleted on close
host file "g"; nt_create "g" access=0x10000 share=7 -> fid=G
trans2 sfile G level=1013 data=hex:01; close G
host missing "g"
# wrong: nothing to set, no such file
trans2 sfile F level=0x1 -> error INVALID_PARAMETER
trans2 sfile F level=0x101 -> error INVALID_PARAMETER
trans2 sfile F level=0x102 -> error INVALID_PARAMETER
trans2 sfile F level=0x103 -> error INVALID_PARAMETER
trans2 sfile F level=0x104 -> error INVALID_PARAMETER
trans2 sfile F level=1004 -> error INVALID_PARAMETER
trans2 sfile F level=1013 -> error INVALID_PARAMETER
trans2 sfile F level=1014 -> error INVALID_PARAMETER
trans2 sfile F level=1016 -> error INVALID_PARAMETER
trans2 sfile F level=1019 -> error INVALID_PARAMETER
trans2 sfile F level=1020 -> error INVALID_PARAMETER
trans2 sfile F level=1039 -> error INVALID_PARAMETER
trans2 sfile F level=2 data=hex:ff000000 -> error EA_LIST_INCONSISTENT
trans2 sfile F level=1010 -> error INVALID_PARAMETER
trans2 sfile F level=1010 data=hex:00*8+hex:06000000+hex:6100ff -> error INVALID_PARAMETER
trans2 spath "none" level=0x1 data=hex:00*12 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "none" level=0x101 data=hex:00*40 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "none" level=0x102 data=hex:00 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "none" level=0x103 data=hex:0500000000000000 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "none" level=0x104 data=hex:0500000000000000 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "none" level=1004 data=hex:00*40 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "none" level=1013 data=hex:00 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "none" level=1014 data=hex:0000000000000000 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "none" level=1016 data=hex:00000000 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "none" level=1019 data=hex:0500000000000000 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "none" level=1020 data=hex:0500000000000000 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "none" level=1039 data=hex:0500000000000000 -> error OBJECT_NAME_NOT_FOUND
trans2 sfile F level=1016 data=hex:ffffffff -> error INVALID_PARAMETER
# a short name wants a right that users do not have
trans2 sfile F level=1040 data=hex:02000000+hex:4600 -> error PRIVILEGE_NOT_HELD
