# OPEN_ANDX: open functions, modes, the reply's fields.
connect; set unicode=off; negotiate "NT LM 0.12"; session guest; tree \\host\share
open_andx "a" func=1 -> error OBJECT_NAME_NOT_FOUND
open_andx "a" func=2 access=rw -> error OBJECT_NAME_NOT_FOUND
open_andx "a" func=0x10 access=rw -> fid=F action=2 granted=2 size=0 wct=15 type=0
write_andx F data="123" words=12 -> count=3
close F
open_andx "a" func=0x10 access=rw -> error OBJECT_NAME_COLLISION
open_andx "a" func=0x11 access=r -> fid=F action=1 granted=0 size=3
write_andx F data="x" -> error ACCESS_DENIED
close F
open_andx "a" func=1 access=w -> fid=F granted=1
read_andx F -> error ACCESS_DENIED
close F
open_andx "a" func=0x12 access=rw -> fid=F action=3 size=0; close F
# execute is read (reports 69)
open_andx "a" access=x -> fid=F; read_andx F -> count=0; close F
open_andx "a" oflags=0x11 -> fid=F wct=19; close F
# no sensible function, mode, sharing
open_andx "a" func=0 -> error OS2_INVALID_ACCESS
open_andx "a" mode=0x04 -> error OS2_INVALID_ACCESS
open_andx "a" mode=0x50 -> error OS2_INVALID_ACCESS
mkdir "d"
open_andx "d" -> error FILE_IS_A_DIRECTORY
open_andx "a" wct=14 -> error INVALID_SMB
open_andx "a" tid=3333 -> error SMB_BAD_TID
