# SESSION_SETUP_ANDX with wrong counts and lengths.
connect; negotiate "NT LM 0.12"
session guest wct=11 -> error INVALID_SMB
session guest cut=30 -> error INVALID_SMB
session guest len1=0xffff len2=0xffff -> action=1
# a blob nobody agreed on
raw_smb cmd=0x73 words=hex:ff000000044102000100000000000400000000005cc00080 bytes="blob"+hex:00 -> error INVALID_PARAMETER
connect; negotiate "NT LM 0.12" ext
raw_smb cmd=0x73 words=hex:ff0000000441020001000000000004000000000000c00080 bytes="blob"+hex:00 -> error INVALID_PARAMETER
raw_smb cmd=0x73 words=hex:ff0000000441020001000000000000ff0000000000c00080 bytes="blob"+hex:00 -> error INVALID_PARAMETER
echo "alive" -> count=1
# somebody has changed the list of mechanisms on the way: the right password does not help
connect; negotiate "NT LM 0.12" ext
session user anna secret1 spnego badmic -> error LOGON_FAILURE
why -> user="anna" what~"mechListMIC"
session user anna secret1 spnego -> action=0
# a user who proves itself anew, and cannot: the session is gone, and so is who the refusal is told of
session user anna secret1 spnego -> action=0; tree \\host\share
raw_smb cmd=0x73 words=hex:ff0000000441020001000000000004000000000000c00080 bytes="blob"+hex:00 -> error INVALID_PARAMETER
echo "alive" -> count=1
open_andx "x" -> error SMB_BAD_UID
