# The UNIX extensions for a client whose dialect has no bit to say that they are there.
connect; set unicode=off ntstatus=off; negotiate "LM1.2X002"; session guest; tree \\host\share
host file "f" data="12345"
trans2 qfs level=0x200 -> count_d=12
trans2 qpath "f" level=0x200 -> count_d=100
trans2 qpath "g" level=0x200 -> error OBJECT_NAME_NOT_FOUND
2: connect; 2: set unicode=off ntstatus=off; 2: negotiate "LANMAN1.0"; 2: session guest; 2: tree \\host\share
2: trans2 qfs level=0x200 -> error INVALID_LEVEL
