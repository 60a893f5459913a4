# Limits: what a client has too much of, and the setting that would allow more.
config {
	max open files = 2
	disable netbios = yes
}
connect nbt -> answer=0x83
settle; why -> rule="disable netbios = Yes" place~"smb.conf:" fix~"direct TCP"
connect; negotiate "NT LM 0.12"; session user anna secret1; tree \\host\share
nt_create "f" disp=2 share=7; nt_create "f" share=7
nt_create "f" share=7 -> error TOO_MANY_OPENED_FILES
why -> user="anna" where="share" rule="max open files = 2" place~"smb.conf:" fix~"larger"
