# `disable netbios = yes`: no session requests.
config {
	disable netbios = yes
}
connect nbt -> answer=0x83 code=0x8f
settle
