# `server smb encrypt`: required refuses what comes in the clear, off offers nothing.
config {
[must]
path = @DIR@/share
guest ok = yes
read only = no
server smb encrypt = required
[never]
path = @DIR@/share
guest ok = yes
smb encrypt = off
[wish]
path = @DIR@/share
guest ok = yes
smb encrypt = desired
}
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "f" data="12345"
trans2 qfs level=0x200 -> data[4:4]&0x300=0x100
tree \\host\wish
trans2 qfs level=0x200 -> data[4:4]&0x300=0x100
tree \\host\never
trans2 qfs level=0x200 -> data[4:4]&0x300=0
encrypt anna secret1 -> status=0xc00000bb
logged "refused: encryption in share never; by `server smb encrypt = off`"
trans2 qpath "\f" level=0x101
# the way to encryption is open, nothing else
tree \\host\must
trans2 qfs level=0x200 -> data[4:4]&0x300=0x300
trans2 code=4 p=hex:00000002 d=hex:01000000+hex:3b00000000000000
trans2 qfs level=0x105 -> error ACCESS_DENIED
logged "refused: requests in share must: the client does not encrypt; by `server smb encrypt = required`"
trans2 qpath "/f" level=0x101 -> error ACCESS_DENIED
trans2 find_first "/*" -> error ACCESS_DENIED
nt_create "f" -> error ACCESS_DENIED
open_andx "f" -> error ACCESS_DENIED
delete "f" -> error ACCESS_DENIED
mkdir "d" -> error ACCESS_DENIED
read_andx 1 count=5 -> error ACCESS_DENIED
write_andx 1 data="x" -> error ACCESS_DENIED
close 1 -> error ACCESS_DENIED
nttrans fn=6 fid=1 p=hex:00*6 -> error ACCESS_DENIED
trans2 code=4 p=hex:00000302 split=2 d=hex:ff -> error INVALID_PARAMETER
tdis
chain { tree \\host\must; nt_create "f" -> error ACCESS_DENIED }
# nor is it the target of a copy that begins elsewhere
tree \\host\must -> tid=M
tree \\host\share
copy "f" "copied" tid2=M -> error ACCESS_DENIED
move "f" "copied" tid2=M -> error ACCESS_DENIED
host missing "copied"
# too weak: everybody could change bits
encrypt anna secret1 flags=0x62008235
tree \\host\must
trans2 qpath "/f" level=0x101 -> error ACCESS_DENIED
logged "encrypts without extended session security"
encrypt anna secret1
trans2 qpath "/f" level=0x101
nt_create "f" access=0x3 -> fid=F
read_andx F count=5 -> data="12345"
tree \\host\never
trans2 qpath "/f" level=0x101
tree \\host\must
trans2 qpath "/f" level=0x101
crypt plain
trans2 qpath "/f" level=0x101 -> closed
logged "a frame in the clear"
# who cannot ask for encryption does not even get in
connect; negotiate "LANMAN1.0"; session guest
tree \\host\share
tree \\host\must -> error ACCESS_DENIED
logged "would allow it: `smb1 unix extensions = yes`"
