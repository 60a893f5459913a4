# No FID is left, but files are open only because the client caches them: it is asked to close some (reports 74).
config {
max open files = 20
}
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host many "f" count=30
nt_create "f0000" cflags=4 -> fid=F oplock=2
nt_create "f0001" -> fid=A
nt_create "f0002"
nt_create "f0003"
nt_create "f0004"
nt_create "f0005"
nt_create "f0006"
nt_create "f0007"
nt_create "f0008"
nt_create "f0009"
nt_create "f0010"
nt_create "f0011"
nt_create "f0012"
nt_create "f0013"
nt_create "f0014"
nt_create "f0015"
nt_create "f0016"
nt_create "f0017"
nt_create "f0018"
nt_create "f0019"
later { nt_create "f0020" }
oplock_break -> fid==F level=0
close F
arrives -> fid=G
nt_create "f0021" -> error TOO_MANY_OPENED_FILES
close A
nt_create "f0021" -> fid=A
