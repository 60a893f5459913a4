# Strings and errors of the dialects: code page and DOS codes up to LANMAN2.1; from NT on as each message says.
host file "été.txt" data="12345"
connect; set unicode=off ntstatus=off; negotiate "PC NETWORK PROGRAM 1.0"; tree_connect \\host\share
getatr "ÉTÉ.TXT" -> size=5; search "*.*" -> reply~hex:905490
getatr "NO" -> error DOS 1/2 flags2<=0x3fff
mkdir "D"; mkdir "D" -> error DOS 1/5
disconnect
connect; set unicode=off ntstatus=off; negotiate "LM1.2X002"; session guest; tree \\host\share service=A:
getatr "été.txt" -> size=5
trans2 find_first "*.txt" level=1 -> names="été.txt" data~hex:827482
trans2 find_first "none" level=1 -> error DOS 1/18
getatr "none" -> error DOS 1/2; rmdir "none\x" -> error DOS 1/3
disconnect
connect; set unicode=off ntstatus=off; negotiate "NT LM 0.12"; session guest; tree \\host\share service=A:
trans2 find_first "*.txt" level=0x104 -> names="été.txt" data~hex:827482
getatr "none" -> error DOS 1/2
set ntstatus=on; getatr "none" -> error OBJECT_NAME_NOT_FOUND
set unicode=on; trans2 find_first "*.txt" level=0x104 -> names="été.txt" data~hex:e9007400e900
set ntstatus=off; getatr "none" -> error DOS 1/2
