# Links that lead out of the share lead nowhere.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host dir "d"; host file "d/in" data="inside"
host symlink "d" "l"; host symlink "/etc" "out"; host symlink "/etc/passwd" "pw"; host symlink "../../.." "up"
host symlink "loop" "loop"
nt_create "l\in" -> fid=F
read_andx F -> data="inside"
close F
# An absolute one that leads into the share does, also through others and back up; to a folder beside it not.
host symlink "@/d" "abs"; host symlink "@/d/in" "absfile"; host symlink "@/abs/../d" "around"; host symlink "@/../x" "beside"
nt_create "abs\in" -> fid=F
read_andx F -> data="inside"
close F
getatr "absfile" -> size=6
getatr "around\in" -> size=6
nt_create "abs\new" disp=2 access=0x12019f -> fid=F action=2
close F
host exists "d/new"
getatr "beside\x" -> error OBJECT_PATH_NOT_FOUND
nt_create "out\passwd" access=0x120089 -> error OBJECT_PATH_NOT_FOUND
nt_create "pw" access=0x120089 -> error OBJECT_NAME_NOT_FOUND
nt_create "up\etc\passwd" access=0x120089 -> error OBJECT_PATH_NOT_FOUND
getatr "loop\x" -> error OBJECT_PATH_NOT_FOUND
mkdir "out\smb1d-test" -> error OBJECT_PATH_NOT_FOUND
