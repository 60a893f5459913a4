# Write-through writes in flight share one sync; a chain among them is answered whole, and what it closes was written.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
open_andx "f" access=rw func=0x11 -> fid=F
batch {
	write_andx F data="aaaa" mode=1 -> count=4
	chain { write_andx F off=4 data="bbbb" mode=1 -> count=4; read_andx F count=10 -> data="aaaabbbb" }
	write_andx F off=8 data="cccc" mode=1 -> count=4
}
batch {
	write_andx F data="dddd" mode=1 -> count=4
	write_andx F off=4 data="eeee" mode=1 -> count=4
	chain { write_andx F off=8 data="ffff" mode=1 -> count=4; close F }
	write_andx F off=12 data="gggg" mode=1 -> error INVALID_HANDLE
}
read_andx F count=1 -> error INVALID_HANDLE
host read "f" -> data="ddddeeeeffff"
# a second one, of a file that is not there
open_andx "f" access=rw -> fid=F
batch {
	write_andx F data="hhhh" mode=1 -> count=4
	chain { write_andx 0x7777 data="xx" mode=1 -> error INVALID_HANDLE; close 0x7777 -> skipped }
}
read_andx F count=4 -> data="hhhh"
