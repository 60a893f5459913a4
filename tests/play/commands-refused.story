# Commands that documents name and we refuse.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
raw_smb cmd=0x1c -> error SMB_BAD_COMMAND
raw_smb cmd=0x1f -> error SMB_BAD_COMMAND
raw_smb cmd=0x20 -> error SMB_BAD_COMMAND
raw_smb cmd=0x21 -> error SMB_BAD_COMMAND
raw_smb cmd=0x28 -> error SMB_BAD_COMMAND
raw_smb cmd=0x30 -> error SMB_BAD_COMMAND
raw_smb cmd=0x35 -> error SMB_BAD_COMMAND
raw_smb cmd=0x60 -> error SMB_BAD_COMMAND
raw_smb cmd=0x6f -> error SMB_BAD_COMMAND
raw_smb cmd=0x7e -> error SMB_BAD_COMMAND
raw_smb cmd=0xd0 -> error SMB_BAD_COMMAND
raw_smb cmd=0xd1 -> error SMB_BAD_COMMAND
raw_smb cmd=0xd2 -> error SMB_BAD_COMMAND
raw_smb cmd=0xd3 -> error SMB_BAD_COMMAND
raw_smb cmd=0xd4 -> error SMB_BAD_COMMAND
raw_smb cmd=0xd5 -> error SMB_BAD_COMMAND
raw_smb cmd=0xd6 -> error SMB_BAD_COMMAND
raw_smb cmd=0xd7 -> error SMB_BAD_COMMAND
raw_smb cmd=0xd8 -> error SMB_BAD_COMMAND
raw_smb cmd=0xd9 -> error SMB_BAD_COMMAND
raw_smb cmd=0xda -> error SMB_BAD_COMMAND
# those of TRANSACTION2
trans2 code=9 -> error SMB_NO_SUPPORT
trans2 code=10 -> error SMB_NO_SUPPORT
trans2 code=11 -> error SMB_NO_SUPPORT
trans2 code=12 -> error SMB_NO_SUPPORT
trans2 code=14 -> error SMB_NO_SUPPORT
trans2 dfs "\host\share" -> error NOT_FOUND
trans2 code=0x0f -> error INVALID_PARAMETER
# a report of a wrong referral is good to know
trans2 code=0x11 p=hex:5c00680000
trans2 code=0x11 -> error INVALID_PARAMETER
# layouts
trans2 code=0x11 setups=0 -> error INVALID_SMB
