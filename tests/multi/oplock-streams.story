# The name of a stream gets no batch oplock, but an exclusive one; the file itself gets both.
config {
[st]
path = @DIR@/share
read only = no
guest ok = yes
smb1d: streams = yes
}
connect; negotiate "NT LM 0.12"; session guest; tree \\host\st
nt_create "f:s" disp=3 cflags=6 share=7 -> fid=F oplock=0; close F
nt_create "f::$DATA" cflags=6 share=7 -> fid=F oplock=0; close F
nt_create "f:s" cflags=2 share=7 -> fid=F oplock=1; close F
nt_create "f::$DATA" cflags=2 share=7 -> fid=F oplock=1; close F
nt_create "f" cflags=6 share=7 -> fid=F oplock=2
# "::$DATA" is the same data: the holder is asked
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\st
2: nt_create "f:s" cflags=6 share=7 -> fid=G oplock=0; 2: close G
2: nt_create "f:none" cflags=6 share=7 -> error OBJECT_NAME_NOT_FOUND
