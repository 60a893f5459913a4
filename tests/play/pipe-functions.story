# Every function of named pipes.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\ipc$
nt_create "\srvsvc" -> fid=F
pipe F func=0x21 -> params[0:2]=0x05ff
# byte mode, and back to messages
pipe F func=0x01 p=hex:0000
pipe F func=0x21 -> params[0:2]=0x04ff
pipe F func=0x01 p=hex:0001
pipe F func=0x22 p=hex:0100 -> data[0:2]=4280 data[5:1]=1
pipe F func=0x23 -> params[0:2]=0 params[4:2]=3
pipe F func=0x37 d=hex:05000b03100000004800000001000000b810b810000000000100000000000100c84f324b7016d30112785a47bf6ee18803000000045d888aeb1cc9119fe808002b10486002000000 -> params[0:2]=72
pipe F func=0x23 -> params[0:2]!=0
pipe F func=0x36 -> data[2:1]=12
pipe F func=0x31 d=hex:05000b03100000004800000001000000b810b810000000000100000000000100c84f324b7016d30112785a47bf6ee18803000000045d888aeb1cc9119fe808002b10486002000000 -> params[0:2]=72
pipe F func=0x11 -> data[2:1]=12
pipe 0 func=0x53 name="\PIPE\srvsvc"
pipe 0 func=0x54 name="\PIPE\srvsvc" d=hex:05000b03100000004800000001000000b810b810000000000100000000000100c84f324b7016d30112785a47bf6ee18803000000045d888aeb1cc9119fe808002b10486002000000 -> data[2:1]=12
# an answer that waits must be read first
pipe F func=0x37 d=hex:05000b03100000004800000001000000b810b810000000000100000000000100c84f324b7016d30112785a47bf6ee18803000000045d888aeb1cc9119fe808002b10486002000000
pipe F d=hex:05000b03100000004800000001000000b810b810000000000100000000000100c84f324b7016d30112785a47bf6ee18803000000045d888aeb1cc9119fe808002b10486002000000 -> error PIPE_BUSY
pipe F func=0x36
# wrong
pipe F func=0x01 -> error INVALID_PARAMETER
pipe F func=0x22 p=hex:0200 -> error INVALID_PARAMETER
pipe 0 func=0x53 name="\PIPE\none" -> error OBJECT_NAME_NOT_FOUND
pipe 0 func=0x54 name="\PIPE\none" -> error OBJECT_NAME_NOT_FOUND
pipe 0 func=0x54 name="\PIPE\srvsvc" d="rubbish, more than a head of it" -> error PIPE_BROKEN
trans name="\MAILSLOT" -> error OBJECT_NAME_NOT_FOUND
close F
pipe F func=0x01 -> error INVALID_HANDLE
pipe F func=0x11 -> error INVALID_HANDLE
pipe F func=0x21 -> error INVALID_HANDLE
pipe F func=0x22 -> error INVALID_HANDLE
pipe F func=0x23 -> error INVALID_HANDLE
pipe F func=0x31 -> error INVALID_HANDLE
pipe F func=0x36 -> error INVALID_HANDLE
pipe F func=0x37 -> error INVALID_HANDLE
tree \\host\share
pipe 0 func=0x53 name="\PIPE\srvsvc" -> error ACCESS_DENIED
# the same by control code
tree \\host\ipc$
nt_create "\srvsvc" -> fid=F
fsctl F code=0x11400c -> data[0:4]=3 data[4:4]=0 count_d=16
fsctl F code=0x11400c maxd=8 -> error BUFFER_TOO_SMALL
fsctl F code=0x11c017 d=hex:05000b03100000004800000001000000b810b810000000000100000000000100c84f324b7016d30112785a47bf6ee18803000000045d888aeb1cc9119fe808002b10486002000000 -> data[2:1]=12
fsctl F code=0x110018 d=hex:00*8+hex:0c000000+hex:0000+hex:770069006e00720065006700
fsctl F code=0x110018 d=hex:00*8+hex:0c000000+hex:0000+hex:770069006e007200650067 -> error INVALID_PARAMETER
fsctl F code=0x110018 d=hex:00*8+hex:02000000+hex:0000+hex:6e00 -> error OBJECT_NAME_NOT_FOUND
pipe F func=0x37 d=hex:05000b03100000004800000001000000b810b810000000000100000000000100c84f324b7016d30112785a47bf6ee18803000000045d888aeb1cc9119fe808002b10486002000000
fsctl F code=0x11400c -> data[4:4]!=0 data[8:4]=1
fsctl F code=0x11c017 d="x" -> error PIPE_BUSY
fsctl F code=0x900c4 -> error INVALID_DEVICE_REQUEST
