# A worker that is killed keeps nobody waiting.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
2: nt_create "deny" disp=2 share=0 -> fid=G
2: nt_create "batch" disp=2 share=0 cflags=4 -> fid=H oplock=2
nt_create "deny" share=7 -> error SHARING_VIOLATION
# one waits for the answer when it dies
later { nt_create "batch" share=7 cflags=4 }
2: oplock_break -> fid==H
echo "still" count=1
kill 2
arrives -> oplock=2 fid=F waited<=2000
nt_create "deny" share=7 cflags=4 -> oplock=2 fid=E
close E; close F
