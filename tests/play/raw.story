# READ_RAW and WRITE_RAW in all their phases.
connect; negotiate "NT LM 0.12" -> caps~1; session guest; tree \\host\share
open_andx "r" func=0x11 access=rw -> fid=F
write_andx F data="0123456789"
read_raw F count=4 -> length=4 data="0123"
read_raw F offset=8 count=100 -> length=2 data="89"
read_raw F offset=10 -> length=0
read_raw F offset=5000 -> length=0
read_raw 999 -> length=0
# write-through: WRITE_COMPLETE tells the count
write_raw F count=6 data="ab" offset=0 mode=1 -> remaining=0xffff
frame "cdef"
listen -> command=0x20 wct=1 status=0
read_andx F count=10 -> data="abcdef6789"
# nothing left, and nothing sent: the frame comes all the same
write_raw F count=3 data="xyz" mode=1 -> remaining=0xffff
frame ""
listen -> command=0x20 wct=1
# not write-through: silence; a keepalive in between
write_raw F count=4 offset=10 -> remaining=0xffff
raw hex:85000000
frame "tail"
read_andx F count=20 -> data="xyzdef6789tail"
# more than was announced counts no more
write_raw F count=2 offset=0 -> remaining=0xffff
frame "ABCDEF"
read_andx F count=4 -> data="ABzd"
# an early end
write_raw F count=9 offset=0 mode=1 -> remaining=0xffff
frame ""
listen -> command=0x20 status=0
# refusals: no frame follows
write_raw 999 count=4 -> error INVALID_HANDLE
write_raw F count=2 data="four" -> error INVALID_SMB
close F
open_andx "r" access=r -> fid=F
write_raw F count=4 -> error ACCESS_DENIED
read_raw F count=2 -> data="AB"
close F
mkdir "d"
nt_create "d" options=1 access=0x1 -> fid=F
read_raw F -> length=0
close F
# not in a chain: the bare frame would take the place of the other links' answers
chain {
open_andx "r" access=rw -> fid=F
read_raw F count=2 -> error INVALID_SMB
}
chain {
open_andx "r" access=rw -> fid=F
write_raw F count=2 -> error INVALID_SMB
}
echo "alive"
