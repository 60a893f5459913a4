# FIND_FIRST2, FIND_NEXT2, FIND_CLOSE2.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "a.txt" data="12345"; host file "b.txt"; host dir "sub"
trans2 find_first "\*" -> count=5 eos=1 names=".,..,a.txt,b.txt,sub" next=0
trans2 find_first "\*.txt" -> count=2 names="a.txt,b.txt" size>=0
trans2 find_first "a.txt" -> count=1 eos=1 names="a.txt" size=5 short=""
trans2 find_first "A.TXT" level=0x101 -> names="a.txt" size=5
trans2 find_first "a.txt" level=0x102 -> names="a.txt"
trans2 find_first "a.txt" level=0x103 -> names="a.txt"
trans2 find_first "a.txt" level=0x105 -> names="a.txt" size=5
trans2 find_first "a.txt" level=0x106 -> names="a.txt" size=5
trans2 find_first "\*" level=1 -> names=".,..,a.txt,b.txt,sub"
trans2 find_first "\*" level=1 flags=4 -> names=".,..,a.txt,b.txt,sub"
trans2 find_first "\*" level=2 -> names=".,..,a.txt,b.txt,sub"
# "." and ".." come first (reports 49)
trans2 find_first "\*" count=2 -> order=".,.." eos=0 sid=S
trans2 find_next S count=100 -> names="a.txt,b.txt,sub" eos=1
find_close S
find_close S -> error INVALID_HANDLE
# directories only, attributes
trans2 find_first "\*" search=0 -> names="a.txt,b.txt"
# files behind a name
trans2 find_first "\*" count=4 -> sid=S count=4
trans2 find_next S name="." flags=0 count=1 -> order=".."
# ".." is a legal resume name (reports 47)
trans2 find_next S name=".." flags=0 -> names="a.txt,b.txt,sub"
find_close S
# closed by flags
trans2 find_first "\*" flags=1 -> sid=S
trans2 find_next S -> error INVALID_HANDLE
trans2 find_first "\*" flags=2 -> eos=1 sid=S
trans2 find_next S -> error INVALID_HANDLE
# DOS wildcards as NT clients send them
trans2 find_first "\<.txt" -> names="a.txt,b.txt"
trans2 find_first '\a>>>>"txt' -> names="a.txt"
# ? is exactly one character here (reports 54)
trans2 find_first "\?.txt" -> names="a.txt,b.txt"
trans2 find_first "\????????.???" -> error NO_SUCH_FILE
