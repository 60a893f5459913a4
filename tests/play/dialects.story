# Each dialect, offered alone: the layout of the reply, and that one can work with it.
config {
smb1d: plaintext clients = 192.0.2.
lanman auth = yes
}
host file "A.TXT" data="12345"
# one word, no bytes; no user, no challenge
connect; set unicode=off ntstatus=off; negotiate "PC NETWORK PROGRAM 1.0" -> index=0 wct=1 bcc=0 flags2!=0x8000
tree_connect \\host\share -> tid!=0 maxbuf>=1024 maxbuf<=65535; getatr "A.TXT" -> size=5; getatr "NONE" -> error DOS 1/2
connect; set unicode=off ntstatus=off; negotiate "PCLAN1.0" -> index=0 wct=1 bcc=0 flags2!=0x8000
tree_connect \\host\share -> tid!=0 maxbuf>=1024 maxbuf<=65535; getatr "A.TXT" -> size=5; getatr "NONE" -> error DOS 1/2
connect; set unicode=off ntstatus=off; negotiate "XENIX CORE" -> index=0 wct=1 bcc=0 flags2!=0x8000
tree_connect \\host\share -> tid!=0 maxbuf>=1024 maxbuf<=65535; getatr "A.TXT" -> size=5; getatr "NONE" -> error DOS 1/2
connect; set unicode=off ntstatus=off; negotiate "MICROSOFT NETWORKS 1.03" -> index=0 wct=1 bcc=0 flags2!=0x8000
tree_connect \\host\share -> tid!=0 maxbuf>=1024 maxbuf<=65535; getatr "A.TXT" -> size=5; getatr "NONE" -> error DOS 1/2
# thirteen words; those before LANMAN2 may do without a challenge where the configuration says so, and come with a password
connect; set unicode=off ntstatus=off; negotiate "MICROSOFT NETWORKS 3.0" -> index=0 wct=13 bcc=0 keylen=0 mode=1 maxbuf>=4096 maxmux>=10 vcs=1 raw=3 flags~1
session user anna secret1 plain; tree \\host\share service=A:; getatr "A.TXT" -> size=5; open_andx "none" -> error DOS 1/2
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0" -> index=0 wct=13 bcc=0 keylen=0 mode=1 maxbuf>=4096 maxmux>=10 vcs=1 raw=3 flags~1
session user anna secret1 plain; tree \\host\share service=A:; getatr "A.TXT" -> size=5; open_andx "none" -> error DOS 1/2
connect; set unicode=off ntstatus=off; negotiate "DOS LANMAN1.0" -> index=0 wct=13 bcc=0 keylen=0 mode=1 maxbuf>=4096 maxmux>=10 vcs=1 raw=3 flags~1
session user anna secret1 plain; tree \\host\share service=A:; getatr "A.TXT" -> size=5; open_andx "none" -> error DOS 1/2
connect; set unicode=off ntstatus=off; negotiate "LM1.2X002" -> index=0 wct=13 bcc=8 keylen=8 mode=3 maxbuf>=4096 maxmux>=10 vcs=1 raw=3 flags~1
session user anna secret1 lm; tree \\host\share service=A:; getatr "A.TXT" -> size=5; open_andx "none" -> error DOS 1/2
connect; set unicode=off ntstatus=off; negotiate "DOS LM1.2X002" -> index=0 wct=13 bcc=8 keylen=8 mode=3 maxbuf>=4096 maxmux>=10 vcs=1 raw=3 flags~1
session user anna secret1 lm; tree \\host\share service=A:; getatr "A.TXT" -> size=5; open_andx "none" -> error DOS 1/2
connect; set unicode=off ntstatus=off; negotiate "Samba" -> index=0 wct=13 bcc=8 keylen=8 mode=3 maxbuf>=4096 maxmux>=10 vcs=1 raw=3 flags~1
session user anna secret1 lm; tree \\host\share service=A:; getatr "A.TXT" -> size=5; open_andx "none" -> error DOS 1/2
connect; set unicode=off ntstatus=off; negotiate "LANMAN2.1" -> index=0 wct=13 bcc=18 keylen=8 mode=3 maxbuf>=4096 maxmux>=10 vcs=1 raw=3 flags~1 domain="WORKGROUP"
session user anna secret1 lm; tree \\host\share service=A:; getatr "A.TXT" -> size=5; open_andx "none" -> error DOS 1/2
connect; set unicode=off ntstatus=off; negotiate "DOS LANMAN2.1" -> index=0 wct=13 bcc=18 keylen=8 mode=3 maxbuf>=4096 maxmux>=10 vcs=1 raw=3 flags~1 domain="WORKGROUP"
session user anna secret1 lm; tree \\host\share service=A:; getatr "A.TXT" -> size=5; open_andx "none" -> error DOS 1/2
connect; set unicode=off ntstatus=off; negotiate "Windows for Workgroups 3.1a" -> index=0 wct=13 bcc=18 keylen=8 mode=3 maxbuf>=4096 maxmux>=10 vcs=1 raw=3 flags~1 domain="WORKGROUP"
session user anna secret1 lm; tree \\host\share service=A:; getatr "A.TXT" -> size=5; open_andx "none" -> error DOS 1/2
# seventeen words, challenge and two names
connect; set unicode=on ntstatus=on; negotiate "NT LM 0.12" -> index=0 wct=17 bcc=38 keylen=8 mode~3 vcs=1 maxbuf<=65535 maxraw=65536 domain="WORKGROUP" server="HOST"
session user anna secret1; tree \\host\share; getatr "a.txt" -> size=5; nt_create "none" -> error OBJECT_NAME_NOT_FOUND
connect; set unicode=on ntstatus=on; negotiate "NT LANMAN 1.0" -> index=0 wct=17 bcc=38 keylen=8 mode~3 vcs=1 maxbuf<=65535 maxraw=65536 domain="WORKGROUP" server="HOST"
session user anna secret1; tree \\host\share; getatr "a.txt" -> size=5; nt_create "none" -> error OBJECT_NAME_NOT_FOUND
connect; set unicode=on ntstatus=on; negotiate "CIFS" -> index=0 wct=17 bcc=38 keylen=8 mode~3 vcs=1 maxbuf<=65535 maxraw=65536 domain="WORKGROUP" server="HOST"
session user anna secret1; tree \\host\share; getatr "a.txt" -> size=5; nt_create "none" -> error OBJECT_NAME_NOT_FOUND
connect; set unicode=on ntstatus=on; negotiate "POSIX 2" -> index=0 wct=17 bcc=38 keylen=8 mode~3 vcs=1 maxbuf<=65535 maxraw=65536 domain="WORKGROUP" server="HOST"
session user anna secret1; tree \\host\share; getatr "a.txt" -> size=5; nt_create "none" -> error OBJECT_NAME_NOT_FOUND
# what nobody speaks, and spellings that are not the same
connect; negotiate "SMB 2.002" -> index=0xffff wct=1 bcc=0
connect; negotiate "SMB 2.???" -> index=0xffff wct=1 bcc=0
connect; negotiate "LANMAN1.1" -> index=0xffff wct=1 bcc=0
connect; negotiate "pc network program 1.0" -> index=0xffff wct=1 bcc=0
connect; negotiate "NT LM 0.12 " -> index=0xffff wct=1 bcc=0
connect; negotiate "" -> index=0xffff wct=1 bcc=0
