# Who died with a file open is no reason to keep its name.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
nt_create "f" disp=2 access=0x13019f share=7 options=0x1000 -> fid=F
2: nt_create "f" access=0x80 share=7
kill 2
close F
host missing "f"
# a living one is
3: connect; 3: negotiate "NT LM 0.12"; 3: session guest; 3: tree \\host\share
nt_create "f" disp=2 access=0x13019f share=7 options=0x1000 -> fid=F
3: nt_create "f" access=0x80 share=7 -> fid=G
close F
3: nt_create "f" access=0x80 share=7 -> error DELETE_PENDING
host exists "f"
3: close G
host missing "f"
# what the dead one asked for dies with him
nt_create "f" disp=2 share=7 access=0x80 -> fid=F
3: nt_create "f" access=0x13019f share=7 options=0x1000
kill 3
close F
host exists "f"
