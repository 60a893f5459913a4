# What administrators are told and may do: quotas of the file system, short names.
config {
admin users = anna
}
connect; negotiate "NT LM 0.12"; session user anna secret1; tree \\host\share
trans2 qfs level=1006 -> count_d=48
trans2 code=4 p=hex:0000ee03 d=hex:00*24+hex:ff*16+hex:00*8 -> error NOT_SUPPORTED
trans2 code=4 p=hex:0000ee03 d=hex:00*24+hex:ff*16+hex:00*7 -> error INFO_LENGTH_MISMATCH
# and they may say which short name a file has
host file "a long name.text"; nt_create "a long name.text" access=0x1f01ff share=7 -> fid=F
trans2 qfile F level=1021 -> name~"~"
trans2 sfile F level=1040 data=hex:02000000+hex:5800 -> error NOT_SUPPORTED
trans2 sfile F level=1040 data=hex:04000000+hex:58002000 -> error INVALID_PARAMETER
trans2 sfile F level=1040 data=hex:09000000+hex:5800 -> error INVALID_PARAMETER
close F; host file "short.txt"; nt_create "short.txt" access=0x1f01ff share=7 -> fid=F
trans2 sfile F level=1040 data=hex:12000000+hex:530048004f00520054002e00540058005400
close F
tdis; session user bob secret2; tree \\host\share
trans2 qfs level=1006 -> error ACCESS_DENIED
