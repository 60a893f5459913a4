# wkssvc, winreg, dssetup, netlogon, mgmt.
connect; negotiate "NT LM 0.12"; session user anna secret1; tree \\host\ipc$
nt_create "\wkssvc" -> fid=F
bind F wkssvc -> type=12
rpc F op=0 ptr "host" 100 -> type=2 status=0
rpc F op=0 ptr "host" 101 -> type=2 status=0
rpc F op=0 ptr "host" 102 -> type=2 status=0
rpc F op=5 ptr "host" 0 0 ptr 0 null 0xffffffff null -> type=2 status=0
rpc F op=0 ptr "host" 9 -> type=2 status=124
rpc F op=5 ptr "host" 9 9 null -> type=2 status=124
rpc F op=2 ptr "host" 1 1 ptr 0 null 0xffffffff null -> type=2 status=5
close F
nt_create "\winreg" -> fid=F
bind F winreg -> type=12
rpc F op=0 null 0x2000000 keep=1 -> type=2 status=0
rpc F op=5 h1 -> status=0
rpc F op=1 null 0x2000000 keep=1 -> type=2 status=0
rpc F op=5 h1 -> status=0
rpc F op=3 null 0x2000000 keep=1 -> type=2 status=0
rpc F op=5 h1 -> status=0
rpc F op=4 null 0x2000000 keep=1 -> type=2 status=0
rpc F op=5 h1 -> status=0
rpc F op=0 -> type=3 fault=0x6f7
rpc F op=1 -> type=3 fault=0x6f7
rpc F op=2 -> type=3 fault=0x6f7
rpc F op=3 -> type=3 fault=0x6f7
rpc F op=4 -> type=3 fault=0x6f7
rpc F op=2 null 0x2000000 keep=1 -> type=2 status=0
rpc F op=26 h1 -> status=0 stub[0:4]=5
rpc F op=15 h1 u16 96 u16 96 ptr "SYSTEM\CurrentControlSet\Control\ProductOptions" 0 0x20019 keep=2 -> type=2 status=0
rpc F op=17 h2 u16 24 u16 24 ptr "ProductType" ptr 0 ptr 100 0 0 ptr 100 ptr 0 -> type=2 status=0 stub~hex:530065007200
rpc F op=17 h2 u16 10 u16 10 ptr "None" ptr 0 ptr 100 0 0 ptr 100 ptr 0 -> type=2 status=2
rpc F op=15 h1 u16 10 u16 10 ptr "NONE" 0 0x20019 -> type=2 status=2
rpc F op=5 h2 -> status=0
rpc F op=5 h2 -> type=3 fault=0x1c00001a
rpc F op=26 h2 -> type=3 fault=0x1c00001a
rpc F op=17 h2 -> type=3
rpc F op=24 0 -> type=2 status=5
rpc F op=25 0 -> type=2 status=5
rpc F op=30 0 -> type=2 status=5
close F
nt_create "\lsarpc" -> fid=F
bind F dssetup -> type=12
rpc F op=0 u16 1 -> type=2 status=0
rpc F op=0 u16 9 -> type=2 status!=0
rpc F op=0 -> type=3 fault=0x6f7
close F
nt_create "\netlogon" -> fid=F
bind F netlogon -> type=12
rpc F op=2 0 -> type=3 fault=5
rpc F op=4 0 -> type=3 fault=5
rpc F op=5 0 -> type=3 fault=5
rpc F op=15 0 -> type=3 fault=5
rpc F op=26 0 -> type=3 fault=5
close F
nt_create "\srvsvc" -> fid=F
bind F mgmt -> type=12
rpc F op=0 -> type=2 status=0
rpc F op=1 4 0 -> type=2 status=0
rpc F op=1 -> type=3 fault=0x6f7
rpc F op=2 -> type=2
rpc F op=3 -> status!=0
rpc F op=4 0 100 -> status!=0
