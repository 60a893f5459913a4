# Control codes.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "f" data="12345"; host dir "d"
nt_create "f" access=0x1f01ff share=7 -> fid=F
fsctl F code=0x90078 -> data[0:4]=0
fsctl F code=0x900c4
fsctl F code=0x900a4 -> error NOT_A_REPARSE_POINT
fsctl F code=0x900a8 -> error NOT_A_REPARSE_POINT
fsctl F code=0x900ac -> error NOT_A_REPARSE_POINT
fsctl F code=0x140078 -> error NOT_SUPPORTED
fsctl F code=0x1440f2 -> error NOT_SUPPORTED
fsctl F code=0x144064 -> error NOT_SUPPORTED
fsctl F code=0x9003c -> error NOT_SUPPORTED
fsctl F code=0x9009c -> error NOT_SUPPORTED
fsctl F code=0x900c0 -> error NOT_SUPPORTED
fsctl F code=0x9008f -> error NOT_SUPPORTED
fsctl F code=0x940cf -> error NOT_SUPPORTED
fsctl F code=0x980c8 -> error NOT_SUPPORTED
fsctl F code=0x9c040 -> error NOT_SUPPORTED
fsctl F code=0x11400c -> error NOT_SUPPORTED
fsctl F code=0x110018 -> error NOT_SUPPORTED
fsctl F code=0x11c017 -> error NOT_SUPPORTED
nt_create "d" access=0x1f01ff options=1 share=7 -> fid=D
fsctl D code=0x900c4 -> error INVALID_PARAMETER
close D; close F
fsctl F code=0x90078 -> error INVALID_HANDLE
nt_create "f" access=0x80 share=7 -> fid=F
fsctl F code=0x900c4 -> error ACCESS_DENIED
