# Frames byte by byte, many in one segment, large ones.
connect; set trickle=on
negotiate "NT LM 0.12"; session guest; tree \\host\share
nt_create "t.txt" disp=2 -> fid=F
write_andx F data="byte by byte" -> count=12
read_andx F -> data="byte by byte"
close F
set trickle=off
# four SMBs in one segment (reports 8): close, open, delete, echo
nt_create "b.txt" disp=2 -> fid=G
batch {
	close G
	open_andx "t.txt" access=r -> fid=H
	delete "b.txt"
	echo "four" -> data="four"
}
host missing "b.txt"
close H
# a frame whose length is more than any allowed
raw hex:00ffffff; settle
