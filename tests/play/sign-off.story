# server signing = disabled: not offered, not done.
config {
	server signing = disabled
}
connect; negotiate "NT LM 0.12" -> mode=3
session user anna secret1; echo "x"; tree \\host\share
session guest
# not for a client that asks for it either
connect; negotiate "NT LM 0.12"
session user anna secret1 ntlmv2 flags2=0xc005 -> flags2=0xc003
echo "x" -> flags2=0xc003
