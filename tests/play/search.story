# SEARCH, FIND, FIND_UNIQUE, FIND_CLOSE.
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0"; session guest; tree \\host\share
host dir "d"; host file "d/a.txt" data="abc"; host file "d/b.doc"; host file "d/longer name.text"; host dir "d/sub"
search "\d\*.*" count=20 -> count=6 names~"A.TXT" names~"B.DOC" names~"SUB" names~".," names~".TEX"
search "\d\*.txt" -> count=1 names="A.TXT"
search "\d\????????.???" attrs=0 -> count=3
# one by one, with the key of the last
search "\d\*.*" count=1 -> names="."
search "" count=1 resume -> names=".."
search "" count=2 resume -> count=2
search "" count=9 resume -> count=2
search "" count=9 resume -> count=0
# back to an entry seen before
find "\d\*.*" count=6 -> count=6
find "" count=1 resume key=1 -> count=1
fclose "" resume -> count=0
find "" resume -> error DOS 1/18
find_unique "\d\a.*" -> count=1 names="A.TXT"
search "" resume -> error DOS 1/18
search "\d\none.*" -> error DOS 1/18
search "\d\none" -> error DOS 1/18
search "\nowhere\*.*" -> error DOS 1/3
# the root has no dots for DOS
search "\*.*" -> count=1 names="D"
# the label
search "\*.*" attrs=8 -> count=1 attrs=8 names="share"
fclose "" -> error DOS 2/1
search "\d\*.*" format=5 -> error DOS 2/1
