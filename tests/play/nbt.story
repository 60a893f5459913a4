# NetBIOS session service: request, keepalives, 17 bits of length.
connect nbt called="HOST" calling="PC1" -> answer=0x82
keepalive; keepalive
negotiate "NT LM 0.12"; session guest; keepalive; tree \\host\share
keepalive
echo "still here" -> data="still here"
# any called name will do
connect nbt called="192.168.1.1" -> answer=0x82
negotiate "NT LM 0.12"
connect nbt called="*SMBSERVER" -> answer=0x82
# bits above the 17th are an error here
raw hex:00020000+"x"*16; settle
# malformed names
connect; raw hex:81000004+"abcd"; head -> type=0x83 length=1
settle
