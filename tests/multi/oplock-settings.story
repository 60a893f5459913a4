# What the shares allow.
config {
[never]
path = @DIR@/share
guest ok = yes
read only = no
oplocks = no
[none]
path = @DIR@/share
guest ok = yes
read only = no
level2 oplocks = no
[some]
path = @DIR@/share
guest ok = yes
read only = no
veto oplock files = /*.MDB/lock?.*/
[fake]
path = @DIR@/share
guest ok = yes
read only = no
fake oplocks = yes
}
connect; negotiate "NT LM 0.12"; session guest caps=0xc0dc; tree \\host\never
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest caps=0xc0dc; 2: tree \\host\share
nt_create "f" disp=2 cflags=4 share=7 -> oplock=0 fid=F
close F
tree \\host\none
nt_create "f" cflags=4 share=7 -> oplock=2 fid=F
2: later { nt_create "f" cflags=4 share=7 }
oplock_break -> fid==F level=0
oplock_ack F level=0
2: arrives -> oplock=3 fid=G
nt_create "f" cflags=4 share=7 -> oplock=0 fid=H
close F; close H; 2: close G
tree \\host\some
nt_create "a.mdb" disp=2 cflags=4 share=7 -> oplock=0 fid=F
close F
nt_create "lock1.x" disp=2 cflags=4 share=7 -> oplock=0 fid=F
close F
nt_create "lock12.x" disp=2 cflags=4 share=7 -> oplock=2 fid=F
close F
# a lie on request: everybody is told yes, nobody is asked
tree \\host\fake
nt_create "f" cflags=4 share=7 -> oplock=2 fid=F
2: nt_create "f" cflags=4 share=7 -> fid=G
echo "quiet" count=1
close F; 2: close G
