# security = share: a password for each share.
config {
security = share
encrypt passwords = no
[annas]
path = @DIR@/share
username = anna
read only = no
[only]
path = @DIR@/share
username = bob
only user = yes
[group]
path = @DIR@/share
username = anna @daemon
only user = yes
[other]
path = @DIR@/share
username = &no-such-group
only user = yes
[all]
path = @DIR@/share
guest only = yes
username = anna
}
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0" -> mode=0 keylen=0
tree_connect \\host\annas password="secret1" -> tid=T
create "f" -> fid=F
tree_connect \\host\only password="secret1" -> error DOS 2/2
tree_connect \\host\only password="secret2" -> tid=U
tree_connect \\host\only password="a"*5000 -> error DOS 2/2
# a file belongs to the tree it was opened in
close F -> error DOS 1/6
close F tid=T
tree_connect \\host\share -> tid=V
getatr "f" tid=V
tdis tid=T
getatr "f" tid=T -> error DOS 2/5
getatr "f" tid=U
# a group in the list means each of its members
tree_connect \\host\group password="secret3" -> tid!=0
tree_connect \\host\group password="secret1" -> tid!=0
tree_connect \\host\group password="secret2" -> error DOS 2/2
tree_connect \\host\other password="secret1" -> error DOS 2/2
# `guest only` asks for nobody: every password is as good as none
tree_connect \\host\all password="nonsense" -> tid!=0
# the name of a SESSION_SETUP is tried first
2: connect; 2: set unicode=off ntstatus=off; 2: negotiate "NT LM 0.12" -> mode=0
2: tree_connect \\host\share -> tid!=0
