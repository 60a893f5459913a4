# With a delay, a sharing violation is answered late, or not at all if the obstacle goes; nothing else waits.
config {
[slow]
path = @DIR@/share
guest ok = yes
read only = no
smbd:sharedelay = 400000
}
connect; negotiate "NT LM 0.12"; session guest; tree \\host\slow
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\slow
nt_create "f" disp=2 share=0 -> fid=F
2: later { nt_create "f" share=7 }
2: echo "meanwhile" count=1
2: nt_create "other" disp=2 -> fid=O
2: close O
close F
2: arrives -> fid=G waited<=390
2: close G
