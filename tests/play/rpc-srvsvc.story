# srvsvc: every operation.
config {
[lp]
path = @DIR@/share
printable = yes
guest ok = yes
}
connect; negotiate "NT LM 0.12"; session user anna secret1; tree \\host\ipc$
nt_create "\srvsvc" -> fid=F
bind F srvsvc -> type=12
rpc F op=15 ptr "host" 1 1 ptr 0 null 0xffffffff null -> type=2 status=0
rpc F op=15 ptr "host" 0 0 ptr 0 null 0xffffffff null -> type=2 status=0
rpc F op=15 ptr "host" 2 2 ptr 0 null 0xffffffff null -> type=2 status=0
rpc F op=15 ptr "host" 501 501 ptr 0 null 0xffffffff null -> type=2 status=0
rpc F op=16 ptr "host" "share" 1 -> type=2 status=0
rpc F op=16 ptr "host" "share" 2 -> type=2 status=0
rpc F op=16 ptr "host" "share" 0 -> type=2 status=0
rpc F op=20 ptr "host" "" -> type=2 status=0
rpc F op=21 ptr "host" 100 -> type=2 status=0
rpc F op=21 ptr "host" 101 -> type=2 status=0
rpc F op=21 ptr "host" 102 -> type=2 status=0
rpc F op=23 ptr "host" 0 0 ptr 0 0 0 0xffffffff null -> type=2 status=0
rpc F op=26 ptr "host" 0 0 ptr 0 null 0xffffffff null -> type=2 status=0
rpc F op=28 null -> type=2 status=0
rpc F op=33 ptr "host" "good" 9 0 -> type=2 status=0
rpc F op=36 ptr "host" 1 1 ptr 0 null 0xffffffff null -> type=2 status=0
# wrong levels and names
rpc F op=15 ptr "host" 9 9 null -> type=2 status=124
rpc F op=16 ptr "host" "none" 1 -> type=2 status=2310
rpc F op=16 ptr "host" "share" 9 -> type=2 status=124
rpc F op=20 ptr "host" "C:\none" -> type=2 status=2311
rpc F op=21 ptr "host" 9 -> type=2 status=124
rpc F op=26 ptr "host" 9 9 null -> type=2 status=124
rpc F op=33 ptr "host" "a*b" 9 0 -> type=2 status=123
rpc F op=36 ptr "host" 9 9 null -> type=2 status=124
# nothing to decode
rpc F op=8 -> type=3 fault=0x6f7
rpc F op=9 -> type=3 fault=0x6f7
rpc F op=10 -> type=3 fault=0x6f7
rpc F op=12 -> type=3 fault=0x6f7
rpc F op=15 -> type=3 fault=0x6f7
rpc F op=16 -> type=3 fault=0x6f7
rpc F op=20 -> type=3 fault=0x6f7
rpc F op=21 -> type=3 fault=0x6f7
rpc F op=23 -> type=3 fault=0x6f7
rpc F op=26 -> type=3 fault=0x6f7
rpc F op=28 -> type=3 fault=0x6f7
rpc F op=33 -> type=3 fault=0x6f7
rpc F op=36 -> type=3 fault=0x6f7
# nothing is changed from outside
rpc F op=11 0 0 0 -> type=2 status=5
rpc F op=13 0 0 0 -> type=2 status=5
rpc F op=14 0 0 0 -> type=2 status=5
rpc F op=17 0 0 0 -> type=2 status=5
rpc F op=18 0 0 0 -> type=2 status=5
rpc F op=19 0 0 0 -> type=2 status=5
rpc F op=22 0 0 0 -> type=2 status=5
# what we do not serve
rpc F op=24 0 -> type=3 fault=0x1c010002
rpc F op=30 0 -> type=3 fault=0x1c010002
rpc F op=31 0 -> type=3 fault=0x1c010002
rpc F op=32 0 -> type=3 fault=0x1c010002
rpc F op=39 0 -> type=3 fault=0x1c010002
rpc F op=40 0 -> type=3 fault=0x1c010002
# sessions and files are for administrators
rpc F op=8 ptr "host" ptr "share" 1 1 ptr 0 null 0xffffffff null -> type=2 status=5
rpc F op=9 ptr "host" null null 3 3 ptr 0 null 0xffffffff null -> type=2 status=5
rpc F op=12 ptr "host" null null 1 1 ptr 0 null 0xffffffff null -> type=2 status=5
rpc F op=10 ptr "host" 1 3 -> type=2 status=5
