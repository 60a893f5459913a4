# What a pipe tells about itself.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\ipc$
nt_create "srvsvc" -> fid=F
getattre F -> size=0
trans2 qfile F level=0x101 -> attrs=0x80 written=0
trans2 qfile F level=0x102 -> size=0 alloc=4096 links=1 pending=1
trans2 qfile F level=0x200 -> count_d=100
trans2 qfile F level=0x201
# wrong: no extended attributes, no alias, no streams; and no pipe by name
trans2 qfile F level=4 -> error ACCESS_DENIED
trans2 qfile F level=0x108 -> error INVALID_PARAMETER
trans2 qfile F level=0x20b -> error INVALID_PARAMETER
trans2 qfile F level=1034 -> error INVALID_PARAMETER
trans2 qfile F level=1035 -> error INVALID_PARAMETER
trans2 qpath "srvsvc" level=0x101 -> error INVALID_DEVICE_REQUEST
trans2 qpath "srvsvc" level=0x200 -> error INVALID_DEVICE_REQUEST
trans2 mkdir "srvsvc" -> error ACCESS_DENIED
close F
