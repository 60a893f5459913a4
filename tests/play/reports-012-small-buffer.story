# MaxBufferSize 0 and others below the smallest are taken as the smallest (Manticore 1192, BZ 10422).
connect; negotiate "NT LM 0.12"; session guest caps=0x5c maxbuf=0; tree \\host\share
host file "f" data="x"*5000
nt_create "f" -> fid=F
read_andx F count=5000 -> count>=500 len<=1024
read F count=5000 -> count>=500 len<=1024
close F
trans2 find_first "\*" -> names~"f" largest<=1024
