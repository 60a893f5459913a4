# Several users on one connection: UIDs and trees are free to mix, files are not.
connect; negotiate "NT LM 0.12"
session user anna secret1 -> uid=A
session user bob secret2 -> uid=B uid!=0
tree \\host\share -> tid=T
set uid=A
nt_create "a" disp=2 share=7 -> fid=F
write_andx F data="anna" uid=B -> error INVALID_HANDLE
write_andx F data="anna" -> count=4
close F uid=B -> error INVALID_HANDLE
tree \\host\private -> tid=P
getatr "a" -> size=4
getatr "a" uid=B -> error ACCESS_DENIED
getatr "a" uid=B tid=T -> size=4
logoff uid=B
getatr "a" uid=B tid=T -> error SMB_BAD_UID
write_andx F tid=T data="more" -> count=4
close F tid=T
