# NEGOTIATE as it should not be.
connect; negotiate "NT LM 0.12"; negotiate "NT LM 0.12" -> closed
connect; echo "early" -> closed
connect; session guest -> closed
connect; negotiate "NT LM 0.12" wct=1 -> error INVALID_SMB
connect; negotiate "NT LM 0.12" cut=3 -> error INVALID_SMB
connect; raw_smb cmd=0x72 bytes=hex:034e5400 -> error INVALID_SMB
# a dialect without its NUL is read to the end
connect; raw_smb cmd=0x72 bytes=hex:02+"NT LM 0.12" -> wct=17
# a reply is no request
connect; negotiate "NT LM 0.12" flags=0x88 -> closed
# SMB2 alone
connect; frame hex:fe534d42+"x"*60; settle
# rubbish
connect; raw "GET / HTTP/1.0"+hex:0d0a0d0a; settle
connect; frame hex:ff534d42; settle
connect; frame ""; settle
