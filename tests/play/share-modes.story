# NT share modes between two clients.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
nt_create "f" disp=2 access=0x12019f share=0 -> fid=F
2: nt_create "f" share=7 -> error SHARING_VIOLATION
2: open_andx "f" access=r deny=none -> error SHARING_VIOLATION
# opens that touch no data never conflict
2: nt_create "f" access=0x100080 share=0 -> fid=G
2: close G
close F
2: nt_create "f" share=7 -> fid=G
2: close G
# reading shared, writing not
nt_create "f" access=0x120089 share=1 -> fid=F
2: nt_create "f" access=0x120089 share=1 -> fid=G
2: nt_create "f" access=0x12019f share=7 -> error SHARING_VIOLATION
2: nt_create "f" access=0x10000 share=7 -> error SHARING_VIOLATION
close F; 2: close G
# DOS words (reports 67)
open_andx "f" access=rw deny=read -> fid=F
2: open_andx "f" access=rw deny=none -> error SHARING_VIOLATION
close F
open_andx "f" access=r deny=write -> fid=F
2: open_andx "f" access=r deny=write -> fid=G
2: open_andx "f" access=rw deny=none -> error SHARING_VIOLATION
close F; 2: close G
# deny DOS: the same process may, others may not
open_andx "f.dat" func=0x11 access=rw deny=dos -> fid=F
open_andx "f.dat" access=rw deny=dos -> fid=H
2: open_andx "f.dat" access=rw deny=dos -> error SHARING_VIOLATION
2: open_andx "f.dat" access=r deny=none -> error SHARING_VIOLATION
close F; close H
open_andx "f.exe" func=0x11 access=rw deny=dos -> fid=F
2: open_andx "f.exe" access=r deny=dos -> fid=G
close F; 2: close G
# deleting what another has open
2: nt_create "f" share=3 -> fid=G
delete "f" -> error SHARING_VIOLATION
rename "f" "g" -> error SHARING_VIOLATION
2: close G
delete "f"
