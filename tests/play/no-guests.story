# `map to guest = never`, and one share for anna alone.
config {
	map to guest = never
[share]
	guest ok = no
}
connect; negotiate "NT LM 0.12"
session guest -> error LOGON_FAILURE
session user anna wrong -> error LOGON_FAILURE
session user bob secret2 -> action=0
tree \\host\private -> error ACCESS_DENIED
session user anna secret1 -> action=0
tree \\host\private -> service="A:"
nt_create "f" disp=2 -> error ACCESS_DENIED
tree \\host\share
nt_create "f" disp=2 -> fid=F
close F
