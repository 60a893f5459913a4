# Passwords in the clear are taken from nobody who is not listed.
config {
[annas]
path = @DIR@/share
username = anna
}
connect; set unicode=off ntstatus=off; negotiate "PC NETWORK PROGRAM 1.0"
tree_connect \\host\annas password="secret1" -> error DOS 2/2
why -> where="annas" rule="smb1d: plaintext clients = " fix~"in the clear"
tree_connect \\host\share -> tid!=0
