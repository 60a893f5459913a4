# The upper count word may be half of a timeout of -1 (BZ 9422, 9572, 11878): 0xffffffff counts as 0.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "f" data="0123456789"*10000
nt_create "f" -> fid=F
read_andx F count=10 high=0xffffffff -> data="0123456789"
read_andx F count=10 high=0xffff -> data="0123456789"
read_andx F count=0x10000 -> count>=60000
# a client that did not offer large reads stays below its buffer
connect; negotiate "NT LM 0.12"; session guest caps=0x5c maxbuf=4356; tree \\host\share
nt_create "f" -> fid=F
read_andx F count=60000 -> count<=4356 len<=4356 count>=4000
