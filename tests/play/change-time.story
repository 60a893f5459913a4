# A change time that a client sets shows until something changes the file.
connect; negotiate "NT LM 0.12"; session user anna secret1; tree \\host\share
nt_create "f" disp=2 access=0x12019f share=7 -> fid=F
trans2 sfile F level=0x101 data=hex:00*24+hex:0000056936c0d501+hex:00*8
trans2 qfile F level=0x101 -> changed=132223104000000000
trans2 qpath "f" level=0x101 -> changed=132223104000000000
# zeros leave it; a creation time beside it
trans2 spath "f" level=0x101 data=hex:00*40
trans2 qpath "f" level=0x101 -> changed=132223104000000000
trans2 spath "f" level=1004 data=hex:0000056936c0d501+hex:00*16+hex:0000f1a9e83ed501+hex:00*8
trans2 qpath "f" level=0x101 -> created=132223104000000000 changed=132080933081776128
sleep 60
write_andx F data="x" -> count=1
close F
trans2 qpath "f" level=0x101 -> created=132223104000000000 changed>132223104000000000
# wrong: too short
trans2 spath "f" level=0x101 data=hex:00*24+hex:00000569 -> error INVALID_PARAMETER
