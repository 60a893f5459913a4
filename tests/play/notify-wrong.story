# Change notify: what is no folder, no handle, no right to list; layouts that are wrong.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
mkdir "d"; host file "f"
nt_create "f" access=1 -> fid=1
nttrans fn=4 setup=hex:03000000+hex:01000100 maxp=1000 -> error INVALID_PARAMETER
nttrans fn=4 setup=hex:03000000+hex:09000100 maxp=1000 -> error INVALID_HANDLE
nt_create "d" access=0x80 options=1 -> fid=2
nttrans fn=4 setup=hex:03000000+hex:02000100 maxp=1000 -> error ACCESS_DENIED
nt_create "d" access=1 options=1 -> fid=3
nttrans fn=4 setup=hex:00000000+hex:03000100 maxp=1000 -> error INVALID_PARAMETER
nttrans fn=4 setup=hex:03000000+hex:0300 maxp=1000 -> error INVALID_PARAMETER
nttrans fn=4 setup=hex:03000000+hex:03000100 wct=18 -> error INVALID_SMB
# a handle of another tree is none here
tree \\host\share -> tid!=0
nttrans fn=4 setup=hex:03000000+hex:03000100 maxp=1000 -> error INVALID_HANDLE
