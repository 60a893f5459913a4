# security = share, but not for this client: it logs in as a user.
config {
	security = share
	smb1d: share level clients = !192.0.2.0/24
	lanman auth = yes
}
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0" -> mode=3
tree \\host\private -> error SMB_BAD_UID
session user anna secret1 lm -> action~2
tree \\host\private
