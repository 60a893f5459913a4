# server signing = mandatory where each share has a password: nobody can sign there, so nobody gets in.
config {
	server signing = mandatory
	security = share
[annas]
path = @DIR@/share
username = anna
}
connect; negotiate "NT LM 0.12"
session guest
tree \\host\share -> error ACCESS_DENIED
why -> rule="server signing = mandatory" what~"password for each share"
