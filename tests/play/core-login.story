# A client of the core protocol has no SESSION_SETUP: the password comes with the tree.
config {
smb1d: plaintext clients = 192.0.2.
[annas]
path = @DIR@/share
username = bob anna
read only = no
}
connect; set unicode=off ntstatus=off; negotiate "PC NETWORK PROGRAM 1.0" -> index=0 wct=1
getatr "x" -> error DOS 2/5
tree_connect \\host\annas password="wrong" -> error DOS 2/2
tree_connect \\host\annas password="" -> error DOS 2/2
tree_connect \\host\none -> error DOS 2/6
tree_connect \\host\annas password="SECRET1" service=A: -> tid!=0 maxbuf>=1024
create "A.TXT" -> fid=F
write F data="core"
close F
search "\*.*" -> names="A.TXT"
getatr "A.TXT" -> size=4
tdis
getatr "A.TXT" -> error DOS 2/5
# guests need none
tree_connect \\host\share -> tid!=0
getatr "A.TXT" -> size=4
# raw without being asked
negotiate "PC NETWORK PROGRAM 1.0" -> closed
# beside it, user level as ever
2: connect; 2: negotiate "NT LM 0.12" -> mode~3; 2: tree_connect \\host\share -> error SMB_BAD_UID
why -> where="share" rule="smb1d: share level clients = " place="default" what~"asked for without a login" fix~"a login before"
2: session user anna secret1; 2: tree \\host\annas
# errors in words that DOS 3 knows
3: connect; 3: set unicode=off ntstatus=off; 3: negotiate "MICROSOFT NETWORKS 1.03"
3: tree_connect \\host\share -> tid!=0
3: mkdir "D"; 3: create "D\F" -> fid=F; 3: close F
3: rmdir "D" -> error DOS 1/5
3: rename "D\F" "D" -> error DOS 1/80
3: checkdir "D\F" -> error DOS 1/3
