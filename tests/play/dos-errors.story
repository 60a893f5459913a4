# Win95 and DOS read DOS errors only.
connect; set unicode=off ntstatus=off
negotiate "PC NETWORK PROGRAM 1.0" "LANMAN1.0" "NT LM 0.12" -> index=2
session guest; tree \\HOST\SHARE service=A:
open_andx "none" -> error DOS 1/2
open_andx "no\none" -> error DOS 1/3
mkdir "d"
mkdir "d" -> error DOS 1/5
rmdir "none" -> error DOS 1/2
checkdir "none" -> error DOS 1/3
checkdir "d"
close 77 -> error DOS 1/6
getatr "x" tid=99 -> error DOS 2/5
getatr "x" uid=99 -> error DOS 2/91
raw_smb cmd=0x99 -> error DOS 2/22
delete "*.tmp" -> error DOS 1/2
tree \\host\none -> error DOS 1/67
session user anna wrong -> error DOS 2/2
open_andx "a" func=0x11 access=rw deny=all -> fid=F
open_andx "a" -> error DOS 1/32
close F
