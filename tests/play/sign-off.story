# server signing = disabled: not offered, not done.
config {
	server signing = disabled
}
connect; negotiate "NT LM 0.12" -> mode=3
session user anna secret1; echo "x"; tree \\host\share
session guest
