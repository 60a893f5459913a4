# No UNIX extensions: their levels are not there.
config {
unix extensions = no
}
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "f"
trans2 qfs level=0x200 -> error INVALID_LEVEL
trans2 qfs level=0x201 -> error INVALID_LEVEL
trans2 qfs level=0x202 -> error INVALID_LEVEL
trans2 code=4 p=hex:00000002 d=hex:00*12 -> error NOT_SUPPORTED
trans2 qpath "f" level=0x200 -> error INVALID_LEVEL
trans2 qpath "f" level=0x201 -> error INVALID_LEVEL
trans2 qpath "f" level=0x204 -> error INVALID_LEVEL
trans2 qpath "f" level=0x206 -> error INVALID_LEVEL
trans2 qpath "f" level=0x208 -> error INVALID_LEVEL
trans2 qpath "f" level=0x20b -> error INVALID_LEVEL
trans2 spath "f" level=0x200 data=hex:00*116 -> error INVALID_LEVEL
trans2 spath "f" level=0x201 data=hex:00*116 -> error INVALID_LEVEL
trans2 spath "f" level=0x203 data=hex:00*116 -> error INVALID_LEVEL
trans2 spath "f" level=0x204 data=hex:00*116 -> error INVALID_LEVEL
trans2 spath "f" level=0x208 data=hex:00*116 -> error INVALID_LEVEL
trans2 spath "f" level=0x209 data=hex:00*116 -> error INVALID_LEVEL
trans2 spath "f" level=0x20a data=hex:00*116 -> error INVALID_LEVEL
trans2 spath "f" level=0x20b data=hex:00*116 -> error INVALID_LEVEL
trans2 find_first "f" level=0x202 -> error INVALID_LEVEL
trans2 find_first "f" level=0x20b -> error INVALID_LEVEL
