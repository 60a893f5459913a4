# TREE_CONNECT_ANDX and TREE_CONNECT.
connect; negotiate "NT LM 0.12"; session guest
tree \\host\share service=A: -> service="A:" fs="NTFS" tid!=0
tree \\HOST\SHARE -> service="A:"
tree share -> service="A:"
tree \\host\ipc$ service=IPC -> service="IPC" fs=""
tree \\host\IPC$ -> service="IPC"
tree \\host\share pwlen=0 -> service="A:"
tree \\host\share flags=8 -> wct=7 max_access=0x1f01ff
tree \\host\ro flags=8 -> wct=7 max_access=0x1200a9
tree_connect \\host\share -> maxbuf>=1024 tid!=0
# the wrong kind
tree \\host\share service=LPT1: -> error BAD_DEVICE_TYPE
tree \\host\share service=IPC -> error BAD_DEVICE_TYPE
tree \\host\ipc$ service=A: -> error BAD_DEVICE_TYPE
tree \\host\nothing -> error BAD_NETWORK_NAME
tree \\host\private -> error ACCESS_DENIED
# flag 1 gives the old tree back first
tree \\host\share -> tid=T
tree \\host\share flags=1
getatr "\" tid=T -> error SMB_BAD_TID
getatr "\" -> attrs~0x10
# wrong
tree \\host\share uid=999 -> error SMB_BAD_UID
tree \\host\share wct=3 -> error INVALID_SMB
tree \\host\share bcc=500 -> error INVALID_SMB
tree \\host\share pwlen=1 cut=12 -> error INVALID_SMB
raw_smb cmd=0x75 words=hex:ff0000000000ffff bytes=hex:00+"share"+hex:00 -> error INVALID_SMB
raw_smb cmd=0x70 bytes=hex:02+"share"+hex:00 -> error INVALID_SMB
