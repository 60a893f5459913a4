# With a delay, a sharing violation is answered when it is over and nobody has given way.  (Where messages get lost this takes
# longer: first the other connection from the same address is asked whether it lives.)
config {
[slow]
path = @DIR@/share
guest ok = yes
read only = no
smbd:sharedelay = 400000
}
connect; negotiate "NT LM 0.12"; session guest; tree \\host\slow
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\slow
2: nt_create "f" disp=2 share=7 -> fid=G
later { nt_create "f" share=0 }
echo "meanwhile" count=1
arrives -> error SHARING_VIOLATION waited>=390 waited<=1500
2: close G
