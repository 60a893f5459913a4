# A close and an open of the same file in one segment, other access: in order (Q124916, Q104504).
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
nt_create "f" disp=2 share=0 -> fid=F
batch {
	close F
	open_andx "f" access=rw deny=all -> fid=G action=1
	getatr "f" -> size=0
	echo "end" -> data="end"
}
close G
