# server signing = mandatory and passwords in the clear: such a login is refused.
config {
	server signing = mandatory
	encrypt passwords = no
}
connect; negotiate "NT LM 0.12" -> keylen=0
session user anna secret1 plain -> error ACCESS_DENIED
why -> rule="server signing = mandatory" what~"in the clear"
session user anna wrong plain -> error LOGON_FAILURE
