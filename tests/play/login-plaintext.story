# `smb1d: plaintext clients`: settled by connection, for the dialects that may know nothing better; accounts only narrow it.
config {
	smb1d: plaintext clients = 192.0.2.0/24
	smb1d: plaintext users = anna
	lanman auth = yes
}
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0" -> keylen=0
session user anna secret1 plain -> action=0
session user bob secret2 plain -> error DOS 2/2
why -> user="bob" rule="smb1d: plaintext users = anna"
session user anna wrong plain -> error DOS 2/2
# whoever offers more gets a challenge, and a password in the clear is nothing to it, right or not
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0" "LANMAN2.1" -> keylen=8
session user anna secret1 plain -> error DOS 2/2
why -> what~"wrong password"
session user anna secret1 lm -> action~2
connect; set unicode=on ntstatus=on; negotiate "NT LM 0.12" -> keylen=8
session user anna secret1 plain -> error LOGON_FAILURE
why -> what~"wrong password"
session user anna secret1 ntlmv2 -> action=0
