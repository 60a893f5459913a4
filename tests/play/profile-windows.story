# smb1d: profile = windows for everybody: NT alone, no LM, even where it would be the default.
config {
	smb1d: profile = windows
}
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0" -> index=0xffff
why -> rule="server min protocol = NT1" place="profile windows"
connect; set unicode=on ntstatus=on; negotiate "NT LM 0.12" -> mode=7
session user anna secret1 lm -> error LOGON_FAILURE
why -> rule="lanman auth = No" place="profile windows"
session user anna secret1 ntlmv2 -> action=0
