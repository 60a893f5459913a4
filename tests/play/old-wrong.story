# MOVE, FIND_UNIQUE: what cannot be.
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0"; session guest; tree \\host\share
host file "a"; host file "b"
move "none" "c" -> error DOS 1/2
find_unique "none" -> error DOS 1/18
host exists "a"
