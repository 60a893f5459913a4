# A worker that is killed leaves no share mode behind.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
2: nt_create "f" disp=2 share=0 -> fid=G
2: write_andx G data="half" -> count=4
nt_create "f" -> error SHARING_VIOLATION
kill 2
nt_create "f" share=0 -> fid=F size=4
close F
# the same with a wish to delete: it dies too, the file stays
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
2: nt_create "f" access=0x13019f options=0x1000 share=7 -> fid=G
kill 2
nt_create "f" -> fid=F; close F
host exists "f"
# a client that leaves in good order takes everything along
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
2: nt_create "f" share=0 -> fid=G
2: disconnect
nt_create "f" share=0 -> fid=F; close F
