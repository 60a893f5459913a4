# Pipes that are not there, and rubbish in those that are.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\ipc$
nt_create "\nosuchpipe" -> error OBJECT_NAME_NOT_FOUND
nt_create "\" -> error OBJECT_NAME_NOT_FOUND
nt_create "srvsvc" -> fid=F
read_andx F -> error PIPE_EMPTY
pipe F d=hex:0102030405060708090a0b0c0d0e0f10 -> error PIPE_BROKEN
pipe 99 -> error INVALID_HANDLE
pipe F func=0x99 -> error INVALID_PARAMETER
close F
trans name="\PIPE\LANMAN" p=hex:00 -> error INVALID_PARAMETER
trans name="\MAILSLOT\BROWSE"
trans name="\NONSENSE" -> error OBJECT_NAME_NOT_FOUND
rap code=0 "WrLeh" "B99" args=hex:0100001000 -> rap=50
