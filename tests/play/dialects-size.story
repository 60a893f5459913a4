# Sizes beyond a dialect's fields say the most there is; a reply is never longer than its client takes.
host file "big" size=5368709121; host file "f" data="x"*3000
connect; set unicode=off ntstatus=off; negotiate "PC NETWORK PROGRAM 1.0"; tree_connect \\host\share
getatr "BIG" -> size=0xffffffff; search "BIG" -> names="BIG" reply~hex:ffffffff
open "BIG" -> fid=F size=0xffffffff
seek F mode=2 offset=0 -> offset=0xffffffff
read F off=0xfffffff0 count=100 -> count=100
dskattr -> units>=1 units<=65535 free<=65535 blocks>=1 blocks<=65535 bytes=512
close F
# beyond what the words can say
open "F" mode=2 -> fid=F; read F off=0 count=65535 -> count=3000; close F
disconnect
connect; set unicode=off ntstatus=off maxbuf=1024; negotiate "LANMAN1.0"; session guest; tree \\host\share service=A:
open_andx "big" -> fid=F size=0xffffffff; close F
open_andx "f" -> fid=F; read F off=0 count=3000 -> count<=1024; read_andx F off=0 count=3000 words=10 -> count<=1024
close F; disconnect
connect; set unicode=off ntstatus=off maxbuf=0xffff; negotiate "LM1.2X002"; session guest; tree \\host\share service=A:
trans2 qpath "big" level=1 -> size=0xffffffff; trans2 find_first "big" level=1 -> size=0xffffffff
disconnect
connect; set unicode=on ntstatus=on; negotiate "NT LM 0.12"; session guest; tree \\host\share
# what has no place in 16 bits of attributes is not shown there
trans2 spath "f" level=0x101 data=hex:00*32+hex:2003000000000000; trans2 qpath "f" level=0x101 -> attrs=0x320
trans2 qpath "f" level=1 -> attrs=0x20; open_andx "f" -> attrs=0x20
trans2 qpath "big" level=1 -> size=0xffffffff; trans2 qpath "big" level=0x102 -> size=5368709121
getatr "big" -> size=0xffffffff; dskattr -> units<=65535
