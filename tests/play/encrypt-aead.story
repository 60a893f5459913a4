# The encrypted transport in our own form: ChaCha20-Poly1305, under a capability bit of its own.
connect; negotiate "NT LM 0.12"; session user anna secret1; tree \\host\share
host file "f" data="12345"
encrypt anna secret1 aead -> status=0 context=1 cipher=1 params=36
echo "sealed" -> data="sealed"
nt_create "f" access=0x3 share=7 -> fid=F
write_andx F data="abcde"
read_andx F count=5 -> data="abcde"
batch { echo "one" -> data="one"; read_andx F count=5 -> count=5; echo "two" -> data="two" }
# anew, the same way; the keys are others
encrypt bob secret2 aead -> status=0 context=1
echo "new keys" -> data="new keys"
read_andx F count=5 -> data="abcde"
disconnect

# no room for the parameters; no key of the client's own
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 aead maxp=35 -> status=0xc000000d
encrypt anna secret1 aead flags=0x22088235 -> status=0xc0000022
logged "not agreed to sealing"
encrypt anna wrong aead -> status=0xc000006d
encrypt anna secret1 aead
echo "all the same"
disconnect

# what was offered, and what was asked for, is in the keys: changed on the way, nothing can be opened
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 aead offered=0x1000000000100
echo "x" -> closed
logged "sealed frame number 0 cannot be opened"

# the capability is not given up once it is in use, nor is a weaker form taken
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 aead
trans2 code=4 p=hex:00000002 d=hex:01000000+hex:3b00000000000000 -> closed
logged "drops the capability"
why -> what~"drops the capability" fix~"stays with the encryption"

# no such thing as half of it: every fault ends the connection
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 aead; echo "good"; crypt key; echo "x" -> closed
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 aead; echo "good"; crypt changed; echo "x" -> closed
logged "sealed frame number 1 cannot be opened: wrong key, or changed"
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 aead; crypt cut; echo "x" -> closed
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 aead; crypt head; echo "x" -> closed
logged "sealed frame number 1 in place of 0: replayed"
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 aead; crypt lost; echo "x" -> closed
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 aead; crypt swap; echo "x" -> closed
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 aead; crypt replay; echo "x" -> ok
listen -> closed=1
logged "sealed frame number 0 in place of 1: replayed"
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 aead; crypt plain; echo "x" -> closed
logged "a frame in the clear on an encrypted connection"
why -> what~"in the clear" fix~"stays with the encryption"
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 aead; crypt short; echo "x" -> closed
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 aead; crypt context; echo "x" -> closed
logged "there is no such, or it is cut"
