# POSIX open, mkdir, unlink and POSIX names, after the client has asked for the UNIX extensions.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
trans2 qfs level=0x200 -> data[0:2]=1 data[4:8]=0x10000000001fb
trans2 code=4 p=hex:00000002 d=hex:01000000+hex:fb00000000000000
# nothing there, created, there (reports 143: all mixes of flags; a bare EXCL says nothing)
trans2 spath "/F" level=0x209 data=hex:00000000+hex:01000000+hex:a401000000000000+hex:0002 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "/F" level=0x209 data=hex:00000000+hex:61000000+hex:a401000000000000+hex:0002 -> error OBJECT_NAME_NOT_FOUND
trans2 spath "/F" level=0x209 data=hex:00000000+hex:34000000+hex:a401000000000000+hex:0002 -> data[2:2]=A data[4:4]=2 data[8:2]=0x200 data[96:2]=0x1a4
trans2 spath "/F" level=0x209 data=hex:00000000+hex:34000000+hex:a401000000000000+hex:0002 -> error OBJECT_NAME_COLLISION
write A off=0 data="content"
trans2 spath "/F" level=0x209 data=hex:00000000+hex:21000000+hex:a401000000000000+hex:ffff -> data[2:2]=B data[4:4]=1 data[8:2]=0xffff count_d=12
trans2 qfile B level=0x200 -> data[0:8]=7
trans2 spath "/F" level=0x209 data=hex:00000000+hex:52000000+hex:a401000000000000+hex:0b02 -> data[2:2]=C data[4:4]=3 data[12:8]=0 data[8:2]=0x20b
close C
# another case is another file; colon, star and backslash are letters
trans2 spath "/f" level=0x209 data=hex:00000000+hex:34000000+hex:a401000000000000+hex:ffff -> data[2:2]=C
close C
trans2 spath "/a:b*c\d" level=0x209 data=hex:00000000+hex:34000000+hex:a401000000000000+hex:ffff -> data[2:2]=C
close C
host exists "F"; host exists "f"; host exists "a:b*c\d"
# unlink of what is open: gone at once, and the handle lives on
trans2 spath "/F" level=0x20a data=hex:0000
host missing "F"
read B off=0 count=7 -> count=0
write A off=0 data="still here"
read B off=0 count=10 -> data="still here"
close A; close B
host missing "F"
# mkdir
trans2 spath "/d" level=0x209 data=hex:00000000+hex:10020000+hex:ed01000000000000+hex:0002 -> data[2:2]=0 data[4:4]=2 data[68:4]=1
trans2 spath "/d" level=0x209 data=hex:00000000+hex:10020000+hex:ed01000000000000+hex:0002 -> error OBJECT_NAME_COLLISION
trans2 spath "/d" level=0x209 data=hex:00000000+hex:01000000+hex:ed01000000000000+hex:0002 -> error FILE_IS_A_DIRECTORY
trans2 spath "/f" level=0x209 data=hex:00000000+hex:01020000+hex:ed01000000000000+hex:0002 -> error NOT_A_DIRECTORY
trans2 spath "/d" level=0x20a data=hex:0000 -> error FILE_IS_A_DIRECTORY
trans2 spath "/f" level=0x20a data=hex:0100 -> error NOT_A_DIRECTORY
host file "d/x"
trans2 spath "/d" level=0x20a data=hex:0100 -> error DIRECTORY_NOT_EMPTY
trans2 spath "/d/./../d//x" level=0x20a data=hex:0000
trans2 spath "/d" level=0x20a data=hex:0100
host missing "d"
# a Windows client that does not share deletion keeps its file
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
2: nt_create "f" access=0x120089 share=3 -> fid=G
trans2 spath "/f" level=0x20a data=hex:0000 -> error SHARING_VIOLATION
2: close G
2: nt_create "f" access=0x120089 share=0 -> fid=G
trans2 spath "/f" level=0x209 data=hex:00000000+hex:01000000+hex:0000000000000000+hex:ffff -> error SHARING_VIOLATION
2: close G
# too short
trans2 spath "/f" level=0x209 data=hex:0000000001000000 -> error INVALID_PARAMETER
trans2 spath "/f" level=0x20a data=hex:00 -> error INVALID_PARAMETER
