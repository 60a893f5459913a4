# Every refusal names its rule, where that is set, and what would allow it.
config {
	server min protocol = LANMAN2
[gone]
path = @DIR@/share
available = no
[nobob]
path = @DIR@/share
invalid users = bob
[far]
path = @DIR@/share
hosts allow = 198.51.100.0/24
[near]
path = @DIR@/share
hosts deny = 192.0.2.
[one]
path = @DIR@/share
max connections = 1
[veto]
path = @DIR@/share
read only = no
veto files = /*.exe/secret/
[listed]
path = @DIR@/share
read only = no
read list = anna
}
# the dialect
connect; set unicode=off ntstatus=off; negotiate "PC NETWORK PROGRAM 1.0" -> index=0xffff
why -> rule="server min protocol = LANMAN2" place~"smb.conf:" what~"PC NETWORK PROGRAM 1.0" fix~"older"
connect; set unicode=off ntstatus=off; negotiate "SMB 9.99" -> index=0xffff
why -> rule="" what~"SMB 9.99"
# the login
connect; set unicode=on ntstatus=on; negotiate "NT LM 0.12"
session user anna wrong -> error LOGON_FAILURE
why -> user="anna" rule="" what~"wrong password" fix~"smb1ctl passwd"
session user anna secret1 lm -> error LOGON_FAILURE
why -> user="anna" rule="lanman auth = No" place="default" fix~"smb1d: lanman clients"
# the share
session user anna secret1
tree \\host\nosuch -> error BAD_NETWORK_NAME
why -> user="anna" where="nosuch" what="there is no share nosuch"
tree \\host\gone -> error BAD_NETWORK_NAME
why -> rule="available = No" place~"smb.conf:"
tree \\host\far -> error ACCESS_DENIED
why -> rule="hosts allow = 198.51.100.0/24" where="far"
tree \\host\near -> error ACCESS_DENIED
why -> rule="hosts deny = 192.0.2." what~"192.0.2."
tree \\host\one; 2: connect; 2: negotiate "NT LM 0.12"; 2: session user bob secret2
2: tree \\host\one -> error REQUEST_NOT_ACCEPTED
why -> user="bob" rule="max connections = 1"
2: tree \\host\private -> error ACCESS_DENIED
why -> user="bob" rule="valid users = anna" where="private"
2: tree \\host\nobob -> error ACCESS_DENIED
why -> rule="invalid users = bob"
3: connect; 3: negotiate "NT LM 0.12"; 3: session guest
3: tree \\host\private -> error ACCESS_DENIED
why -> rule="guest ok = No" place="default"
# files: a read-only share, a read list, vetoed names, the file's own mode
tree \\host\ro
nt_create "new" disp=2 access=0x12019f -> error ACCESS_DENIED
why -> user="anna" where="ro" rule="read only = Yes" what~"new"
tree \\host\listed
mkdir "d" -> error ACCESS_DENIED
why -> rule="read list = anna"
tree \\host\veto
host file "a.exe"
open_andx "a.exe" access=r -> error OBJECT_NAME_NOT_FOUND
why -> rule="veto files = /*.exe/secret/" what~"a.exe"
open_andx "nothing" access=r -> error OBJECT_NAME_NOT_FOUND
host file "closed" mode=0
open_andx "closed" access=r -> error ACCESS_DENIED
why -> rule="" what~"closed" fix~"permissions"
# what the same request has explained is not explained again; success explains nothing
open_andx "ok" access=rw func=0x11
