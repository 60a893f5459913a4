# COPY and MOVE on the server.
config {
[other]
path = @DIR@/lock
read only = no
guest ok = yes
}
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0"; session guest; tree \\host\share
host file "a" data="content"; host dir "d"; host file "b.c" data="b"; host file "c.c" data="c"
copy "a" "a2" -> count=1
host read "a2" -> data="content"
copy "a" "a2" func=0x10 -> error DOS 1/183
copy "b.c" "a2" func=0x12 -> count=1
host read "a2" -> data="b"
# append
copy "c.c" "a2" func=0x11 -> count=1
host read "a2" -> data="bc"
copy "none" "x" -> error DOS 1/2
copy "a" "nodir\x" -> error DOS 1/3
# text: up to a ^Z; with one at the end; and a text behind it in its place
host file "t" data="line"+hex:1a+"rubbish"
copy "t" "t1" -> count=1
host read "t1" -> data="line"+hex:1a+"rubbish"
copy "t" "t2" flags=8 -> count=1
host read "t2" -> data="line"
copy "t" "t3" flags=0xc -> count=1
host read "t3" -> data="line"+hex:1a
copy "t" "t3" flags=0xc func=0x11 -> count=1
host read "t3" -> data="lineline"+hex:1a
copy "a" "t3" flags=4 func=0x12 -> count=1
host read "t3" -> data="content"+hex:1a
# compared when it is there
copy "a" "v" flags=0x10 -> count=1
host read "v" -> data="content"
# cannot be both
copy "a" "v" flags=3 func=0x12 -> error DOS 1/87
# a part that somebody has locked is not copied, and nothing is left of the copy
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
2: nt_create "a" access=0x120089 share=7 -> fid=L
2: lock L off=2 len=3
copy "a" "locked" -> error DOS 1/33
host missing "locked"; host read "a" -> data="content"
2: close L
# into a folder, by pattern
copy "*.c" "d" -> count=2
host read "d/b.c" -> data="b"
copy "*.c" "*.bak" -> count=2
host read "c.bak" -> data="c"
copy "a" "d" flags=1 -> error DOS 1/5
copy "a" "q" flags=2 -> error DOS 1/3
# trees
copy "d" "e" -> error DOS 1/266
copy "d" "e" flags=0x20 -> count=2
host read "e/c.c" -> data="c"
copy "d" "d\in" flags=0x20 -> error DOS 1/266
# onto itself
copy "a" "a" func=0x12 -> error DOS 1/32
host read "a" -> data="content"
move "a" "moved" -> count=1
host missing "a"; host read "moved" -> data="content"
move "*.bak" "d" -> count=2
host exists "d/b.bak"; host missing "b.bak"
copy "moved" "x" tid2=77 -> error DOS 2/5
