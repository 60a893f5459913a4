# Every level of QUERY_PATH_INFO and QUERY_FILE_INFO.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "f" data="12345"; host dir "d"
nt_create "f" access=0x12019f -> fid=F
trans2 qpath "f" level=0x1 -> count_d=22
trans2 qfile F level=0x1 -> count_d=22
trans2 qpath "f" level=0x2 -> count_d=26
trans2 qfile F level=0x2 -> count_d=26
trans2 qpath "f" level=0x4 -> count_d=4
trans2 qfile F level=0x4 -> count_d=4
trans2 qpath "f" level=0x101 -> count_d=40
trans2 qfile F level=0x101 -> count_d=40
trans2 qpath "f" level=0x102 -> count_d=24
trans2 qfile F level=0x102 -> count_d=24
trans2 qpath "f" level=0x103 -> count_d=4
trans2 qfile F level=0x103 -> count_d=4
trans2 qpath "f" level=0x104
trans2 qfile F level=0x104
trans2 qpath "f" level=0x107
trans2 qfile F level=0x107
trans2 qpath "f" level=0x108
trans2 qfile F level=0x108
trans2 qpath "f" level=0x109
trans2 qfile F level=0x109
trans2 qpath "f" level=0x10b -> count_d=16
trans2 qfile F level=0x10b -> count_d=16
trans2 qpath "f" level=1004 -> count_d=40
trans2 qfile F level=1004 -> count_d=40
trans2 qpath "f" level=1005 -> count_d=24
trans2 qfile F level=1005 -> count_d=24
trans2 qpath "f" level=1006 -> count_d=8
trans2 qfile F level=1006 -> count_d=8
trans2 qpath "f" level=1007 -> count_d=4
trans2 qfile F level=1007 -> count_d=4
trans2 qpath "f" level=1008 -> count_d=4
trans2 qfile F level=1008 -> count_d=4
trans2 qpath "f" level=1009
trans2 qfile F level=1009
trans2 qpath "f" level=1014 -> count_d=8
trans2 qfile F level=1014 -> count_d=8
trans2 qpath "f" level=1016 -> count_d=4
trans2 qfile F level=1016 -> count_d=4
trans2 qpath "f" level=1017 -> count_d=4
trans2 qfile F level=1017 -> count_d=4
trans2 qpath "f" level=1018
trans2 qfile F level=1018
trans2 qpath "f" level=1021
trans2 qfile F level=1021
trans2 qpath "f" level=1022
trans2 qfile F level=1022
trans2 qpath "f" level=1028 -> count_d=16
trans2 qfile F level=1028 -> count_d=16
trans2 qpath "f" level=1034 -> count_d=56
trans2 qfile F level=1034 -> count_d=56
trans2 qpath "f" level=1035 -> count_d=8
trans2 qfile F level=1035 -> count_d=8
# the main stream: "::$DATA" of 5 bytes
trans2 qpath "f" level=0x109 -> data[4:4]=14 data[8:8]=5
trans2 qpath "f" level=1022 -> data[4:4]=14 data[8:8]=5
# a folder has none
trans2 qpath "d" level=0x109 -> count_d=0
trans2 qpath "f" level=1009 -> name="\f"
trans2 qpath "f" level=1021 -> name!=""
trans2 qfile F level=1008 -> access=0x12019f
trans2 qfile F level=1017 -> data[0:4]=0
trans2 qpath "f" level=1028 -> data[0:8]=5 data[8:8]=0
# OS/2 asks by name for attributes
trans2 qpath "f" level=3 data=hex:07000000+hex:01+"A"+hex:00 -> count_d>=4
trans2 qpath "good name" level=6
# wrong
trans2 qpath "b\a<d" level=6 -> error OBJECT_NAME_INVALID
trans2 qfile F level=6 -> error INVALID_LEVEL
trans2 qpath "f" level=3 data=hex:ff000000 -> error EA_LIST_INCONSISTENT
trans2 qpath "none" level=0x1 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=0x2 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=0x4 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=0x101 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=0x102 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=0x103 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=0x104 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=0x107 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=0x108 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=0x109 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=0x10b -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1004 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1005 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1006 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1007 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1008 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1009 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1014 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1016 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1017 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1018 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1021 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1022 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1028 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1034 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1035 -> error OBJECT_NAME_NOT_FOUND
close F
trans2 qfile F level=0x101 -> error INVALID_HANDLE
trans2 qfile F level=0x104 -> error INVALID_HANDLE
trans2 qfile F level=1004 -> error INVALID_HANDLE
trans2 qfile F level=1034 -> error INVALID_HANDLE
# sizes, deletion, and the name with its aliases spelled out, each by itself
nt_create "f" access=0x13019f share=7 -> fid=F
trans2 qpath "f" level=0x105 -> count_d=8 data[0:8]>=5
trans2 qpath "f" level=1019 -> count_d=8 data[0:8]>=5
trans2 qpath "f" level=0x106 -> count_d=8 data[0:8]=5
trans2 qfile F level=1020 -> count_d=8 data[0:8]=5
trans2 qpath "d" level=1020 -> data[0:8]=0
trans2 qfile F level=1013 -> count_d=1 data[0:1]=0
trans2 sfile F level=1013 data=hex:01; trans2 qfile F level=1013 -> data[0:1]=1
trans2 sfile F level=1013 data=hex:00
host file "d/a long name.text" data="1"
trans2 qpath "D\A LONG NAME.TEXT" level=1048 -> data[0:4]=36 data~hex:64005c0061002000
trans2 qpath "d\none" level=1048 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=0x105 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=0x106 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1013 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1019 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "none" level=1020 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "f" level=1020 maxd=4 -> error INFO_LENGTH_MISMATCH
# attributes in NT's form; to have none is an error
trans2 qpath "f" level=1015 -> error NO_EAS_ON_FILE
trans2 sfile F level=1015 data=hex:10000000+hex:00+hex:01+hex:0200+"A"+hex:00+"xy"+hex:00*4+hex:00000000+hex:00+hex:01+hex:0100+"B"+hex:00+"z"
trans2 qpath "f" level=1015 -> count_d>=23 data[0:4]=12 data[5:1]=1 data[6:2]=2 data~"xy" data~"z"
close F
# levels of others
trans2 qpath "f" level=0xb -> error INVALID_LEVEL
trans2 qpath "f" level=0xc -> error INVALID_LEVEL
trans2 qpath "f" level=0x205 -> error INVALID_LEVEL
trans2 qpath "f" level=0x207 -> error INVALID_LEVEL
