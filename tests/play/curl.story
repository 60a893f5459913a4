# curl: ASCII, DOS errors, password length 0, NT commands, MaxBuffer 36864, only LARGE_FILES.
config {
	lanman auth = yes
}
connect; set unicode=off ntstatus=off maxbuf=36864
negotiate "NT LM 0.12" -> index=0 keylen=8
session user anna secret1 ntlmv1 caps=0x08 -> action=0
tree \\HOST\share pwlen=0 service=????? -> service="A:"
host file "f" data="curl"*10000
nt_create "f" access=0x80000000 share=1 disp=1 -> fid=F size=40000
read_andx F count=32768 -> count=32768
read_andx F off=32768 count=32768 -> count=7232
close F
nt_create "new" access=0xc0000000 share=0 disp=5 -> fid=F
write_andx F data="y"*32700 -> count=32700
close F
nt_create "none" -> error DOS 1/2
tdis
