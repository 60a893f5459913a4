# server signing = mandatory: all kinds of login, whether the client asks or not; who cannot sign is refused.
config {
	server signing = mandatory
	lanman auth = yes
	restrict anonymous = 0
}
connect; negotiate "NT LM 0.12" -> mode=15 caps=0x80e3fc
session user anna secret1 ntlmv1 sign; echo "x"
connect; negotiate "NT LM 0.12"; session user anna secret1 nt sign; echo "x"
connect; negotiate "NT LM 0.12"; session user anna secret1 lm sign; echo "x"
connect; negotiate "NT LM 0.12"; session user anna secret1 lmv2 sign; echo "x"
connect; negotiate "NT LM 0.12" ext; session user anna secret1 spnego sign; tree \\host\share
connect; negotiate "NT LM 0.12" ext; session user anna secret1 ntlmssp sign; echo "x"
connect; negotiate "NT LM 0.12"
session guest -> error ACCESS_DENIED
why -> rule="server signing = mandatory" place~"smb.conf:" what~"guest" fix~"auto"
session anonymous -> error ACCESS_DENIED
why -> rule="server signing = mandatory" what~"without a name"
# nobody is in: nothing works
tree \\host\share -> error SMB_BAD_UID
# a client that does not sign what it should
session user anna secret1 ntlmv2; echo "x" -> closed
why -> what~"wrong signature"
# dialects that cannot sign
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0" -> index=0xffff
why -> rule="server signing = mandatory"
connect; set unicode=off ntstatus=off; negotiate "PC NETWORK PROGRAM 1.0" -> index=0xffff
