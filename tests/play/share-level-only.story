# `only user = yes`: no other name is tried than those of `username`, whatever the client has said of itself.
config {
	security = share
	encrypt passwords = no
	map to guest = Never
[bobs]
path = @DIR@/share
username = bob
only user = yes
[any]
path = @DIR@/share
[anna]
path = @DIR@/share
username = bob
only user = yes
}
connect; set unicode=off ntstatus=off; negotiate "LANMAN1.0" -> mode=0
# the name of a login, of the client, of the share: each counts where anybody may come
tree_connect \\host\any password="secret1" -> error DOS 2/2
session user anna secret1 plain
tree_connect \\host\any password="secret1" -> tid!=0
tree_connect \\host\bobs password="secret1" -> error DOS 2/2
tree_connect \\host\bobs password="secret2" -> tid!=0
tree_connect \\host\anna password="secret1" -> error DOS 2/2
connect nbt calling="ANNA"; negotiate "LANMAN1.0"
tree_connect \\host\any password="secret1" -> tid!=0
tree_connect \\host\bobs password="secret1" -> error DOS 2/2
why -> where="bobs" rule="username = bob" fix~"username"
tree_connect \\host\anna password="secret1" -> error DOS 2/2
