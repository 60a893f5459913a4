# READ, WRITE, READ_ANDX, WRITE_ANDX.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
nt_create "f" disp=2 -> fid=F
write_andx F data="hello world" -> count=11 remaining=0xffff
write_andx F off=6 data="WORLD" mode=1 words=12 -> count=5
read_andx F off=0 count=100 -> data="hello WORLD" remaining=0xffff
read_andx F off=6 count=3 words=10 -> data="WOR"
# at and behind the end: success with nothing, the offset still valid (reports 83)
read_andx F off=11 count=10 -> count=0 at>=59
read_andx F off=100000 count=10 -> count=0
read_andx F off=0x8000000000 count=10 -> count=0
# a write of nothing changes nothing
write_andx F off=3 -> count=0
host stat "f" -> size=11
# core forms
read F off=0 count=5 -> data="hello" count=5
read F off=11 count=5 -> count=0 data="" bcc=3
write F off=0 data="J" -> count=1
write F off=4 count=0 -> count=0
host read "f" -> data="Jell"
write F off=8 count=0
host read "f" -> data="Jell"+hex:00000000
# behind the end: zeros between
write_andx F off=10 data="x"
host read "f" -> data="Jell"+hex:000000000000+"x"
close F
