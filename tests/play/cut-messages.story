# Messages whose words or bytes are not all there.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
raw_smb cmd=0x06 words=hex:1600 bytes=hex:04+"f"+hex:00 wct=200 -> error INVALID_SMB
raw_smb cmd=0x06 words=hex:1600 bcc=0xffff -> error INVALID_SMB
raw_smb cmd=0x04 words=hex:010000000000 cut=1 -> error INVALID_SMB
raw_smb cmd=0x04 words=hex:010000000000 cut=2 -> error INVALID_SMB
raw_smb cmd=0xa2 wct=24 -> error INVALID_SMB
raw_smb cmd=0x25 wct=14 -> error INVALID_SMB
raw_smb cmd=0x2d wct=15 bcc=9 -> error INVALID_SMB
echo "alive" -> count=1
# a frame that never ends is waited for, and its end cleans up
frame hex:ff534d42 len=4000
disconnect
