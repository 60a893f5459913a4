# SETATR of the root is refused, GETATR says it is a folder; nothing deletes or renames it.
connect; set unicode=off ntstatus=off; negotiate "NT LM 0.12"; session guest; tree \\host\share
getatr "" -> attrs~0x10
getatr "\" -> attrs~0x10
setatr "" attrs=0 -> error DOS 1/5
rmdir "\" -> error DOS 1/5
delete "\" -> error DOS 1/5
rename "\" "x" -> error DOS 1/5
mkdir "\" -> error DOS 1/5
checkdir "\"
