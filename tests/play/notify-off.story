# `change notify = no`: clients are told that there is none, and fall back to looking themselves.
config {
change notify = no
}
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
mkdir "d"
nt_create "d" access=1 options=1 -> fid=1
nttrans fn=4 setup=hex:03000000+hex:01000100 maxp=1000 -> error NOT_SUPPORTED
# everything else goes on
nt_create "d\\f" disp=2 -> fid=G
close G
delete "d\\f"
close 1
