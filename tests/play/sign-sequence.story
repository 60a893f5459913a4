# The numbers of signed messages: chains, long reads, pieces of transactions, cancel, several in a row.
connect; negotiate "NT LM 0.12"; session user anna secret1 ntlmv2 sign
tree \\host\share
host file "big" size=200000
chain { open_andx "big" access=r; read_andx 0 count=100 -> count=100 }
nt_create "big" access=0x12019f share=7 -> fid=F
# beyond what goes by sendfile when nothing is signed
read_andx F count=60000 -> count=60000
write_andx F data="x"*40000 -> count=40000
# raw modes have no room for a signature
read_raw F count=4 -> length=0
write_raw F count=6 data="ab" -> error SMB_USE_STANDARD
echo "after" count=3
# transactions in pieces: the last secondary gives the reply its number
host file "a.txt"
trans2 find_first "\*.txt" split=8 -> names="a.txt"
trans2 find_first "\*.txt" split=4 backwards -> names="a.txt"
echo "z"
# several at once
batch { echo "1"; echo "2"; echo "3" }
# NT_CANCEL takes one number; what it cancels keeps its own
mkdir "d"; nt_create "d" access=1 options=1 share=7 -> fid=3
later mid=500 { nttrans fn=4 setup=hex:01000000+hex:03000000 maxp=100 }
echo "in between"
batch {
	cancel mid=500 -> none
}
arrives -> error CANCELLED
echo "still"
logoff
