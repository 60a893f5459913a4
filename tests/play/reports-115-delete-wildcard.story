# DOS sends wildcards in DELETE and means it (BZ 11452).
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "a.tmp"; host file "b.tmp"; host file "c.txt"; host dir "d.tmp"
delete "\*.tmp"
host missing "a.tmp"; host missing "b.tmp"; host exists "c.txt"; host exists "d.tmp"
delete "\*.tmp" -> error NO_SUCH_FILE
# hidden and system files need their bits (reports 119)
host file "h.bak"
setatr "h.bak" attrs=2
delete "*.bak" search=0 -> error NO_SUCH_FILE
delete "h.bak" search=0 -> error NO_SUCH_FILE
host exists "h.bak"
delete "*.bak" search=2
host missing "h.bak"
# a read-only file stays
host file "r.dat"
setatr "r.dat" attrs=1
delete "r.dat" -> error CANNOT_DELETE
setatr "r.dat" attrs=0
delete "r.dat"
