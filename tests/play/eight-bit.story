# A client of NT LM 0.12 with 8-bit strings: what is in the message's charset, what is UTF-16 always.
connect; set unicode=off; negotiate "NT LM 0.12" -> domain="WORKGROUP" server="HOST"
session guest; tree \\host\share
nt_create "torture_search.txt" disp=2 access=0x12019f -> fid=F
# levels of listings: 8-bit, with a NUL that counts
trans2 find_first "torture_*" level=0x101 -> names="torture_search.txt" name_len=19
trans2 find_first "torture_*" level=0x103 -> names="torture_search.txt" name_len=19
trans2 find_first "torture_*" level=0x104 -> names="torture_search.txt" name_len=19 short~"~"
trans2 find_first "torture_*" level=0x106 -> names="torture_search.txt" name_len=19
trans2 find_first "nothing*" level=0x104 -> error NO_SUCH_FILE
# of a file: UTF-16 without NUL
trans2 qpath "torture_search.txt" level=0x104 -> name="\torture_search.txt" count_d=42
trans2 qfile F level=0x107 -> name="\torture_search.txt"
trans2 qpath "torture_search.txt" level=1021 -> name~"~"
trans2 qpath "nothing" level=0x104 -> error OBJECT_NAME_NOT_FOUND
close F
# and so it is where a level sets a name
nt_create "torture_search.txt" access=0x13019f share=7 -> fid=F
trans2 sfile F level=1010 data=hex:00000000+hex:00000000+hex:04000000+hex:62003100
host exists "b1"
trans2 sfile F level=1010 data=hex:00000000+hex:00000000+hex:08000000+hex:6200 -> error INVALID_PARAMETER
close F
nt_create "torture_search.txt" disp=2 -> fid=F; close F
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
2: trans2 find_first "torture_*" level=0x104 -> names="torture_search.txt" name_len=36
