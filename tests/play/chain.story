# AndX chains: IDs travel along (reports 35), blocks before an error stand.
connect; negotiate "NT LM 0.12"
chain {
	session guest -> action=1 uid!=0
	tree \\host\share -> service="A:" tid!=0
}
chain {
	nt_create "a" disp=2 -> fid=F action=2
	write_andx 0xffff data="in a chain" -> count=10
	read_andx 0xffff count=4 -> data="in a"
}
write_andx F off=0 data="X"
close F
# open and read (reports 80)
chain {
	open_andx "a" access=r -> fid=F size=10
	read_andx 0 count=100 -> data="Xn a chain"
}
close F
# read and close
nt_create "a" -> fid=F
chain {
	read_andx F count=100 -> data="Xn a chain"
	close F -> ok
}
close F -> error INVALID_HANDLE
# write and read (reports 79)
nt_create "a" -> fid=F
chain {
	write_andx F off=2 data="NA" -> count=2
	read_andx F count=100 -> data="XnNA chain"
}
# the failing block is empty, those before it stand
chain {
	read_andx F count=2 -> data="Xn"
	open_andx "none" -> error OBJECT_NAME_NOT_FOUND
	read_andx F -> skipped
}
close F
# a logoff that leads to a new login
chain {
	logoff
	session guest -> uid!=0
}
