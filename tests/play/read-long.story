# READ and LOCK_AND_READ of two pages and more go straight from the file as READ_ANDX does: every byte, the end of the file, nothing
# behind it, one after the other in step; signed they are copied and say the same.
host file "f" data="0123456789abcdef"*1000
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
nt_create "f" access=0x12019f share=7 -> fid=F
read F off=0 count=8191 -> count=8191
read F off=0 count=8192 -> count=8192 data="0123456789abcdef"*512
read F off=1 count=9600 -> count=9600 data="123456789abcdef0"*600
read F off=7008 count=9500 -> count=8992 data="0123456789abcdef"*562
read F off=15999 count=9500 -> count=1 data="f"
read F off=16000 count=9500 -> count=0
read F off=0xfffff000 count=9500 -> count=0
batch { read F off=0 count=9600; echo "between"; read F off=16 count=9600; echo "behind" }
lock_read F off=0 count=9600 -> count=9600 data="0123456789abcdef"*600
lock_read F off=9600 count=9600 -> count=6400 data="0123456789abcdef"*400
# wrong ones
read 4711 off=0 count=9600 -> error INVALID_HANDLE
lock_read F off=0 count=9600 -> error LOCK_NOT_GRANTED
nt_create "f" access=0x100002 share=7 -> fid=W
read W off=0 count=9600 -> error ACCESS_DENIED
echo "in step"
disconnect
connect; negotiate "NT LM 0.12"; session user anna secret1 ntlmv2 sign; tree \\host\share
nt_create "f" -> fid=F
read F off=1 count=9600 -> count=9600 data="123456789abcdef0"*600
read F off=15999 count=9500 -> count=1 data="f"
