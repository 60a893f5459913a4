# NT_RENAME: rename, hard link, copy; RENAME with wildcards.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "a.c" data="one"; host file "b.c" data="two"; host file "c.txt"
nt_rename "a.c" "l.c" level=0x103
host stat "l.c" -> size=3
nt_rename "a.c" "l.c" level=0x103 -> error OBJECT_NAME_COLLISION
nt_rename "none" "x" level=0x103 -> error OBJECT_NAME_NOT_FOUND
nt_rename "l.c" "m.c"
host missing "l.c"; host exists "m.c"
nt_rename "m.c" "k.c" level=0x105
host read "k.c" -> data="one"
nt_rename "m.c" "k.c" level=0x105 -> error OBJECT_NAME_COLLISION
nt_rename "*.c" "*.d" -> error OBJECT_PATH_SYNTAX_BAD
nt_rename "a.c" "b.d" level=0x77 -> error ACCESS_DENIED
host dir "d"
nt_rename "d" "e" level=0x103 -> error FILE_IS_A_DIRECTORY
delete "k.c"; delete "m.c"
# REN *.C *.BAK
rename "*.c" "*.bak"
host exists "a.bak"; host exists "b.bak"; host exists "c.txt"
host read "a.bak" -> data="one"
rename "?.bak" "?x.o"
host exists "ax.o"; host exists "bx.o"
rename "*.none" "*.x" -> error NO_SUCH_FILE
rename "ax.o" "*.p" -> error OBJECT_NAME_INVALID
rename "a*.o" "same.o" -> ok
host exists "same.o"
# a folder only if it is asked for
host file "d1.x"; host dir "d2.x"
rename "*.x" "*.y" search=0
host exists "d1.y"; host exists "d2.x"
rename "*.x" "*.y" search=0x10
host exists "d2.y"
tree \\host\ro
nt_rename "d1.y" "d3" -> error ACCESS_DENIED
