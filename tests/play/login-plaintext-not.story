# `encrypt passwords = no`, but not for this client: it gets a challenge in every dialect that has one.
config {
	encrypt passwords = no
	smb1d: plaintext clients = !192.0.2.7
	lanman auth = yes
[annas]
path = @DIR@/share
username = anna
}
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0" -> keylen=8
session user anna secret1 plain -> error DOS 2/2
session user anna secret1 lm -> action~2
connect; set unicode=on ntstatus=on; negotiate "NT LM 0.12" -> keylen=8
session user anna secret1 plain -> error LOGON_FAILURE
session user anna secret1 ntlmv2 -> action=0
# the core protocol has none, so nobody from there gets in with a password
connect; set unicode=off ntstatus=off; negotiate "PC NETWORK PROGRAM 1.0"
tree_connect \\host\annas password="secret1" -> error DOS 2/2
