# `smb1d: share level clients`: by the name asked for or its own, together with the address; guests of a share by client.
config {
	smb1d: share level clients = called:BYPASS@192.0.2.0/24 OLD@192.0.2.7 FAR@198.51.100.0/24 called:FAR@198.51.100.0/24
	smb1d: guest clients = !192.0.2.7
	smb1d: anonymous clients = 192.0.2.7
}
connect nbt called="BYPASS"; set unicode=off ntstatus=off; negotiate "LANMAN1.0" -> mode=2
# no guests for this client, with a wrong password or none
tree_connect \\host\share -> error DOS 2/2
tree_connect \\host\share password="nonsense" -> error DOS 2/2
connect nbt calling="OLD"; negotiate "LANMAN1.0" -> mode=2
connect nbt; negotiate "LANMAN1.0" -> mode=3
connect nbt called="ELSE"; negotiate "LANMAN1.0" -> mode=3
connect nbt called="FAR"; negotiate "LANMAN1.0" -> mode=3
connect nbt calling="FAR"; negotiate "LANMAN1.0" -> mode=3
