# The encrypted transport: agreed on by level 0x203, then every frame sealed in both directions.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "f" data="12345"; host dir "d"
trans2 qfs level=0x200 -> data[4:8]>=0x1000000000100
encrypt anna secret1 -> status=0 legs=2 context=0 params=2
echo "sealed" -> data="sealed"
nt_create "f" access=0x3 share=7 -> fid=F
read_andx F count=5 -> data="12345"
write_andx F data="abcde"
read_andx F count=5 -> data="abcde"
# through memory, not straight from the file
host file "big" size=100000
nt_create "big" access=0x1 share=7 -> fid=B
read_andx B count=60000 -> count=60000
read_andx B count=61440 off=50000 -> count=50000
# bare frames cannot be sealed
raw_smb cmd=0x1a words=hex:02000000000000400000000000000000 -> error SMB_USE_STANDARD
write_raw F data="0123456789" -> error SMB_USE_STANDARD
# several in flight, answered in the order they are sealed
batch { echo "one" -> data="one"; read_andx B count=4096 -> count=4096; echo "two" -> data="two" }
keepalive
echo "still there"
# more than one message
echo "again" count=3 -> count=3
host many "m" count=400
trans2 find_first "m*" count=400 maxd=16000 -> count>=100
tree \\host\ro
trans2 qpath "\f" level=0x101
# anew, with other keys, inside
encrypt bob secret2 -> status=0
echo "new keys" -> data="new keys"
disconnect

# without SPNEGO around it
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 raw -> status=0
echo "raw" -> data="raw"
disconnect

# in the tree of pipes, as smbclient does; then everything else
connect; negotiate "NT LM 0.12"; session user anna secret1; tree \\host\IPC$
trans2 qfs level=0x200 -> count_d=12
trans2 qfs level=0x201 -> error ACCESS_DENIED
trans2 qfs level=0x105 -> error ACCESS_DENIED
trans2 code=4 p=hex:00000002 d=hex:01000000+hex:3b00000000000000
encrypt anna secret1
tree \\host\share
trans2 qpath "\f" level=0x101
disconnect

# old flags: one stream for both ways
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 flags=0x62008235 -> status=0
echo "old" -> data="old"
trans2 qpath "\f" level=0x101
disconnect

# signed and sealed without key exchange, and with short keys
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 flags=0x22088235 -> status=0
echo "x"
encrypt anna secret1 flags=0xc2088235 -> status=0
echo "y"
encrypt anna secret1 flags=0x42088235 -> status=0
echo "z"
