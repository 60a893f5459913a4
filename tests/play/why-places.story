# Places: a share whose folder is not there, or is none.
config {
[homes]
read only = no
[empty]
path = %$(NO_SUCH_VARIABLE)
[missing]
path = @DIR@/share/missing
[closed]
path = @DIR@/share/closed
}
connect; negotiate "NT LM 0.12"; session user anna secret1
tree \\host\empty -> error BAD_NETWORK_NAME
why -> user="anna" where="empty" rule="path = %$(NO_SUCH_VARIABLE)" place~"smb.conf:" fix~"that folder"
tree \\host\missing -> error BAD_NETWORK_NAME
why -> user="anna" where="missing" rule~"/share/missing" place~"smb.conf:" what~"may not enter"
host file "closed"
tree \\host\closed -> error BAD_NETWORK_NAME
why -> where="closed" rule~"/share/closed"
tree \\host\anna -> error BAD_NETWORK_NAME
why -> user="anna" where="anna" rule~"path" what~"share anna"
host dir "missing"; tree \\host\missing
