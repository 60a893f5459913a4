# Signing for every kind of login; a guest's and a null session's messages are not signed.
config {
	lanman auth = yes
}
connect; negotiate "NT LM 0.12" -> mode=7
session user anna secret1 ntlmv1 sign -> action=0
tree \\host\share; echo "x"; open_andx "a" access=rw func=0x11
# a second login on a signed connection changes no key
session user bob secret2 ntlmv2 -> action=0
echo "y"
connect; negotiate "NT LM 0.12"; session user anna secret1 nt sign; echo "x"
connect; negotiate "NT LM 0.12"; session user anna secret1 ntlmv2 sign; echo "x"
connect; negotiate "NT LM 0.12"; session user anna secret1 lmv2 sign; echo "x"
connect; negotiate "NT LM 0.12"; session user anna secret1 lm sign; echo "x"
connect; negotiate "NT LM 0.12" ext; session user anna secret1 spnego sign; echo "x"; tree \\host\share
connect; negotiate "NT LM 0.12" ext; session user anna secret1 ntlmssp sign; echo "x"
connect; negotiate "NT LM 0.12"; session guest -> action=1
echo "x"
session anonymous; echo "x"
# ... and signing begins with the first real user
session user anna secret1 ntlmv2 sign; echo "x"
# a client that does not ask for it goes without, and one that asks and then does not sign
connect; negotiate "NT LM 0.12"; session user anna secret1 -> flags2=0xc003
echo "x" -> flags2=0xc003
connect; negotiate "NT LM 0.12"; set nosign=on; session user anna secret1 ntlmv2 sign -> flags2=0xc007
echo "x" -> flags2=0xc003
tree \\host\share; mkdir "unsigned"
# one that signs wrongly after it has signed rightly is let go
2: connect; 2: negotiate "NT LM 0.12"; 2: session user anna secret1 ntlmv2 sign; 2: echo "x"
2: set badsign=on
2: echo "x" -> closed
why -> what~"wrong signature" what~"0x2b"
