# `unix extensions = no`: not announced, and none of the levels is there.
config {
	unix extensions = no
}
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "t"
trans2 qfs level=0x200 -> error INVALID_LEVEL
trans2 code=4 p=hex:00000002 d=hex:01000000+hex:fb00000000000000 -> error NOT_SUPPORTED
trans2 qpath "t" level=0x200 -> error INVALID_LEVEL
trans2 spath "t" level=0x20a data=hex:0000 -> error INVALID_LEVEL
trans2 find_first "*" level=0x202 -> error INVALID_LEVEL
host exists "t"
