# `write raw = no`: raw reads alone are announced; who writes raw all the same is told to use the standard command.
config {
	write raw = no
}
host file "f" data="abcd"
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0" -> maxmux=50 raw=1; session guest; tree \\host\share service=A:
open_andx "f" access=rw -> fid=F; read_raw F count=4 -> length=4
write_raw F count=4 data="ab" mode=1 -> error DOS 2/251
read F count=4 -> data="abcd"
