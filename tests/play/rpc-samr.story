# samr: domains, their users and groups.
connect; negotiate "NT LM 0.12"; session user anna secret1; tree \\host\ipc$
nt_create "\samr" -> fid=F
bind F samr -> type=12
rpc F op=0 null 0x2000000 keep=1 -> type=2 status=0
rpc F op=1 h1 -> status=0
rpc F op=61 ptr "host" 2 0x2000000 keep=1 -> type=2 status=0
rpc F op=62 ptr "host" 2 0x2000000 keep=1 -> type=2 status=0
rpc F op=64 ptr "host" 0x2000000 1 1 3 0 -> type=2 status=0
rpc F op=57 ptr "host" 0x2000000 keep=1 -> type=2 status=0
rpc F op=5 h1 u16 8 u16 8 ptr 4 0 4 bytes hex:48004f0053005400 -> type=2 status=0
rpc F op=5 h1 u16 14 u16 14 ptr 7 0 7 bytes hex:4200750069006c00740069006e00 -> type=2 status=0
rpc F op=5 h1 u16 8 u16 8 ptr 4 0 4 bytes hex:6e006f006e006500 -> type=2 status=0xc00000df
rpc F op=6 h1 0 1000 -> type=2 status=0 stub~hex:48004f0053005400
rpc F op=7 h1 0x2000000 bytes hex:01000000010100000000000520000000 keep=2 -> type=2 status=0
rpc F op=7 h1 0x2000000 bytes hex:01000000010100000000000599000000 -> type=2 status=0xc00000df
rpc F op=8 h2 u16 1 -> type=2 status=0
rpc F op=8 h2 u16 2 -> type=2 status=0
rpc F op=8 h2 u16 3 -> type=2 status=0
rpc F op=8 h2 u16 5 -> type=2 status=0
rpc F op=8 h2 u16 6 -> type=2 status=0
rpc F op=8 h2 u16 7 -> type=2 status=0
rpc F op=8 h2 u16 8 -> type=2 status=0
rpc F op=8 h2 u16 12 -> type=2 status=0
rpc F op=46 h2 u16 2 -> type=2 status=0
rpc F op=8 h2 u16 99 -> type=2 status!=0
rpc F op=46 h2 u16 99 -> type=2 status!=0
rpc F op=11 h2 0 1000 -> type=2 status=0
rpc F op=13 h2 0 0 1000 -> type=2 status=0
rpc F op=15 h2 0 1000 -> type=2 status=0
rpc F op=16 h2 1 ptr 1 ptr 2 bytes hex:01020000000000052000000020020000 -> type=2 status=0
rpc F op=17 h2 1 1000 0 1 u16 28 u16 28 ptr 14 0 14 bytes hex:410064006d0069006e006900730074007200610074006f0072007300 -> type=2 status=0
rpc F op=17 h2 1 1000 0 1 u16 8 u16 8 ptr 4 0 4 bytes hex:6e006f006e006f00 -> type=2 status=0xc0000073
rpc F op=18 h2 1 1000 0 1 544 -> type=2 status=0
rpc F op=18 h2 1 1000 0 1 4711 -> type=2 status=0xc0000073
rpc F op=40 h2 u16 1 0 100 1000 -> type=2 status=0
rpc F op=48 h2 u16 1 0 100 1000 -> type=2 status=0
rpc F op=51 h2 u16 1 0 100 1000 -> type=2 status=0
rpc F op=19 h2 0x2000000 513 -> type=2 status!=0
rpc F op=27 h2 0x2000000 544 -> type=2 status!=0
rpc F op=34 h2 0x2000000 500 -> type=2 status!=0
# our own domain: user root, known everywhere
rpc F op=5 h1 keepsid u16 8 u16 8 ptr 4 0 4 bytes hex:48004f0053005400 -> status=0
rpc F op=7 h1 0x2000000 sid keep=3 -> type=2 status=0
rpc F op=34 h3 0x2000000 1000 keep=4 -> type=2 status=0
rpc F op=36 h4 u16 1 -> type=2 status=0
rpc F op=36 h4 u16 16 -> type=2 status=0
rpc F op=36 h4 u16 21 -> type=2 status=0
rpc F op=47 h4 u16 21 -> type=2 status=0 stub~hex:72006f006f007400
rpc F op=36 h4 u16 99 -> status!=0
rpc F op=39 h4 -> type=2 status=0
rpc F op=44 h4 -> type=2 status=0
rpc F op=17 h3 1 1000 0 1 u16 8 u16 8 ptr 4 0 4 bytes hex:72006f006f007400 -> type=2 status=0
rpc F op=1 h4 -> status=0
rpc F op=56 null -> type=2 status=0
# wrong
rpc F op=0 -> type=3 fault=0x6f7
rpc F op=57 -> type=3 fault=0x6f7
rpc F op=61 -> type=3 fault=0x6f7
rpc F op=62 -> type=3 fault=0x6f7
rpc F op=64 -> type=3 fault=0x6f7
rpc F op=56 -> type=3 fault=0x6f7
rpc F op=38 0 -> type=3 fault=0x1c010002
rpc F op=54 0 -> type=3 fault=0x1c010002
rpc F op=55 0 -> type=3 fault=0x1c010002
rpc F op=1 h2 -> status=0
rpc F op=1 h2 -> type=3 fault=0x1c00001a
rpc F op=6 h2 -> type=3 fault=0x1c00001a
rpc F op=8 h2 -> type=3 fault=0x1c00001a
rpc F op=11 h2 -> type=3 fault=0x1c00001a
rpc F op=13 h2 -> type=3 fault=0x1c00001a
rpc F op=15 h2 -> type=3 fault=0x1c00001a
rpc F op=16 h2 -> type=3 fault=0x1c00001a
rpc F op=17 h2 -> type=3 fault=0x1c00001a
rpc F op=18 h2 -> type=3 fault=0x1c00001a
rpc F op=36 h2 -> type=3 fault=0x1c00001a
rpc F op=39 h2 -> type=3 fault=0x1c00001a
rpc F op=40 h2 -> type=3 fault=0x1c00001a
rpc F op=44 h2 -> type=3 fault=0x1c00001a
rpc F op=46 h2 -> type=3 fault=0x1c00001a
rpc F op=47 h2 -> type=3 fault=0x1c00001a
rpc F op=48 h2 -> type=3 fault=0x1c00001a
rpc F op=51 h2 -> type=3 fault=0x1c00001a
