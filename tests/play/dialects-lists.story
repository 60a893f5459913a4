# The lists that real clients send: which of them is picked.
# MS Network Client 3.0, Windows for Workgroups
connect; negotiate "PC NETWORK PROGRAM 1.0" "MICROSOFT NETWORKS 3.0" "DOS LM1.2X002" "DOS LANMAN2.1" "Windows for Workgroups 3.1a" -> index=3 wct=13
# Windows 95
connect; negotiate "PC NETWORK PROGRAM 1.0" "MICROSOFT NETWORKS 3.0" "DOS LM1.2X002" "DOS LANMAN2.1" "Windows for Workgroups 3.1a" "NT LM 0.12" -> index=5 wct=17
# Windows NT 3.5 and 4
connect; negotiate "PC NETWORK PROGRAM 1.0" "XENIX CORE" "MICROSOFT NETWORKS 1.03" "LANMAN1.0" "Windows for Workgroups 3.1a" "LM1.2X002" "LANMAN2.1" "NT LM 0.12" -> index=7 wct=17
# Windows 2000 and XP
connect; negotiate "PC NETWORK PROGRAM 1.0" "LANMAN1.0" "Windows for Workgroups 3.1a" "LM1.2X002" "LANMAN2.1" "NT LM 0.12" -> index=5 wct=17
# OS/2
connect; negotiate "PC NETWORK PROGRAM 1.0" "XENIX CORE" "LANMAN1.0" "LM1.2X002" "LANMAN2.1" -> index=4 wct=13
# Vista and 7: SMB 2 is somebody else's
connect; negotiate "PC NETWORK PROGRAM 1.0" "LANMAN1.0" "Windows for Workgroups 3.1a" "LM1.2X002" "LANMAN2.1" "NT LM 0.12" "SMB 2.002" "SMB 2.???" -> index=5 wct=17
# Linux
connect; negotiate "NT LM 0.12" "POSIX 2" -> index=0 wct=17
# Linux with weak authentication
connect; negotiate "LM1.2X002" "LANMAN2.1" "NT LM 0.12" "POSIX 2" -> index=2 wct=17
# smbclient
connect; negotiate "PC NETWORK PROGRAM 1.0" "MICROSOFT NETWORKS 1.03" "MICROSOFT NETWORKS 3.0" "LANMAN1.0" "LM1.2X002" "DOS LANMAN2.1" "LANMAN2.1" "Samba" "NT LANMAN 1.0" "NT LM 0.12" -> index=8 wct=17
# basic redirector of DOS, PC LAN Program
connect; negotiate "PC NETWORK PROGRAM 1.0" "MICROSOFT NETWORKS 1.03" -> index=1 wct=1
# the smallest
connect; negotiate "PC NETWORK PROGRAM 1.0" -> index=0 wct=1
