# What an encrypted connection does not take: each ends it, with a line in the log.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1; echo "good"; crypt key; echo "x" -> closed
logged "sealed frame number 1 cannot be opened: wrong key, or changed"
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1; crypt changed; echo "x" -> closed
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1; crypt cut; echo "x" -> closed
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1; crypt head; echo "x" -> closed
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1; crypt lost; echo "x" -> closed
logged "sealed frame number 1 in place of 0: replayed, lost or out of order"
why -> what~"replayed" fix~"leave sealed frames"
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1; crypt swap; echo "x" -> closed
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1; crypt replay; echo "x" -> ok
listen -> closed=1
logged "sealed frame number 0 in place of 1: replayed"
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1; crypt plain; echo "x" -> closed
logged "a frame in the clear on an encrypted connection"
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1; crypt short; echo "x" -> closed
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1; crypt context; echo "x" -> closed
# an empty frame, a header alone, something else in the frame
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1; frame hex:ff450000; listen -> closed=1
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1; raw hex:00000000; listen -> closed=1
# the old flags have no numbers that could be looked at, but nothing passes either
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 flags=0x62008235; echo "good"; crypt changed; echo "x" -> closed
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1 flags=0x62008235; crypt replay; echo "x" -> ok
listen -> closed=1
# weaker than what is in use
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna secret1; encrypt bob secret2 flags=0x62008235 -> closed=1
logged "asks for a weaker encryption"
why -> what~"weaker encryption" fix~"stays with the encryption"

# a sealed frame where nothing was agreed on
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
frame hex:ff450000+hex:00*40; listen -> closed=1
logged "no encryption was agreed on"
why -> what~"no encryption" fix~"asks for encryption"

# no agreement: the wrong password, nobody, a guest, no sealing, rubbish; the connection goes on in the clear
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
encrypt anna wrong -> status=0xc000006d legs=2
logged "refused: encryption for"
encrypt nosuchuser x -> status=0xc0000022
logged "guests have no key"
encrypt anna secret1 flags=0x62088215 -> status=0xc0000022
logged "not agreed to sealing"
encrypt anna secret1 maxp=1 -> status=0xc000000d
trans2 code=4 p=hex:00000302 -> count_d>=16
trans2 code=4 p=hex:00000302 -> error INVALID_PARAMETER
trans2 code=4 p=hex:00000302 d=hex:600100 -> error INVALID_PARAMETER
trans2 code=4 p=hex:00000302 d=hex:ff*300 -> error INVALID_PARAMETER
trans2 code=4 p=hex:00000302 d=hex:4e544c4d53535000+hex:03000000+hex:00*60 -> error INVALID_PARAMETER
echo "in the clear" -> data="in the clear"
encrypt anna secret1
echo "sealed"
