# Named pipes: srvsvc by TRANSACTION, by write and read; RAP.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\ipc$
nt_create "\srvsvc" -> fid=F type=2 state=0x05ff
bind F srvsvc -> type=12
shares F -> type=2 count=4
# an answer larger than MaxDataCount: the first part now, the rest by READ_ANDX (reports 140)
shares F maxd=64 -> warning BUFFER_OVERFLOW count_d=64
read_andx F count=4000 -> count>=100 remaining=0
close F
open_andx "\PIPE\wkssvc" access=rw -> fid=F type=2
bind F wkssvc -> type=12
close F
rap share_enum -> rap=0 count=4 names~"share"
rap share_enum level=0 -> rap=0 count=4
# too small a buffer: what fits, and "more data" (reports 139)
rap share_enum buf=40 -> rap=234 count<=2 available=4
rap code=0x1a "WrLh" "B16" args=hex:00001000 -> rap=50
rap code=63 "WrLh" "zzzBBzz" args=hex:0a00001000 -> rap=0
# reading only is enough to open (reports 142)
nt_create "srvsvc" access=0x120089 -> fid=F
close F
# Win9x leaves the last backslash out, a name without NUL (reports 144)
nt_create "srvsvc" -> fid=F
bind F srvsvc name="\PIPE" -> type=12
close F
