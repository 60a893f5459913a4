# A name is text in the log and nothing else: no new line, no order to a terminal, in 7 bits or 8; other letters stay.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
set unicode=on
nt_create "a"+hex:c29b+"2J" access=0x3 disp=5 -> fid=F
logged "open a??2J: fid"
close F
nt_create "e"+hex:c3a9e28080f09f9880+"z" access=0x3 disp=5 -> fid=F
logged "open eé 😀z: fid"
close F
nt_create "b"+hex:0a+"2J" access=0x3 disp=5 -> error OBJECT_NAME_INVALID
