# What does not fit into a client's buffer comes in whole pages: its next read begins at one (`max xmit` 16644 is four pages
# and a head; a buffer of less than a page is filled).
host file "f" data="0123456789abcdef"*4096
connect; negotiate "NT LM 0.12"; session guest caps=0x5c maxbuf=16644; tree \\host\share
nt_create "f" -> fid=F
read_andx F off=0 count=16384 -> count=16384
read_andx F off=0 count=16500 -> count=16500
read_andx F off=0 count=20000 -> count=16384
read_andx F off=16384 count=65535 -> count=16384
read F off=0 count=20000 -> count=16384
read F off=0 count=16500 -> count=16500
close F; disconnect
connect; negotiate "NT LM 0.12"; session guest caps=0x5c maxbuf=4356; tree \\host\share
nt_create "f" -> fid=F
read_andx F off=0 count=16384 -> count=4096; read F off=0 count=16384 -> count=4096
close F; disconnect
connect; negotiate "NT LM 0.12"; session guest caps=0x5c maxbuf=2000; tree \\host\share
nt_create "f" -> fid=F
read_andx F off=0 count=4096 -> count>=1900 len<=2000; read F off=0 count=4096 -> count>=1900 len<=2000
close F
