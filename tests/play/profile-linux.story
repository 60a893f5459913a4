# smb1d: profile = linux: NT alone, no LM; what smb.conf says of the UNIX extensions stays.
config {
	lanman auth = yes
	smb1 unix extensions = no
	smb1d: profile = linux:192.0.2.7
}
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0" -> index=0xffff
why -> rule="server min protocol = NT1" place="profile linux"
connect; set unicode=on ntstatus=on; negotiate "NT LM 0.12"
# `lanman auth = yes` is smb.conf's own word
session user anna secret1 lm -> action~2
session user anna secret1 ntlmv2 -> action=0
tree \\host\share
