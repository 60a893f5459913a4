# What is refused by the kind of a share, by what it has switched off, by how a file was opened, by the kernel.
config {
change notify = no
[lp]
path = @DIR@/share
printable = yes
guest ok = yes
[plain]
path = @DIR@/share
read only = no
nt acl support = no
ea support = no
[veto]
path = @DIR@/share
read only = no
veto files = /*.tmp/
[strict]
path = @DIR@/share
read only = no
strict rename = yes
}
connect; negotiate "NT LM 0.12"; session user anna secret1
# the kind of the share
tree \\host\ipc$; delete "x" -> error ACCESS_DENIED
why -> user="anna" where="IPC$" rule="" what~"it has pipes and no files" fix~"folder"
tree \\host\lp service=LPT1:; mkdir "x" -> error ACCESS_DENIED
why -> where="lp" rule="printable = Yes" what~"it is a printer and has no files" place~"smb.conf:"
trans2 mkdir "y" -> error ACCESS_DENIED
why -> rule="printable = Yes" what~"it is a printer"
tree \\host\share; open_print "x" -> error ACCESS_DENIED
why -> where="share" rule="printable = No" what~"it is no printer"
print_queue -> error ACCESS_DENIED
why -> rule="printable = No"
tree \\host\share service=LPT1: -> error BAD_DEVICE_TYPE
why -> user="anna" where="share" rule="printable = No" what~"it is a folder, and the client asks for"
# what is switched off
tree \\host\plain
nt_create "f" disp=2 access=0x12019f -> fid=F
nttrans fn=6 fid=F p=hex:0000+hex:07000000 maxd=4000 -> error NOT_SUPPORTED
why -> where="plain" rule="nt acl support = No" what~"access lists are not served" fix="`nt acl support = yes`"
trans2 sfile F level=2 data=hex:0e000000+hex:00030200+"ABC"+hex:00+"ab" -> error EAS_NOT_SUPPORTED
why -> rule="ea support = No" what~"extended attributes" fix="`ea support = yes`"
close F
nt_create "d" disp=2 options=1 access=0x100081 -> fid=2
nttrans fn=4 setup=hex:03000000+hex:02000100 maxp=1000 -> error NOT_SUPPORTED
why -> rule="change notify = No" place~"smb.conf:" fix~"change notify = yes"
close 2
# a name that may not be made
tree \\host\veto
nt_create "a.tmp" disp=2 access=0x12019f -> error ACCESS_DENIED
why -> where="veto" rule="veto files = /*.tmp/" what~"whose name is vetoed"
# how it was opened; attributes; privileges
tree \\host\share
nt_create "g" disp=2 access=0x120089 -> fid=F
write_andx F data="x" -> error ACCESS_DENIED
why -> user="anna" rule="" what~'write_andx of "g": it was not opened for this'
close F
nt_create "g" access=0x1000080 -> error PRIVILEGE_NOT_HELD
why -> rule~"admin users = " what~"only administrators"
# a folder with open files
mkdir "e"; nt_create "e\f" disp=2 share=7 -> fid=F
rename "e" "e2" -> error ACCESS_DENIED
why -> rule="" what~"e2" what~"files in it are open" fix~"closed"
tree \\host\strict -> tid=T
2: connect; 2: negotiate "NT LM 0.12"; 2: session user anna secret1; 2: tree \\host\strict
2: rename "e" "e2" -> error ACCESS_DENIED
why -> where="strict" rule="strict rename = Yes" what~"files in it are open"
# the kernel says no: as whom, to what
host file "shut" mode=0; host dir "wall"; host file "wall/f" mode=0
open_andx "wall\f" access=r -> error ACCESS_DENIED
why -> user="anna" rule="" what~'of "wall/f": the kernel does not let Unix user anna (' fix~'"wall/f" has mode 0000, owner ' fix~'; its folder "wall" has mode 0755, owner '
# an access list says no
nt_create "listed" disp=2 access=0x1f01ff -> fid=F
nttrans fn=3 fid=F p=hex:0000+hex:04000000 d=hex:010004800000000000000000000000001400000002001c000100000000001400890012000101000000000005+hex:0b000000
close F
nt_create "listed" access=0x12019f -> error ACCESS_DENIED
why -> user="anna" rule="" what~'of "listed": its mode or access list does not let Unix user anna' fix~'other permissions: "listed" has mode'
# another user in a tree that is not his
tree \\host\private -> tid=P
session user bob secret2 -> uid=B
getatr "x" uid=B tid=P -> error ACCESS_DENIED
why -> user="bob" where="private" rule="valid users = anna"
getatr "x" uid=B tid=P -> error ACCESS_DENIED
why -> user="bob" where="private" rule="valid users = anna"
