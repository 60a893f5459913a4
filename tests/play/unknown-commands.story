# Commands that are not there.
connect; negotiate "NT LM 0.12"
raw_smb cmd=0x99 -> error SMB_BAD_COMMAND
session guest; tree \\host\share
raw_smb cmd=0x99 -> error SMB_BAD_COMMAND
raw_smb cmd=0xd4 -> error SMB_BAD_COMMAND
raw_smb cmd=0xfe words=hex:0000 -> error SMB_BAD_COMMAND
raw_smb cmd=0xff -> error SMB_BAD_COMMAND
raw_smb cmd=0x99 words=hex:ffff0000 bytes="abc" -> error SMB_BAD_COMMAND
raw_smb cmd=0x99 cut=2 -> closed
