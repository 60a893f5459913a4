# SESSION_SETUP_ANDX: all ways to log in.
config {
	lanman auth = yes
}
connect; negotiate "NT LM 0.12"
session user anna secret1 -> action=0 uid!=0 domain="WORKGROUP"
session user ANNA secret1 nt -> action=0
session user anna secret1 lm -> action~2
session user anna secret1 lmv2 -> action=0
session user anna secret1 ntlmv2 -> action=0
session user anna secret1 domain="ELSEWHERE" -> action=0
session anonymous -> action=0
session guest -> action=1
session user anna wrong -> error LOGON_FAILURE
session user bob secret1 -> error LOGON_FAILURE
# an unknown name with any password becomes a guest
session user nobodyknows xyz -> action=1
# the session key is ignored; a buffer size of 0 counts as the smallest
session user anna secret1 key=0x12345678 maxbuf=0 -> action=0
connect; negotiate "NT LM 0.12" ext
session user anna secret1 -> action=0 wct=4
session user anna secret1 ntlmssp -> action=0
session user bob wrong -> error LOGON_FAILURE
session anonymous -> action=0
session guest -> action=1
tree \\host\ipc$ -> service="IPC"
# the old form, after extended security was agreed on, is answered too (W=13)
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0" -> wct=13
session user anna secret1 -> action~2
session user anna wrong -> error DOS 2/2
tree \\host\share service=A:
