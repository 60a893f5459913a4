# Requests in pieces: interim reply, secondaries in any order; strays are dropped.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
host file "a.txt"; host file "b.txt"
trans2 find_first "\*.txt" split=8 -> names="a.txt,b.txt"
trans2 find_first "\*.txt" split=4 backwards -> names="a.txt,b.txt"
raw_smb cmd=0x33 words=hex:00*18 -> none
raw_smb cmd=0x26 words=hex:00*16 -> none
raw_smb cmd=0xa1 words=hex:00*36 -> none
# waiting for a rest that never comes; other requests go on
trans2 find_first "\*.txt" totalp=500 -> wct=0
echo "meanwhile" -> count=1
raw_smb cmd=0x33 words=hex:00 wct=8 -> error INVALID_SMB
raw_smb cmd=0x26 words=hex:00 wct=9 -> error INVALID_SMB
raw_smb cmd=0xa1 words=hex:00 wct=9 -> error INVALID_SMB
# totals no one needs
trans2 find_first "\*.txt" totalp=0 -> error INVALID_PARAMETER
