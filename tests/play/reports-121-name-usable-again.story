# Delete pending: the name is free again after the last close, even within one segment (Q176979).
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
nt_create "f" disp=2 access=0x13019f options=0x1000 -> fid=F
batch {
	close F
	nt_create "f" -> error OBJECT_NAME_NOT_FOUND
	nt_create "f" disp=2 -> fid=G action=2
}
nt_create "f" share=0 -> error SHARING_VIOLATION
close G
nt_create "f" share=0 -> fid=F; close F
