# Transactions in pieces, of each family; what has no primary.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "f"
nt_create "f" access=0x1f01ff share=7 -> fid=F
nttrans fn=3 fid=F p=hex:0000+hex:04000000 d=hex:010004800000000000000000000000001400000002001c000100000000001400ff011f00010100000000000100000000 split=10
nttrans fn=3 fid=F p=hex:0000+hex:04000000 d=hex:010004800000000000000000000000001400000002001c000100000000001400ff011f00010100000000000100000000 split=10 backwards
nttrans fn=6 fid=F p=hex:0000+hex:04000000 maxd=4000 -> data~hex:010100000000000100000000
tree \\host\ipc$
rap code=1 "zWrLh" "B13BWz" args="share"+hex:00+hex:0100+hex:401f split=5 -> rap=0
rap code=1 "zWrLh" "B13BWz" args="share"+hex:00+hex:0100+hex:401f split=5 backwards -> rap=0
trans name="\MAILSLOT\BROWSE" d="abcdefgh" split=3
