# smb1d: profile = ps2 for its network alone: guests without a name in smb.conf, no older dialect.
config {
	map to guest = Never
	smb1d: profile = ps2:192.0.2.7
}
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0" -> index=0xffff
why -> rule="server min protocol = NT1" place="profile ps2"
connect; set unicode=on ntstatus=on; negotiate "NT LM 0.12" -> mode=3
# smb.conf's own word wins: guests stay out
session guest -> error LOGON_FAILURE
session user anna secret1 -> action=0
