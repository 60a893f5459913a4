# `server min protocol`: the old ones are gone.
config {
server min protocol = LANMAN2
}
connect; negotiate "PC NETWORK PROGRAM 1.0" "LANMAN1.0" "LM1.2X002" -> index=2 wct=13
connect; negotiate "PC NETWORK PROGRAM 1.0" "LANMAN1.0" "NT LM 0.12" -> index=2 wct=17
connect; negotiate "PC NETWORK PROGRAM 1.0" "MICROSOFT NETWORKS 1.03" "XENIX CORE" -> index=0xffff wct=1
connect; negotiate "LANMAN1.0" "MICROSOFT NETWORKS 3.0" "DOS LANMAN1.0" -> index=0xffff
