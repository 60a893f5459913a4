# `read only`, `read list`, `write list`, `valid users`, `invalid users`: who is in two lists, and macros in them.
config {
[writers]
path = @DIR@/share
write list = anna
[both]
path = @DIR@/share
read only = no
read list = anna bob
write list = anna
[own]
path = @DIR@/share
read only = no
valid users = %S
[anna]
path = @DIR@/share
read only = no
valid users = %S
[out]
path = @DIR@/share
valid users = anna bob
invalid users = bob
}
connect; negotiate "NT LM 0.12"; session user anna secret1
tree \\host\writers; mkdir "a"
tree \\host\both; mkdir "b"
tree \\host\anna; mkdir "c"
tree \\host\own -> error ACCESS_DENIED
tree \\host\out
mkdir "d" -> error ACCESS_DENIED
why -> user="anna" where="out" rule="read only = Yes"
2: connect; 2: negotiate "NT LM 0.12"; 2: session user bob secret2
2: tree \\host\writers
2: mkdir "e" -> error ACCESS_DENIED
why -> user="bob" where="writers" rule="read only = Yes" fix~"write list"
2: tree \\host\both
2: mkdir "f" -> error ACCESS_DENIED
why -> user="bob" rule="read list = anna, bob"
2: tree \\host\anna -> error ACCESS_DENIED
why -> rule="valid users = %S"
2: tree \\host\out -> error ACCESS_DENIED
why -> rule="invalid users = bob"
host exists "a"; host exists "b"; host exists "c"; host missing "e"; host missing "f"
