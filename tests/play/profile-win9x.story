# smb1d: profile = win9x: LM responses are taken in NT and LANMAN dialects, the core protocol is behind the fence.
config {
	smb1d: profile = linux:198.51.100.0/24, win9x:192.0.2.0/24
}
connect; set unicode=off ntstatus=off; negotiate "PC NETWORK PROGRAM 1.0" -> index=0xffff
why -> rule="server min protocol = LANMAN1" place="profile win9x"
connect; set unicode=off ntstatus=off; negotiate "NT LM 0.12"
session user anna secret1 lm -> action~2
connect; negotiate "LANMAN2.1" -> wct=13
