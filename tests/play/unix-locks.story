# Advisory locks (reports 114): split, joined, asked about, waited for, cancelled; nobody is kept from reading or writing.
connect; negotiate "NT LM 0.12"; session guest os="Linux version 6.1"; tree \\host\share
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest os="Linux version 6.1"; 2: tree \\host\share
nt_create "f" disp=2 share=7 -> fid=F
2: nt_create "f" share=7 -> fid=G
# PID 7 has 0..99, PID 8 asks
trans2 sfile F level=0x208 data=hex:01000000+hex:07000000+hex:0000000000000000+hex:6400000000000000
2: trans2 sfile G level=0x208 data=hex:01000000+hex:08000000+hex:0a00000000000000+hex:0100000000000000 -> error FILE_LOCK_CONFLICT
2: trans2 qfile G level=0x208 data=hex:00000000+hex:08000000+hex:0a00000000000000+hex:0000000000000000 -> data[0:2]=1 data[4:4]=7 data[8:8]=0 data[16:8]=100
2: write G off=10 data="over it"
2: read G off=10 count=7 -> data="over it"
# a lock of the other kind is in the way of both
2: lock G off=10 len=1 -> error LOCK_NOT_GRANTED
# the middle is given back
trans2 sfile F level=0x208 data=hex:02000000+hex:07000000+hex:2800000000000000+hex:1400000000000000
2: trans2 sfile G level=0x208 data=hex:01000000+hex:08000000+hex:2800000000000000+hex:1400000000000000
2: trans2 qfile G level=0x208 data=hex:00000000+hex:08000000+hex:3c00000000000000+hex:0000000000000000 -> data[0:2]=1 data[8:8]=60 data[16:8]=40
# what nobody has is given back with success
2: trans2 sfile G level=0x208 data=hex:02000000+hex:09000000+hex:0000000000000000+hex:0000000000000000
# waits, and is told
2: later { trans2 sfile G level=0x208 data=hex:01000100+hex:08000000+hex:0000000000000000+hex:0100000000000000 }
trans2 sfile F level=0x208 data=hex:02000000+hex:07000000+hex:0000000000000000+hex:0000000000000000
2: arrives
trans2 qfile F level=0x208 data=hex:01000000+hex:07000000+hex:0000000000000000+hex:0100000000000000 -> data[0:2]=1 data[4:4]=8
# waits, and is cancelled: it never gets the lock
later mid=600 { trans2 sfile F level=0x208 data=hex:01000100+hex:07000000+hex:0000000000000000+hex:0100000000000000 }
batch {
	cancel mid=600 -> none
}
arrives -> error FILE_LOCK_CONFLICT
2: trans2 sfile G level=0x208 data=hex:02000000+hex:08000000+hex:0000000000000000+hex:0100000000000000
2: trans2 qfile G level=0x208 data=hex:01000000+hex:08000000+hex:0000000000000000+hex:0000000000000000 -> data[0:2]=2
2: trans2 sfile G level=0x208 data=hex:01000000+hex:08000000+hex:0000000000000000+hex:0100000000000000
# all of a client's locks end with any of its handles
2: close G
trans2 qfile F level=0x208 data=hex:01000000+hex:07000000+hex:0000000000000000+hex:0000000000000000 -> data[0:2]=2
# wrong: beyond the end of all offsets, no such type, too short
trans2 sfile F level=0x208 data=hex:01000000+hex:07000000+hex:0000000000000080+hex:0100000000000000 -> error INVALID_PARAMETER
trans2 sfile F level=0x208 data=hex:03000000+hex:07000000+hex:0000000000000000+hex:0100000000000000 -> error INVALID_PARAMETER
trans2 sfile F level=0x208 data=hex:0100 -> error INVALID_PARAMETER
trans2 spath "f" level=0x208 data=hex:01000000+hex:07000000+hex:0000000000000000+hex:0100000000000000 -> error INVALID_PARAMETER
