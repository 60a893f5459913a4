# Files: which setting keeps a file, a link, a vetoed folder from a client; what no setting does is told as such.
config {
[straight]
path = @DIR@/share
read only = no
follow symlinks = no
[veto]
path = @DIR@/share
read only = no
veto files = /*.tmp/
[forced]
path = @DIR@/share
force group = no-such-group-here
}
connect; negotiate "NT LM 0.12"; session user anna secret1; tree \\host\share
host file "a"; host dir "d"; host file "d/x.tmp"; host symlink "/etc" "out"; host symlink "d" "in"
# delete rules
setatr "a" attrs=1
delete "a" -> error CANNOT_DELETE
why -> user="anna" where="share" rule="delete readonly = No" what~"a" fix~"read-only attribute"
nt_create "a" access=0x130089 -> fid=F
trans2 sfile F level=0x102 data=hex:01 -> error CANNOT_DELETE
why -> rule="delete readonly = No" what~"a"
close F
trans2 spath "a" level=0x102 data=hex:01 -> error CANNOT_DELETE
why -> rule="delete readonly = No" what~"transaction2 of"
nt_create "a" access=0x3 -> error ACCESS_DENIED
why -> rule="" what~"it is read-only" fix~"read-only attribute"
# links
nt_create "out\passwd" access=0x120089 -> error OBJECT_PATH_NOT_FOUND
why -> rule="wide links = No" what~"out" fix~"leads into the share"
tree \\host\straight
nt_create "in\x.tmp" access=0x120089 -> error OBJECT_PATH_NOT_FOUND
why -> where="straight" rule="follow symlinks = No" what~"in" fix~"follow symlinks = yes"
# vetoed files keep their folder
tree \\host\veto
rmdir "d" -> error DIRECTORY_NOT_EMPTY
why -> where="veto" rule="delete veto files = No" what~"d"
nt_create "d" access=0x130089 options=1 share=7 -> fid=F
trans2 sfile F level=0x102 data=hex:01 -> error DIRECTORY_NOT_EMPTY
why -> rule="delete veto files = No"
close F
# trees
tree \\host\forced -> error ACCESS_DENIED
why -> user="anna" where="forced" rule="force group = no-such-group-here" place~"smb.conf:"
