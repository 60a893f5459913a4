# Every level of QUERY_FS_INFO, and what SET_FS_INFO says.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
trans2 qfs level=0x1 -> count_d=18
trans2 qfs level=0x2 -> count_d>=5
trans2 qfs level=0x101 -> count_d>=5
trans2 qfs level=0x102 -> count_d>=5
trans2 qfs level=0x103 -> count_d=24
trans2 qfs level=0x104 -> count_d=8
trans2 qfs level=0x105 -> count_d>=5
trans2 qfs level=1001 -> count_d>=5
trans2 qfs level=1002 -> count_d>=5
trans2 qfs level=1003 -> count_d=24
trans2 qfs level=1004 -> count_d=8
trans2 qfs level=1005 -> count_d>=5
trans2 qfs level=1007 -> count_d=32
trans2 qfs level=1008 -> count_d=64
trans2 qfs level=1011 -> count_d=28
# a Macintosh: a disk with a size, and no forks
trans2 qfs level=0x301 -> count_d=88 data[24:4]!=0 data[28:4]>=512 data[84:4]=0x100
# wrong: too small a buffer
trans2 qfs level=0x1 maxd=1 -> error INFO_LENGTH_MISMATCH
trans2 qfs level=0x2 maxd=1 -> error INFO_LENGTH_MISMATCH
trans2 qfs level=0x101 maxd=1 -> error INFO_LENGTH_MISMATCH
trans2 qfs level=0x102 maxd=1 -> error INFO_LENGTH_MISMATCH
trans2 qfs level=0x103 maxd=1 -> error INFO_LENGTH_MISMATCH
trans2 qfs level=0x104 maxd=1 -> error INFO_LENGTH_MISMATCH
trans2 qfs level=0x105 maxd=1 -> error INFO_LENGTH_MISMATCH
trans2 qfs level=1001 maxd=1 -> error INFO_LENGTH_MISMATCH
trans2 qfs level=1002 maxd=1 -> error INFO_LENGTH_MISMATCH
trans2 qfs level=1003 maxd=1 -> error INFO_LENGTH_MISMATCH
trans2 qfs level=1004 maxd=1 -> error INFO_LENGTH_MISMATCH
trans2 qfs level=1005 maxd=1 -> error INFO_LENGTH_MISMATCH
trans2 qfs level=1007 maxd=1 -> error INFO_LENGTH_MISMATCH
trans2 qfs level=1008 maxd=1 -> error INFO_LENGTH_MISMATCH
trans2 qfs level=1011 maxd=1 -> error INFO_LENGTH_MISMATCH
trans2 qfs level=0x301 maxd=87 -> error INFO_LENGTH_MISMATCH
# quotas are for administrators
trans2 qfs level=1006 -> error ACCESS_DENIED
# what cannot be set
trans2 code=4 p=hex:00000402 -> error NOT_SUPPORTED
trans2 code=4 p=hex:0000ee03 d=hex:00*48 -> error ACCESS_DENIED
trans2 code=4 p=hex:0000ed03 d=hex:00*48 -> error NOT_SUPPORTED
trans2 code=4 p=hex:00 -> error INVALID_PARAMETER
