# RAP and DCE/RPC: why a call was refused, to whom, and the setting behind it.
connect; negotiate "NT LM 0.12"; session user anna secret1; tree \\host\ipc$
rap code=56 "zWrLh" "B21Bzzz" args="bob"+hex:00+hex:0a00+hex:401f -> rap=2221
why -> user="anna" where="IPC$" rule="" what~"NetUserGetInfo: users are told of themselves" fix=""
rap code=81 "W" "" args=hex:0100 -> rap=50
why -> user="anna" what~"DosPrintJobDel: clients change nothing" fix~"smb1ctl"
rap code=3 "WsT" "B13" args=hex:0100 -> rap=50
why -> what~"NetShareAdd"
nt_create "\srvsvc" -> fid=F
bind F srvsvc -> type=12
# for administrators
rpc F op=8 ptr "host" ptr "share" 1 1 ptr 0 null 0xffffffff null -> type=2 status=5
why -> user="anna" where="IPC$" rule="admin users = " place="default" what~"NetrConnectionEnum: only administrators" fix~"admin users"
rpc F op=9 ptr "host" null null 3 3 ptr 0 null 0xffffffff null -> type=2 status=5
why -> rule="admin users = " what~"NetrFileEnum"
rpc F op=12 ptr "host" null null 1 1 ptr 0 null 0xffffffff null -> type=2 status=5
why -> rule="admin users = " what~"NetrSessionEnum"
rpc F op=10 ptr "host" 4711 3 -> type=2 status=5
why -> rule="admin users = " what~"NetrFileGetInfo"
# for nobody
rpc F op=11 0 0 0 -> type=2 status=5
why -> user="anna" rule="" what~"NetrFileClose: clients change nothing" fix~"smb1ctl"
rpc F op=13 0 0 0 -> type=2 status=5
why -> what~"NetrSessionDel"
rpc F op=14 0 0 0 -> type=2 status=5
why -> what~"NetrShareAdd"
rpc F op=22 0 0 0 -> type=2 status=5
why -> what~"NetrServerSetInfo"
close F
nt_create "\winreg" -> fid=F
bind F winreg -> type=12
rpc F op=24 0 -> type=2 status=5
why -> what~"BaseInitiateShutdown"
close F
nt_create "\netlogon" -> fid=F
bind F netlogon -> type=12
rpc F op=2 0 -> type=3 fault=5
why -> what~"NetrLogonSamLogon: this is no domain controller"
bind F mgmt -> type=12
rpc F op=3 -> status!=0
why -> what~"stop_server_listening"
close F
nt_create "\wkssvc" -> fid=F
bind F wkssvc -> type=12
rpc F op=2 ptr "host" 1 1 ptr 0 null 0xffffffff null -> type=2 status=5
why -> what~"NetrWkstaUserEnum"
# for users with a name
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\ipc$
2: rap code=53 "WrLeh" "B21" args=hex:0000+hex:401f -> rap=5
why -> where="IPC$" rule="" what~"NetUserEnum: guests" fix~"login with name and password"
2: rap code=47 "WrLeh" "B21" args=hex:0000+hex:401f -> rap=5
why -> what~"NetGroupEnum: guests"
2: rap code=52 "zWrLeh" "B21" args="USERS"+hex:00+hex:0000+hex:401f -> rap=5
why -> what~"NetGroupGetUsers: guests"
2: rap code=59 "zWrLeh" "B21" args="anna"+hex:00+hex:0000+hex:401f -> rap=5
why -> what~"NetUserGetGroups: guests"
2: rap code=132 "OOWb54WrLh" "WB21BWDWWDDDDDDDzzzD" args=hex:0100+hex:00*54+hex:3600+hex:401f -> rap=5
why -> what~"NetWkstaUserLogon: guests"
2: rap code=56 "zWrLh" "B21Bzzz" args="anna"+hex:00+hex:0a00+hex:401f -> rap=2221
why -> what~"NetUserGetInfo: guests"
2: nt_create "\samr" -> fid=F
2: bind F samr -> type=12
2: rpc F op=57 ptr "host" 0x2000000 keep=1 -> type=2 status=0
2: rpc F op=7 h1 0x2000000 bytes hex:01000000010100000000000520000000 keep=2 -> type=2 status=0
2: rpc F op=13 h2 0 0 1000 -> type=2 status=0xc0000022
why -> what~"SamrEnumerateUsers: guests"
2: rpc F op=40 h2 u16 1 0 100 1000 -> type=2 status=0
why -> what~"SamrQueryDisplayInformation: guests"
# a login inside the pipe is explained like any other
3: connect; 3: negotiate "NT LM 0.12"; 3: session user anna secret1; 3: tree \\host\ipc$
3: nt_create "\srvsvc" -> fid=F
3: bind F srvsvc token="NTLMSSP"+hex:00+hex:01000000+hex:02020000+hex:00*16 -> type=12
3: bind F srvsvc again token="NTLMSSP"+hex:00+hex:03000000+hex:180018005c000000+hex:1800180044000000+hex:0000000000000000+hex:0400040040000000+hex:0000000000000000+hex:0000000000000000+hex:02020000+"anna"+hex:11*48 -> type=3
why -> user="anna" what~"login: user" what~"wrong password" fix~"smb1ctl passwd"
