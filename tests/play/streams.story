# Alternate data streams.
config {
[st]
path = @DIR@/share
read only = no
guest ok = yes
smb1d: streams = yes
}
connect; negotiate "NT LM 0.12"; session guest; tree \\host\st
host file "f" data="main"
nt_create "f:s" disp=2 access=0x12019f share=7 -> fid=F action=2
write_andx F data="inside" -> count=6
close F
# the file itself is as it was
host stat "f" -> size=4
nt_create "f:S" access=0x120089 share=7 -> fid=F size=6
read_andx F count=100 -> data="inside"
trans2 qfile F level=0x102 -> size=6
close F
trans2 qpath "f" level=0x109 -> data[4:4]=14 data[8:8]=4 data~hex:3a0073003a002400
trans2 qpath "f" level=1022 -> data~hex:3a0073003a002400
# the main stream has a name as well
nt_create "f::$DATA" access=0x120089 share=7 -> fid=F size=4; close F
# opened with its type
nt_create "f:s:$DATA" access=0x120089 share=7 -> fid=F size=6; close F
# none of that name, a type that is not there
nt_create "f:none" access=0x120089 -> error OBJECT_NAME_NOT_FOUND
nt_create "none:s" access=0x120089 -> error OBJECT_NAME_NOT_FOUND
nt_create "f:s:$FILE" access=0x120089 -> error OBJECT_NAME_INVALID
nt_create "f:" access=0x120089 -> error OBJECT_NAME_INVALID
# they go one by one, and with the file
delete "f:s"
trans2 qpath "f" level=0x109 -> count_d=38
nt_create "f:t" disp=2 access=0x12019f -> fid=F; close F
delete "f"
nt_create "f:t" access=0x120089 -> error OBJECT_NAME_NOT_FOUND
