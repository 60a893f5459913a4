# What administrators may see over pipes: connections, files, sessions.
config {
admin users = anna
}
connect; negotiate "NT LM 0.12"; session user anna secret1; tree \\host\ipc$
rap code=6 "WrLeh" "zzWWWDDD" args=hex:0100+hex:401f -> rap=0 count=1
rap code=7 "zWrLh" "zzWWWDDD" args="192.0.2.7"+hex:00+hex:0100+hex:401f -> rap=0
nt_create "\srvsvc" -> fid=F
bind F srvsvc -> type=12
rpc F op=8 ptr "host" ptr "share" 1 1 ptr 0 null 0xffffffff null -> type=2 status=0
rpc F op=9 ptr "host" null null 3 3 ptr 0 null 0xffffffff null -> type=2 status=0
rpc F op=12 ptr "host" null null 1 1 ptr 0 null 0xffffffff null -> type=2 status=0
rpc F op=12 ptr "host" null null 502 502 ptr 0 null 0xffffffff null -> type=2 status=0
rpc F op=8 ptr "host" ptr "share" 9 9 null -> type=2 status=124
rpc F op=9 ptr "host" null null 9 9 null -> type=2 status=124
rpc F op=12 ptr "host" null null 9 9 null -> type=2 status=124
2: connect; 2: negotiate "NT LM 0.12"; 2: session user anna secret1; 2: tree \\host\share
2: nt_create "open" disp=2 access=0x12019f -> fid=G
rpc F op=9 ptr "host" null null 2 2 ptr 0 null 0xffffffff null -> type=2 status=0 stub[24:4]=Id
rpc F op=10 ptr "host" Id 3 -> type=2 status=0 stub~hex:6f00700065006e00
rpc F op=10 ptr "host" Id 9 -> type=2 status=124
rpc F op=10 ptr "host" 4711 3 -> type=2 status=2314
