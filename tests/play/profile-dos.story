# smb1d: profile = dos: LM is taken, newer dialects are fenced off; what smb.conf says itself stays.
config {
	smb1d: profile = ps2:198.51.100.0/24, dos:192.0.2.0/24, windows
	mangled names = no
}
connect; negotiate "NT LM 0.12" -> index=0xffff
why -> rule="server max protocol = LANMAN2" place="profile dos"
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0" -> wct=13
session user anna secret1 -> action~2
tree \\host\share service=A:
