# One match: end of search in the first reply, then no more files (BZ 2501, Win98 looped).
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "only.dat"
trans2 find_first "\only.*" count=10 level=1 -> count=1 eos=1 sid=S
trans2 find_next S level=1 -> error NO_MORE_FILES
