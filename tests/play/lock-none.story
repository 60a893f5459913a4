# `locking = no`: every lock is granted and keeps nobody from anything.
config {
[share]
	locking = no
}
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
nt_create "f" disp=2 share=7 -> fid=F
2: nt_create "f" share=7 -> fid=G
lock F
2: lock G
2: write G off=0 data="over it"
unlock F
unlock F
