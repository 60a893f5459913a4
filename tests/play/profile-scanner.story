# smb1d: profile = scanner: older proofs for one address, whatever others may do; no UNIX extensions.
config {
	smb1d: profile = scanner:192.0.2.7
	smb1d: lanman users = anna
}
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0" -> wct=13
session user anna secret1 lm -> action~2
session user bob secret2 lm -> error DOS 2/2
why -> user="bob" rule="smb1d: lanman users = anna"
connect; negotiate "PC NETWORK PROGRAM 1.0" -> index=0xffff
why -> rule="server min protocol = LANMAN1" place="profile scanner"
connect; set unicode=on ntstatus=on; negotiate "NT LM 0.12"
session user anna secret1 nt -> action=0
