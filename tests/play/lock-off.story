# `locking`, `strict locking` and `blocking locks` switched off.
config {
[share]
	strict locking = no
	blocking locks = no
}
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
nt_create "f" disp=2 share=7 -> fid=F
2: nt_create "f" share=7 -> fid=G
lock F
2: write G off=0 data="over it"
2: read G off=0 count=7 -> data="over it"
2: lock G timeout=20000 -> error FILE_LOCK_CONFLICT
