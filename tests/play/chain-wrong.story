# Chains that run backwards, in a circle, or out of the message.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
nt_create "a" disp=2 -> fid=F
read_andx F andx_cmd=0x2e andx_off=32 -> error INVALID_SMB
read_andx F andx_cmd=0x2e andx_off=0 -> error INVALID_SMB
read_andx F andx_cmd=0x2e andx_off=33 -> error INVALID_SMB
read_andx F andx_cmd=0x2e andx_off=0xfff0 -> error INVALID_SMB
write_andx F data="x" andx_cmd=0x2f andx_off=40 -> error INVALID_SMB
# a command that takes no chain ends it; an unknown one is an error
read_andx F andx_cmd=0x99 andx_off=59 bcc=0 -> error INVALID_SMB
echo "alive" -> count=1
close F
