# Time zones: DOS dates and the seconds of the core protocol are the server's local time, those of NT are not.
host file "f"; host touch "f" time=1000000001
set tz="EST5"
# 2001-09-09 01:46:41 there is 2001-09-08 20:46:41 here: date 0x2b28, time 0xa5d4
connect; set unicode=off ntstatus=off; negotiate "PC NETWORK PROGRAM 1.0"; tree_connect \\host\share
getatr "F" -> time=999982001
setatr "F" time=999982100; host stat "f" -> mtime=1000000100
host touch "f" time=1000000001
search "F" -> reply~hex:d4a5282b
disconnect
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0" -> zone=300
session guest; tree \\host\share service=A:; getatr "f" -> time=999982001
disconnect
connect; set unicode=off ntstatus=off; negotiate "LM1.2X002" -> zone=300
session guest; tree \\host\share service=A:
trans2 qpath "f" level=1 -> write_date=0x2b28 write_time=0xa5d4
trans2 spath "f" level=1 data=hex:00*8+hex:282b+hex:d5a5; host stat "f" -> mtime=1000000002
disconnect; host touch "f" time=1000000001
connect; set unicode=on ntstatus=on; negotiate "NT LM 0.12" -> zone=300
session guest; tree \\host\share
trans2 qpath "f" level=0x101 -> written=126444736010000000
trans2 qpath "f" level=1 -> write_date=0x2b28 write_time=0xa5d4
disconnect
# east of Greenwich the zone is negative, and may have minutes
set tz="IST-5:30"; connect; negotiate "NT LM 0.12" -> zone=65206; session guest; tree \\host\share
trans2 qpath "f" level=0x101 -> written=126444736010000000
getatr "f" -> time=1000019801
disconnect
# summer time as it was on the day of the file, not as it is now
set tz="EST5EDT,M3.2.0,M11.1.0"; connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
getatr "f" -> time>=999982001
