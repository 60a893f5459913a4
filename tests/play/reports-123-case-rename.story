# `new` to `NEW` works, onto something else it does not (reports 123, 55).
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "new"; host file "old"
rename "new" "NEW"
host exists "NEW"; host missing "new"
rename "NEW" "OLD" -> error OBJECT_NAME_COLLISION
# a mangled name finds its file
nt_create "a name that is long.text" disp=2 -> fid=F; close F
trans2 find_first "ANAMET~1.TEX" -> error NO_SUCH_FILE
