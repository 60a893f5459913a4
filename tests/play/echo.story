# ECHO: before login, several answers, none.
connect; negotiate "NT LM 0.12"
echo "abc" -> count=1 data="abc"
echo "abc" count=3 -> count=3 data="abc"
echo "abc" count=0 -> none
echo "" -> data=""
echo "x" count=1000 -> count=100
echo "tid does not matter" tid=0xffff uid=77 -> data="tid does not matter"
# wrong
echo "x" wct=0 -> error INVALID_SMB
raw_smb cmd=0x2b words=hex:01000200 -> error INVALID_SMB
echo "abc" bcc=4 -> error INVALID_SMB
echo "abc" cut=1 -> error INVALID_SMB
