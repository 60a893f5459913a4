# Delete on close: by option and by disposition, with one and two openers.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
nt_create "f" disp=2 access=0x13019f options=0x1000 -> fid=F
host exists "f"
close F
host missing "f"
# it needs the right to delete
nt_create "f" disp=2 access=0x12019f options=0x1000 -> error INVALID_PARAMETER
host missing "f"
# by disposition, and taken back
nt_create "f" disp=2 access=0x13019f -> fid=F
trans2 sfile F level=0x102 data=hex:01
trans2 sfile F level=0x102 data=hex:00
close F
host exists "f"
nt_create "f" access=0x13019f -> fid=F
trans2 sfile F level=0x102 data=hex:01
# doomed: nobody may open it any more (reports 121)
nt_create "f" -> error DELETE_PENDING
trans2 qfile F level=0x102 -> pending=1
close F
host missing "f"
# without the right
nt_create "f" disp=2 -> fid=F
trans2 sfile F level=0x102 data=hex:01 -> error ACCESS_DENIED
close F
# two openers: the last one takes it away
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
nt_create "f" access=0x13019f -> fid=F
2: nt_create "f" access=0x120089 -> fid=G
trans2 sfile F level=0x102 data=hex:01
close F
host exists "f"
2: nt_create "f" -> error DELETE_PENDING
2: close G
host missing "f"
# read-only files and folders that are not empty stay (reports 120)
host file "r"; setatr "r" attrs=1
nt_create "r" access=0x130089 options=0x1000 -> error CANNOT_DELETE
host dir "d"; host file "d/x"
nt_create "d" access=0x130089 options=1 -> fid=F
trans2 sfile F level=0x102 data=hex:01 -> error DIRECTORY_NOT_EMPTY
delete "d\x"
trans2 sfile F level=0x102 data=hex:01
close F
host missing "d"
