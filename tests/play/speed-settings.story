# `max xmit`, `max mux`, `read raw`, `write raw`, `large readwrite`: what is announced, and what comes of it.
config {
	max xmit = 8452
	max mux = 7
	read raw = no
	large readwrite = no
}
host file "f" data="0123456789abcdef"*8192
connect; negotiate "NT LM 0.12" -> maxmux=7 maxbuf=8452 caps!~0xc001; session guest; tree \\host\share
nt_create "f" -> fid=F
read_raw F count=100 -> length=0
read_andx F off=0 count=131007 -> count<65536
close F; disconnect
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0" -> maxmux=7 maxbuf=8452 raw=2; session guest; tree \\host\share service=A:
open_andx "f" access=rw -> fid=F; read_raw F count=100 -> length=0
write_raw F count=4 data="ab" mode=1 -> remaining=0xffff
frame "cd"
listen -> command=0x20 wct=1
read F count=4 -> data="abcd"
close F; disconnect
