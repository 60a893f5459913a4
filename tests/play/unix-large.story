# Reads and writes far beyond 64 KiB, for clients that use the UNIX extensions.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
trans2 code=4 p=hex:00000002 d=hex:01000000+hex:fb00000000000000
nt_create "f" disp=2 -> fid=F
write_andx F off=5 data="0123456789abcdef"*65536 -> count=1048576
trans2 qfile F level=0x200 -> data[0:8]=1048581
read_andx F off=5 count=1048576 -> count=1048576 data="0123456789abcdef"*65536
read_andx F off=0 count=4000000 -> count=1048581
