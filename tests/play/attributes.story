# QUERY_INFORMATION, SET_INFORMATION, QUERY_INFORMATION2, SET_INFORMATION2.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "f" data="12345"
host touch "f" time=1000000000
getatr "f" -> size=5 time=1000000000
setatr "f" attrs=1 time=1100000000
getatr "f" -> attrs=1 time=1100000000
# time 0 keeps (reports 126)
setatr "f" attrs=0x22 time=0
getatr "f" -> attrs=0x22 time=1100000000
setatr "f" attrs=0
getatr "f" -> attrs=0
# the root can be asked about, not changed (reports 127)
getatr "" -> attrs~0x10
getatr "\" -> attrs~0x10
setatr "" attrs=0 -> error ACCESS_DENIED
host dir "d"
getatr "d" -> attrs=0x10 size=0
setatr "d" attrs=0x10 time=1000000000
setatr "f" attrs=0x10 -> error INVALID_PARAMETER
getatr "none" -> error OBJECT_NAME_NOT_FOUND
getatr "no\none" -> error OBJECT_PATH_NOT_FOUND
# by FID: 12 October 2003, 13:14:16
nt_create "f" -> fid=F
setattre F write_date=0x2f4c write_time=0x69c8
getattre F -> write_date=0x2f4c write_time=0x69c8 size=5
# zeros keep
setattre F
getattre F -> write_date=0x2f4c write_time=0x69c8
close F
getatr "f" -> time=1065964456
getattre F -> error INVALID_HANDLE
setattre F -> error INVALID_HANDLE
getattre F wct=2 -> error INVALID_SMB
setattre F wct=6 -> error INVALID_SMB
