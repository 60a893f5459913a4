# Messages of more than 65535 bytes: 17 bits of frame length, the byte count wraps (reports 16, 92).
connect nbt; negotiate "NT LM 0.12" -> caps~0xc000
session guest caps=0xc05c; tree \\host\share
nt_create "big" disp=2 -> fid=F
write_andx F data="0123456789abcdef"*7936 -> count=126976
host stat "big" -> size=126976
read_andx F off=0 count=126976 -> count>=61440
read_andx F off=126960 count=16 -> data="0123456789abcdef"
# a chained large write keeps the rest of the stream in step
echo "in step" -> data="in step"
close F
