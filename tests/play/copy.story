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
