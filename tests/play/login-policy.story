# Kinds of login by client: addresses decide, names only together with an address, accounts only narrow.
config {
	lanman auth = yes
	ntlm auth = ntlmv1-permitted
	smb1d: lanman clients = !192.0.2.0/24
	smb1d: lanman users = anna
	smb1d: ntlmv1 users = anna
	smb1d: ntlmv2 users = anna bob
	smb1d: guest clients = !192.0.2.7
	smb1d: anonymous clients = !192.0.2.7
}
connect; negotiate "NT LM 0.12"
session user anna secret1 lm -> error LOGON_FAILURE
why -> rule="smb1d: lanman clients = !192.0.2.0/24" fix~"!"
session user anna secret1 nt -> action=0
session user bob secret2 nt -> error LOGON_FAILURE
why -> user="bob" rule="smb1d: ntlmv1 users = anna" place~"smb.conf:"
session user bob secret2 ntlmv2 -> action=0
session guest -> error LOGON_FAILURE
why -> rule="smb1d: guest clients = !192.0.2.7"
session anonymous -> error ACCESS_DENIED
why -> rule="smb1d: anonymous clients = !192.0.2.7"
# a challenge was sent: a password in the clear is nothing
session user anna secret1 plain -> error LOGON_FAILURE
