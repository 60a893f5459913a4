# Printer shares: DOS print files, opens of other clients, the queue, the job number.
config {
[lp]
path = @DIR@/share
printable = yes
guest ok = yes
max print jobs = 3
}
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0"; session guest
tree \\host\lp service=A: -> error DOS 1/66
tree \\host\lp service=LPT1: -> service="LPT1:"
print_queue -> count=0
open_print "my report" -> fid=F
write_print F data="page one"
write_print F data=" page two"
print_queue -> count=1 state=4 names="my_report"
ioctl F -> job=1 len=32 server~"HOST"
ioctl F cat=1 -> error DOS 2/65535
write_print F count=100 data="x" -> error DOS 2/1
close_print F
print_queue -> count=1 next=1 state=3 names="my_report"
close_print F -> error DOS 1/6
open_andx "\spool file" func=0x11 access=w -> fid=F; write_andx F data="data"; close F
print_queue start=1 -> count=1 next=2 names="spool_file"
# backwards
print_queue start=1 max=-5 -> count=2 next=0 names="spool_file,my_report"
# an empty job is none
open_print "empty" -> fid=F; close F
print_queue -> count=2
open_print "third" -> fid=F; write_print F data="3"; close F
open_print "fourth" -> error DOS 1/61
# files of a printer cannot be named
delete "*.*" -> error DOS 1/5
search "*.*" -> error DOS 1/5
getatr "smb1d-00001" -> error DOS 1/5
tree \\host\share
open_print "x" -> error DOS 2/7
print_queue -> error DOS 2/7
write_print 77 data="x" -> error DOS 1/6
close_print 77 -> error DOS 2/1
