# OPL's in-game module: session setup chained with tree connect, ASCII open, header without PID, MID and Flags2.
connect; set unicode=off ntstatus=off pid=0
host file "game.iso" data="0123456789abcdef"*4096
negotiate "NT LM 0.12" -> wct=17
chain { session guest caps=0xc004; tree \\HOST\share service=????? -> service="A:" }
open_andx "\game.iso" access=r flags2=0 -> fid=F size=65536
read_andx F off=2048 count=2048 flags=0 flags2=0 pid=0 mid=0 -> count=2048 at>=59
read_andx F off=65000 count=4096 flags=0 flags2=0 pid=0 mid=0 -> count=536
write_andx F data="x" words=12 mode=1 flags2=0 mid=0 -> error DOS 1/5
# it leaves without a word
disconnect
