# Open PS2 Loader: one entry a call, FIND_NEXT2 with an empty name, key 0 and flags 0x0e.
connect; negotiate "NT LM 0.12"
session guest; tree \\HOST\share
host many "GAME" count=20
dskattr -> units!=0
trans2 find_first "\*" count=1 level=0x104 flags=4 -> order="." sid=S eos=0
trans2 find_next S count=1 key=0 flags=0x0e -> order=".."
trans2 find_next S count=1 key=0 flags=0x0e -> count=1 eos=0 last~"GAME"
trans2 find_next S count=18 key=0 flags=0x0e -> count=18
trans2 find_next S count=1 key=0 flags=0x0e -> count=1 eos=1
trans2 find_next S count=1 key=0 flags=0x0e -> error INVALID_HANDLE
# RAP share list with an 8096-byte buffer
tree \\HOST\IPC$ service=IPC
rap share_enum buf=8096 -> rap=0 count=4 available=4 names~"share"
tree \\HOST\share
host file "GAMES.ISO" data="0123456789"*1000
trans2 qpath "\GAMES.ISO" level=0x101 -> attrs~0
nt_create "\GAMES.ISO" -> fid=F
read_andx F off=5000 count=2048 -> count=2048
close F
delete "GAME0000" search=0
rename "GAME0001" "GAME9999" search=0
echo "" -> count=1
tdis; logoff
