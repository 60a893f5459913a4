# An open that share modes refuse must not have truncated the file (BZ 10671).
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
host file "f" data="precious"
open_andx "f" access=r deny=write -> fid=F
2: open_andx "f" access=rw deny=none func=2 -> error SHARING_VIOLATION
2: nt_create "f" disp=5 -> error SHARING_VIOLATION
2: nt_create "f" disp=0 access=0x120089 -> error SHARING_VIOLATION
host read "f" -> data="precious"
close F
# read-only with truncate: truncates, if the user may write (reports 65)
open_andx "f" access=r func=2 -> fid=F action=3
host read "f" -> data=""
close F
