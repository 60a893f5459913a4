# Every level of FIND_FIRST2.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "a" data="12345"
trans2 find_first "a" level=0x1 -> names="a" count=1
trans2 find_first "a" level=0x2 -> names="a" count=1
trans2 find_first "a" level=0x101 -> names="a" count=1
trans2 find_first "a" level=0x102 -> names="a" count=1
trans2 find_first "a" level=0x103 -> names="a" count=1
trans2 find_first "a" level=0x104 -> names="a" count=1
trans2 find_first "a" level=0x105 -> names="a" count=1
trans2 find_first "a" level=0x106 -> names="a" count=1
trans2 find_first "a" level=1001 -> names="a" count=1
trans2 find_first "a" level=1002 -> names="a" count=1
trans2 find_first "a" level=1003 -> names="a" count=1
trans2 find_first "a" level=1012 -> names="a" count=1
trans2 find_first "a" level=1037 -> names="a" count=1
trans2 find_first "a" level=1038 -> names="a" count=1
trans2 find_first "a" level=3 d=hex:07000000+hex:01+"A"+hex:00 -> names="a"
# wrong
trans2 find_first "none" level=0x1 -> error NO_SUCH_FILE
trans2 find_first "none" level=0x2 -> error NO_SUCH_FILE
trans2 find_first "none" level=0x101 -> error NO_SUCH_FILE
trans2 find_first "none" level=0x102 -> error NO_SUCH_FILE
trans2 find_first "none" level=0x103 -> error NO_SUCH_FILE
trans2 find_first "none" level=0x104 -> error NO_SUCH_FILE
trans2 find_first "none" level=0x105 -> error NO_SUCH_FILE
trans2 find_first "none" level=0x106 -> error NO_SUCH_FILE
trans2 find_first "none" level=1001 -> error NO_SUCH_FILE
trans2 find_first "none" level=1002 -> error NO_SUCH_FILE
trans2 find_first "none" level=1003 -> error NO_SUCH_FILE
trans2 find_first "none" level=1012 -> error NO_SUCH_FILE
trans2 find_first "none" level=1037 -> error NO_SUCH_FILE
trans2 find_first "none" level=1038 -> error NO_SUCH_FILE
trans2 find_first "a" level=3 d=hex:ff000000 -> error EA_LIST_INCONSISTENT
trans2 find_first "a" level=0x302 -> error INVALID_LEVEL
