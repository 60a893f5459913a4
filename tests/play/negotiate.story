# NEGOTIATE: the reply of each family of dialects.
connect; negotiate "NT LM 0.12" -> index=0 wct=17 keylen=8 domain="WORKGROUP" server="HOST" maxmux>=10 mode~3
# 16-bit clients copy MaxBufferSize into a word: never 0 there, and never above 65535
connect; negotiate "PC NETWORK PROGRAM 1.0" "LANMAN1.0" "NT LM 0.12" -> index=2 maxbuf<=65535 maxbuf>=4096 caps~0x14
connect; negotiate "NT LM 0.12" ext -> index=0 bloblen>=16 keylen=0 caps~0x80000000 flags2~0x800
connect; negotiate "PC NETWORK PROGRAM 1.0" "LANMAN1.0" -> index=1 wct=13 keylen=8 mode=3
connect; negotiate "LM1.2X002" "LANMAN2.1" -> index=1 wct=13
connect; set unicode=off ntstatus=off; negotiate "NT LM 0.12" -> index=0 domain="WORKGROUP" server="HOST" flags2~0x0003
connect; negotiate "XYZZY" -> index=0xffff wct=1
connect; negotiate -> index=0xffff wct=1
# dialects after rubbish in the list
connect; negotiate "NT LM 0.12" "NT LM 0.12" "nt lm 0.12" -> index=0
