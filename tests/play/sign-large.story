# Messages of a mebibyte, signed as a whole, in both directions.
connect; negotiate "NT LM 0.12"; session user anna secret1 ntlmv2 sign; tree \\host\share
trans2 code=4 p=hex:00000002 d=hex:01000000+hex:fb00000000000000
nt_create "f" disp=2 -> fid=F
write_andx F off=5 data="0123456789abcdef"*65536 -> count=1048576
read_andx F off=5 count=1048576 -> count=1048576 data="0123456789abcdef"*65536
read_andx F off=0 count=4000000 -> count=1048581
echo "x"
set badsign=on
write_andx F off=0 data="y"*1000000 -> closed
