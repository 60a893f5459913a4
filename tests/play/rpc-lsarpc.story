# lsarpc: policies and names.
connect; negotiate "NT LM 0.12"; session user anna secret1; tree \\host\ipc$
nt_create "\lsarpc" -> fid=F
bind F lsarpc -> type=12
rpc F op=6 null 24 null null 0 null null 0x2000000 keep=1 -> type=2 status=0
rpc F op=0 h1 -> status=0
rpc F op=44 ptr "host" 24 null null 0 null null 0x2000000 keep=1 -> type=2 status=0
rpc F op=7 h1 u16 2 -> type=2 status=0
rpc F op=7 h1 u16 3 -> type=2 status=0
rpc F op=7 h1 u16 5 -> type=2 status=0
rpc F op=7 h1 u16 6 -> type=2 status=0
rpc F op=7 h1 u16 12 -> type=2 status=0
rpc F op=46 h1 u16 12 -> type=2 status=0
rpc F op=45 ptr "host" null null -> type=2 status=0 stub~hex:61006e006e006100
# BUILTIN\Administrators by name and by number
rpc F op=14 h1 1 1 u16 28 u16 28 ptr 14 0 14 bytes hex:410064006d0069006e006900730074007200610074006f0072007300 0 null u16 1 0 -> type=2 status=0
rpc F op=58 h1 1 1 u16 28 u16 28 ptr 14 0 14 bytes hex:410064006d0069006e006900730074007200610074006f0072007300 0 null u16 1 0 0 0 -> type=2 status=0
rpc F op=68 h1 1 1 u16 28 u16 28 ptr 14 0 14 bytes hex:410064006d0069006e006900730074007200610074006f0072007300 0 null u16 1 0 0 0 -> type=2 status=0
rpc F op=77 1 1 u16 28 u16 28 ptr 14 0 14 bytes hex:410064006d0069006e006900730074007200610074006f0072007300 0 null u16 1 0 0 0 -> type=2 status=0
rpc F op=15 h1 1 ptr 1 ptr 2 bytes hex:01020000000000052000000020020000 0 null u16 1 0 -> type=2 status=0 stub~hex:410064006d00
rpc F op=57 h1 1 ptr 1 ptr 2 bytes hex:01020000000000052000000020020000 0 null u16 1 0 0 0 -> type=2 status=0 stub~hex:410064006d00
rpc F op=76 1 ptr 1 ptr 2 bytes hex:01020000000000052000000020020000 0 null u16 1 0 0 0 -> type=2 status=0
# nobody
rpc F op=14 h1 1 1 u16 8 u16 8 ptr 4 0 4 bytes hex:6e006f006e006f00 0 null u16 1 0 -> type=2 status=0xc0000073
rpc F op=58 h1 1 1 u16 8 u16 8 ptr 4 0 4 bytes hex:6e006f006e006f00 0 null u16 1 0 0 0 -> type=2 status=0xc0000073
rpc F op=68 h1 1 1 u16 8 u16 8 ptr 4 0 4 bytes hex:6e006f006e006f00 0 null u16 1 0 0 0 -> type=2 status=0xc0000073
rpc F op=77 1 1 u16 8 u16 8 ptr 4 0 4 bytes hex:6e006f006e006f00 0 null u16 1 0 0 0 -> type=2 status=0xc0000073
rpc F op=15 h1 1 ptr 1 ptr 2 bytes hex:01020000000000052000000099990000 0 null u16 1 0 -> type=2 status=0xc0000073
rpc F op=57 h1 1 ptr 1 ptr 2 bytes hex:01020000000000052000000099990000 0 null u16 1 0 0 0 -> type=2 status=0xc0000073
rpc F op=76 1 ptr 1 ptr 2 bytes hex:01020000000000052000000099990000 0 null u16 1 0 0 0 -> type=2 status=0xc0000073
# wrong
rpc F op=7 h1 u16 99 -> type=2 status=0xc0000003
rpc F op=46 h1 u16 99 -> type=2 status=0xc0000003
rpc F op=6 -> type=3 fault=0x6f7
rpc F op=44 -> type=3 fault=0x6f7
rpc F op=45 -> type=3 fault=0x6f7
rpc F op=77 -> type=3 fault=0x6f7
rpc F op=76 -> type=3 fault=0x6f7
rpc F op=18 h1 -> type=3 fault=0x1c010002
rpc F op=0 h1 -> status=0
rpc F op=0 h1 -> type=3 fault=0x1c00001a
rpc F op=7 h1 -> type=3 fault=0x1c00001a
rpc F op=14 h1 -> type=3 fault=0x1c00001a
rpc F op=15 h1 -> type=3 fault=0x1c00001a
rpc F op=46 h1 -> type=3 fault=0x1c00001a
rpc F op=57 h1 -> type=3 fault=0x1c00001a
rpc F op=58 h1 -> type=3 fault=0x1c00001a
rpc F op=68 h1 -> type=3 fault=0x1c00001a
