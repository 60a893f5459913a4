# A reply larger than the client's buffer comes in fragments, none larger than it (pysmb 234, amiga 1.116).
connect; negotiate "NT LM 0.12"; session guest maxbuf=1024; tree \\host\share
host many "a-file-with-a-long-name" count=200
trans2 find_first "\*" count=1000 maxd=60000 level=0x104 -> count=202 largest<=1024 fragments>=20
# MaxDataCount is kept as well
trans2 find_first "\*" count=1000 maxd=2000 level=0x104 -> count_d<=2000 sid=S eos=0 count>=5
trans2 find_next S count=1000 maxd=60000 -> eos=1
