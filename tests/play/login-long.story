# Names and passwords that are longer than any are refused; the connection goes on.
connect; negotiate "NT LM 0.12"
session user "u"*400 secret1 -> error LOGON_FAILURE
logged "refused: login: a user or domain name of more than 256 bytes"
session user anna secret1 domain="d"*400 -> error LOGON_FAILURE
session user anna secret1
echo "x"
