# A message that is not what the client signed ends the connection: changed, sent again, or without a signature at all.
connect; negotiate "NT LM 0.12"; session user anna secret1 ntlmv2 sign; tree \\host\share
set badsign=on; open_andx "a" access=rw func=0x11 -> closed
why -> what~"wrong signature" what~"0x2d"
host missing "a"
connect; negotiate "NT LM 0.12"; session user anna secret1 ntlmv1 sign; tree \\host\share
set replay=on; mkdir "again" -> closed
why -> what~"wrong signature"
host missing "again"
connect; negotiate "NT LM 0.12" ext; session user anna secret1 spnego sign; tree \\host\share
set nosign=on; mkdir "bare" -> closed
why -> what~"wrong signature"
host missing "bare"
# in a chain, and behind others that were right: nothing of the wrong one is done
connect; negotiate "NT LM 0.12"; session user anna secret1 ntlmv2 sign; tree \\host\share
open_andx "f" access=rw func=0x11 -> fid=F; write_andx F data="whole"
set badsign=on
chain { write_andx F data="spoilt"; read_andx F count=5 } -> closed
host read "f" -> data="whole"
