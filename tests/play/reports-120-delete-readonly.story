# A read-only file can be opened with the right to delete, but does not go (BZ 13673, 15732).
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "r"; setatr "r" attrs=1
nt_create "r" access=0x130089 options=0x1000 -> error CANNOT_DELETE
nt_create "r" access=0x130089 -> fid=F
trans2 sfile F level=0x102 data=hex:01 -> error CANNOT_DELETE
close F
host exists "r"
