# Control codes.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "f" data="12345"; host dir "d"
nt_create "f" access=0x1f01ff share=7 -> fid=F
nt_create "d" access=0x1f01ff options=1 share=7 -> fid=D
fsctl F code=0x90078 -> data[0:4]=0
fsctl F code=0x900a4 -> error NOT_A_REPARSE_POINT
fsctl F code=0x900a8 -> error NOT_A_REPARSE_POINT
fsctl F code=0x900ac -> error NOT_A_REPARSE_POINT
# no previous versions: an empty list, once there is room for it
fsctl F code=0x144064 maxd=16 -> data[0:4]=0 data[4:4]=0 data[8:4]=2 count_d=16
fsctl F code=0x144064 maxd=12 -> error INVALID_PARAMETER
# nothing is compressed
fsctl F code=0x9003c -> data[0:2]=0 count_d=2
fsctl F code=0x9c040 d=hex:0000
fsctl F code=0x9c040 d=hex:0100 -> error NOT_SUPPORTED
fsctl F code=0x9c040 d=hex:0900 -> error INVALID_PARAMETER
fsctl F code=0x9c040 -> error INVALID_PARAMETER
# object ids: of the file, of the volume; always the same, never set
fsctl F code=0x900c0 -> count_d=64 data[0:8]=Id data[16:8]=Volume data[32:8]==Id data[48:8]=0
fsctl F code=0x9009c -> count_d=64 data[0:8]==Id data[8:8]==Volume
trans2 qfs level=1008 -> data[0:8]==Volume
fsctl D code=0x900c0 -> data[0:8]!=Id data[16:8]==Volume
fsctl F code=0x900c0 maxd=63 -> error BUFFER_TOO_SMALL
fsctl F code=0x9009c maxd=16 -> error BUFFER_TOO_SMALL
fsctl F code=0x90098 d=hex:00*64 -> error NOT_SUPPORTED
fsctl F code=0x900a0 -> error NOT_SUPPORTED
fsctl F code=0x900bc d=hex:00*48 -> error NOT_SUPPORTED
# pipes have their own
fsctl F code=0x11400c -> error INVALID_DEVICE_REQUEST
fsctl F code=0x110018 -> error INVALID_DEVICE_REQUEST
fsctl D code=0x11c017 -> error INVALID_PARAMETER
# unknown, of a device, cut, no such handle
fsctl F code=0x90000 -> error NOT_SUPPORTED
nttrans fn=2 setup=hex:78000900ffff0100 -> error INVALID_HANDLE
nttrans fn=2 setup=hex:7800 -> error INVALID_PARAMETER
close D; close F
fsctl F code=0x90078 -> error INVALID_HANDLE
fsctl F code=0x9003c -> error INVALID_HANDLE
