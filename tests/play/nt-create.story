# NT_CREATE_ANDX: dispositions, options, the reply's fields.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
nt_create "new" -> error OBJECT_NAME_NOT_FOUND
nt_create "no\new" -> error OBJECT_PATH_NOT_FOUND
nt_create "new" disp=4 -> error OBJECT_NAME_NOT_FOUND
nt_create "new" disp=2 -> fid=F action=2 size=0 attrs=0x20 dir=0 type=0 oplock=0 wct=34
write_andx F data="12345"; close F
nt_create "new" disp=2 -> error OBJECT_NAME_COLLISION
nt_create "NEW" disp=1 -> fid=F action=1 size=5
close F
nt_create "new" disp=3 -> fid=F action=1 size=5; close F
nt_create "new" disp=4 -> fid=F action=3 size=0; close F
nt_create "other" disp=5 -> fid=F action=2; close F
nt_create "other" disp=5 -> fid=F action=3; close F
nt_create "third" disp=0 -> fid=F action=2; close F
nt_create "third" disp=0 -> fid=F action=0; close F
nt_create "third" disp=9 -> error INVALID_PARAMETER
# folders
nt_create "dir" disp=2 options=1 -> fid=D action=2 dir=1 attrs=0x10
nt_create "sub" disp=2 options=1 root=D -> fid=E dir=1; close E
host exists "dir/sub"
read_andx D -> error INVALID_DEVICE_REQUEST
close D
nt_create "dir" options=0x40 -> error FILE_IS_A_DIRECTORY
nt_create "new" options=1 -> error NOT_A_DIRECTORY
nt_create "" options=1 -> fid=D dir=1; close D
nt_create "\" -> fid=D dir=1; close D
nt_create "new" nul -> fid=F; close F
# extended reply: 42 words are said, 50 follow
nt_create "new" extended -> fid=F wct=42 max_access!=0; close F
# what cannot be
nt_create "a:b:c:d" disp=3 -> error OBJECT_NAME_INVALID
nt_create "..\x" disp=3 -> error OBJECT_PATH_SYNTAX_BAD
nt_create "new\x" disp=3 -> error OBJECT_PATH_NOT_FOUND
nt_create "new" root=77 -> error INVALID_HANDLE
nt_create "x*" disp=2 -> error OBJECT_NAME_INVALID
