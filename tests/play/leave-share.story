# A request that leaves its share: who came in with the password of the share goes with it, and is not named any more.
config {
security = share
encrypt passwords = no
[annas]
path = @DIR@/share
username = anna
read only = no
ea support = no
}
connect; set unicode=off ntstatus=off; negotiate "LANMAN2.1"
tree_connect \\host\annas password="secret1" -> tid=T
create "f" -> fid=F; close F
trans2 spath "f" level=2 data=hex:0e000000+hex:00030200+"ABC"+hex:00+"ab" tflags=0 -> error DOS 1/282
why -> user="anna" where="annas" rule="ea support = No"
trans2 spath "f" level=2 data=hex:0e000000+hex:00030200+"ABC"+hex:00+"ab" tflags=1 -> error DOS 1/282
why -> user="" rule="" what~"a share it has left: "
getatr "f" tid=T -> error DOS 2/5
tree_connect \\host\annas password="secret1" -> tid=T
trans2 qpath "none" tflags=1 -> error DOS 1/2
getatr "f" tid=T -> error DOS 2/5
tree_connect \\host\annas password="secret1" -> tid=T
tdis tid=T
getatr "f" tid=T -> error DOS 2/5
