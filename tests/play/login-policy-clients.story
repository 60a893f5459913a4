# One old client may do what nobody else may: by address, by name and address, never by name alone.
config {
	map to guest = Never
	lanman auth = no
	ntlm auth = disabled
	restrict anonymous = 2
	smb1d: lanman clients = OLDPC@192.0.2.0/24
	smb1d: ntlmv1 clients = TRUSTED
	smb1d: ntlmv2 clients = 192.0.2.7
	smb1d: guest clients = 192.0.2.7
	smb1d: anonymous clients = 198.51.100.1
}
connect nbt calling="OLDPC"; negotiate "NT LM 0.12"
session user anna secret1 lm -> action~2
session user anna secret1 ntlmv2 -> action=0
session guest -> action=1
session anonymous -> error ACCESS_DENIED
why -> rule="restrict anonymous = 2"
connect nbt calling="OTHER"; negotiate "NT LM 0.12"
session user anna secret1 lm -> error LOGON_FAILURE
connect nbt calling="TRUSTED"; negotiate "NT LM 0.12"
session user anna secret1 nt -> error LOGON_FAILURE
why -> rule="ntlm auth = disabled"
