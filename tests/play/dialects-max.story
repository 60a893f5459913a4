# `server max protocol`: nothing better than LANMAN1 is spoken, whatever the client could.
config {
server max protocol = LANMAN1
}
connect; negotiate "PC NETWORK PROGRAM 1.0" "LANMAN1.0" "LM1.2X002" "LANMAN2.1" "NT LM 0.12" -> index=1 wct=13
connect; negotiate "NT LM 0.12" "DOS LANMAN1.0" "MICROSOFT NETWORKS 3.0" -> index=1 wct=13
connect; negotiate "PC NETWORK PROGRAM 1.0" "MICROSOFT NETWORKS 1.03" -> index=1 wct=1
connect; negotiate "NT LM 0.12" -> index=0xffff wct=1
connect; negotiate "LM1.2X002" "LANMAN2.1" "Windows for Workgroups 3.1a" "Samba" -> index=0xffff
