# Listings that cannot be.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "a"
trans2 find_first "\none" -> error NO_SUCH_FILE
trans2 find_first "\*.none" -> error NO_SUCH_FILE
trans2 find_first "none\*" -> error OBJECT_PATH_NOT_FOUND
trans2 find_first "..\*" -> error OBJECT_PATH_SYNTAX_BAD
trans2 find_first "\*" level=0x999 -> error INVALID_LEVEL
trans2 find_next 0 -> error INVALID_HANDLE
trans2 find_next 4711 -> error INVALID_HANDLE
find_close 4711 -> error INVALID_HANDLE
find_close 1 wct=2 -> error INVALID_SMB
trans2 find_first "\*" tid=4711 -> error SMB_BAD_TID
trans2 find_first "\*" uid=4711 -> error SMB_BAD_UID
trans2 code=1 p=hex:1600 -> error INVALID_PARAMETER
trans2 code=2 p=hex:0100 -> error INVALID_PARAMETER
# parts outside the message
trans2 find_first "\*" poff=0xfff0 -> error INVALID_PARAMETER
trans2 find_first "\*" pcount=500 -> error INVALID_PARAMETER
trans2 find_first "\*" wct=14 -> error INVALID_PARAMETER
trans2 find_first "\*" setups=0 -> error INVALID_SMB
# somebody else's search
trans2 find_first "\*" count=1 -> sid=S
session user anna secret1
trans2 find_next S -> error INVALID_HANDLE
trans2 code=0x77 -> error INVALID_PARAMETER
trans2 code=0x0a -> error SMB_NO_SUPPORT
trans2 dfs "\host\share" -> error NOT_FOUND
tree \\host\ipc$
trans2 find_first "\*" -> error ACCESS_DENIED
