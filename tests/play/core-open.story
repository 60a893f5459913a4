# OPEN, CREATE, CREATE_NEW, CREATE_TEMPORARY, SEEK, WRITE_AND_CLOSE, CLOSE_AND_TREE_DISC: right and wrong use.
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0"; session guest; tree \\host\share
open "none" -> error DOS 1/2
open "no\none" -> error DOS 1/3
create "a" -> fid=F
write F offset=0 data="hello" -> count=5
close F
create_new "a" -> error DOS 1/80
create_new "b" attrs=2 -> fid=F; close F
# hidden files are found only by those who ask for them
open "b" search=0 -> error DOS 1/2
open "b" search=2 -> fid=F attrs~2; close F
open "a" mode=0x40 -> fid=F size=5 granted=0x40
read F count=10 -> data="hello"
write F offset=0 data="x" -> error DOS 1/5
close F
open "a" mode=0x04 -> error DOS 1/12
open "a" mode=0xff -> fid=F granted=0xff; close F
mkdir "d"
open "d" -> error DOS 1/5
# the count is checked, the truncating CREATE truncates
create "a" -> fid=F
write_close F count=10 data="abc" -> error DOS 2/1
# with a count the file is closed, come what may
close F -> error DOS 1/6
open "a" mode=0x42 -> fid=F size=0
write_close F data="" -> count=0
write_close F data="abc" offset=2 -> count=3
close F -> error DOS 1/6
host stat "a" -> size=5
open "a" mode=0x42 -> fid=F
seek F mode=0 offset=3 -> offset=3
seek F mode=1 offset=1 -> offset=4
seek F mode=2 offset=-2 -> offset=3
seek F mode=1 offset=-100 -> offset=0
seek F mode=7 -> error DOS 1/87
seek 999 -> error DOS 1/6
close_tdis F
getatr "a" -> error DOS 2/5
tree \\host\share
create_temp "d" -> fid=F name~"TMP"
write F data="t" -> count=1
close F
create_temp "none" -> error DOS 1/3
create "nodir\x" -> error DOS 1/3
create "v" attrs=8 -> error DOS 1/5
close_tdis 4711 -> error DOS 1/6
# multiplexed commands are for other networks
raw_smb cmd=0x1b words=hex:00000000000000000000000000000000 -> error DOS 2/251
raw_smb cmd=0x1e words=hex:000000000000000000000000000000000000000000000000 -> error DOS 2/251
# nobody reads messages here
raw_smb cmd=0xd0 bytes=hex:0461000462000401 -> error DOS 2/22
