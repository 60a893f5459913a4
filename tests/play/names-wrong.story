# Name commands with wrong counts, formats, trees.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share -> tid=T
host file "f"
mkdir "d" format=1 -> error INVALID_SMB
mkdir "d" wct=1 -> error INVALID_SMB
mkdir "d" tid=0 -> error SMB_BAD_TID
mkdir "d" uid=0 -> error SMB_BAD_UID
delete "f" format=5 -> error INVALID_SMB
delete "f" wct=0 -> error INVALID_SMB
delete "f" bcc=40 -> error INVALID_SMB
rename "f" "g" format=3 -> error INVALID_SMB
rename "f" "g" wct=2 -> error INVALID_SMB
raw_smb cmd=0x07 words=hex:0000 bytes=hex:04 -> error ACCESS_DENIED
rmdir "d" format=0 -> error INVALID_SMB
checkdir "d" format=0 -> error INVALID_SMB
getatr "f" format=0 -> error INVALID_SMB
setatr "f" format=0 -> error INVALID_SMB
setatr "f" wct=7 -> error INVALID_SMB
getatr "f" wct=1 -> error INVALID_SMB
host exists "f"
# a way out
getatr "..\..\etc\passwd" -> error OBJECT_PATH_SYNTAX_BAD
mkdir "..\out" -> error OBJECT_PATH_SYNTAX_BAD
rename "f" "..\f" -> error OBJECT_PATH_SYNTAX_BAD
# the read-only share
tree \\host\ro
mkdir "d" -> error ACCESS_DENIED
rmdir "d" -> error ACCESS_DENIED
delete "f" -> error ACCESS_DENIED
rename "f" "g" -> error ACCESS_DENIED
setatr "f" attrs=1 -> error ACCESS_DENIED
getatr "f" -> size=0
# IPC$ has no files
tree \\host\ipc$
mkdir "d" -> error ACCESS_DENIED
getatr "f" -> error ACCESS_DENIED
dskattr -> error ACCESS_DENIED
