# Messages of more than 65535 bytes: 17 bits of frame length, the byte count wraps (reports 16, 92).
connect nbt; negotiate "NT LM 0.12" -> caps~0xc000
session guest caps=0xc05c; tree \\host\share
nt_create "big" disp=2 -> fid=F
write_andx F data="0123456789abcdef"*7936 -> count=126976
host stat "big" -> size=126976
read_andx F off=0 count=126976 -> count>=61440
read_andx F off=126960 count=16 -> data="0123456789abcdef"
# as much as the frame has room for; who asks for more gets whole pages
host file "long" data="0123456789abcdef"*8192; nt_create "long" disp=1 -> fid=L
read_andx L off=0 count=130048 -> count=130048
read_andx L off=1 count=131007 -> count=131007
read_andx L off=0 count=131008 -> count=126976
read_andx L off=4096 count=131071 -> count=126976
close L
# a chained large write keeps the rest of the stream in step
echo "in step" -> data="in step"
close F
