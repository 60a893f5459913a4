# OPEN_ANDX + READ_ANDX of all sizes (BZ 1606: the first header was lost on the sendfile path).
connect; negotiate "NT LM 0.12"; session guest maxbuf=61440; tree \\host\share
host file "f" data="0123456789abcdef"*4096
chain { open_andx "f" -> fid=F; read_andx 0 count=1 -> data="0" }
close F
chain { open_andx "f" -> fid=F; read_andx 0 count=3000 -> count=3000 }
close F
chain { open_andx "f" -> fid=F; read_andx 0 count=16384 -> count=16384 }
close F
chain { open_andx "f" -> fid=F; read_andx 0 count=40000 -> count=40000 }
close F
chain { open_andx "f" -> fid=F; read_andx 0 count=60000 -> count=60000 }
close F
# no more than the client's buffer
chain { open_andx "f" -> fid=F; read_andx 0 count=65535 -> count<=61440 len<=61440 }
close F
