# QUERY_PATH_INFO, QUERY_FILE_INFO, QUERY_FS_INFO.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "f" data="12345"; host touch "f" time=1000000000; host dir "d"
trans2 qpath "f" level=1 -> size=5
trans2 qpath "f" level=2 -> size=5
trans2 qpath "f" level=0x101 -> attrs!=0 written=126444736000000000
trans2 qpath "f" level=0x102 -> size=5 pending=0 dir=0 links=1
trans2 qpath "f" level=0x103 -> ea_size=0
trans2 qpath "f" level=0x104 -> name="\f"
trans2 qpath "f" level=0x107 -> size=5 name~"f" dir=0
trans2 qpath "f" level=0x108 -> name!=""
trans2 qpath "d" level=0x102 -> dir=1 size=0
trans2 qpath "" level=0x101 -> attrs=0x10
trans2 qpath "f" level=6
trans2 qpath "f" level=1004 -> written=126444736000000000
trans2 qpath "f" level=1005 -> size=5
trans2 qpath "f" level=1006 -> file_id!=0
trans2 qpath "f" level=1034 -> size=5 attrs!=0
trans2 qpath "f" level=1035 -> attrs!=0
nt_create "f" -> fid=F
trans2 qfile F level=0x102 -> size=5
trans2 qfile F level=0x107 -> size=5
trans2 qfile F level=1008 -> access!=0
trans2 qfile F level=1014 -> position=0
close F
trans2 qfs level=1 -> sectors!=0 units!=0 bytes!=0
trans2 qfs level=2
trans2 qfs level=0x102 -> label!=""
trans2 qfs level=0x103 -> units!=0 bytes=512
trans2 qfs level=0x104 -> type=7
trans2 qfs level=0x105 -> fs="NTFS" max_name=255
trans2 qfs level=1007 -> units!=0
# wrong
trans2 qfile F level=0x102 -> error INVALID_HANDLE
trans2 qfile 0 level=0x102 -> error INVALID_HANDLE
trans2 qpath "none" level=0x101 -> error OBJECT_NAME_NOT_FOUND
trans2 qpath "no\none" level=0x101 -> error OBJECT_PATH_NOT_FOUND
trans2 qpath "f" level=0x999 -> error INVALID_LEVEL
trans2 qfs level=0x999 -> error INVALID_LEVEL
trans2 qpath "f" level=0x107 maxd=4 -> error INFO_LENGTH_MISMATCH
trans2 code=5 p=hex:01 -> error INVALID_PARAMETER
trans2 code=7 p=hex:01 -> error INVALID_PARAMETER
trans2 code=3 -> error INVALID_PARAMETER
