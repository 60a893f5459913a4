# Printers, encryption: which setting of the share decides.
config {
max disk size = 100
[full]
path = @DIR@/share
printable = yes
guest ok = yes
max print jobs = 1
[small]
path = @DIR@/share
printable = yes
guest ok = yes
min print space = 1000000
[must]
path = @DIR@/share
guest ok = yes
server smb encrypt = required
}
connect; negotiate "NT LM 0.12"; session user anna secret1
tree \\host\full service=LPT1:
open_print "one" -> fid=F; write_print F data="x"; close_print F
open_print "two" -> error PRINT_QUEUE_FULL
why -> user="anna" where="full" rule="max print jobs = 1" fix~"larger"
tree \\host\small service=LPT1:
open_print "one" -> error NO_SPOOL_SPACE
why -> user="anna" where="small" rule="min print space = 1000000" fix~"smaller"
tree \\host\must; mkdir "x" -> error ACCESS_DENIED
why -> where="must" rule="server smb encrypt = required"
