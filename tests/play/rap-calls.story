# RAP, every call: what clients of the nineties ask on \PIPE\LANMAN.
config {
[lp]
path = @DIR@/share
printable = yes
guest ok = yes
}
connect; negotiate "NT LM 0.12"; session user anna secret1; tree \\host\ipc$
rap share_enum level=2 -> rap=50
rap code=0 "WrLeh" "B13BWzWWWzB9B" args=hex:0200+hex:401f -> rap=0
rap code=1 "zWrLh" "B13BWz" args="share"+hex:00+hex:0100+hex:401f -> rap=0
rap code=6 "WrLeh" "zzWWWDDD" args=hex:0100+hex:401f -> rap=0 count=1
rap code=7 "zWrLh" "zzWWWDDD" args="192.0.2.7"+hex:00+hex:0100+hex:401f -> rap=0
rap code=13 "WrLh" "B16BBDz" args=hex:0100+hex:401f -> rap=0
rap code=56 "zWrLh" "B21Bzzz" args="anna"+hex:00+hex:0a00+hex:401f -> rap=0
# who is there: three groups, and the users that have an account of Unix as well
rap code=47 "WrLeh" "B21" args=hex:0000+hex:401f -> rap=0 count=3 data="ADMINS"+hex:00*15+"GUESTS"+hex:00*15+"USERS"+hex:00*16
rap code=53 "WrLeh" "B21" args=hex:0000+hex:401f -> rap=0 count=Users
rap code=52 "zWrLeh" "B21" args="users"+hex:00+hex:0000+hex:401f -> rap=0 count==Users
rap code=52 "zWrLeh" "B21" args="ADMINS"+hex:00+hex:0000+hex:401f -> rap=0 count=0
rap code=52 "zWrLeh" "B21" args="none"+hex:00+hex:0000+hex:401f -> rap=2220
rap code=59 "zWrLeh" "B21" args="nosuchuser"+hex:00+hex:0000+hex:401f -> rap=2221
rap code=59 "zWrLeh" "B21" args="nobody"+hex:00+hex:0000+hex:401f -> rap=0 count=1 data="USERS"+hex:00*16
rap code=47 "WrLeh" "B21" args=hex:0000+hex:2a00 -> rap=234 count=2 available=3
rap code=63 "WrLh" "zzzBBzz" args=hex:0a00+hex:401f -> rap=0
rap code=69 "WrLeh" "B13BWWWzzzzzWW" args=hex:0100+hex:401f -> rap=0
rap code=70 "zWrLh" "B13BWWWzzzzzWW" args="lp"+hex:00+hex:0100+hex:401f -> rap=0
rap code=76 "zWrLeh" "W" args="lp"+hex:00+hex:0000+hex:401f -> rap=0
rap code=74 "z" "" args="lp"+hex:00 -> rap=0
rap code=75 "z" "" args="lp"+hex:00 -> rap=0
rap code=84 "WrLeh" "B9" args=hex:0000+hex:401f -> rap=0
rap code=85 "zWrLh" "B9" args="lp"+hex:00+hex:0000+hex:401f -> rap=0
rap code=91 "rL" "DDBBBBWWBBWB" args=hex:401f -> rap=0
rap code=104 "WrLehDz" "B16BBDz" args=hex:0100+hex:401f+hex:ffffffff+"WORKGROUP"+hex:00 -> rap=0
rap code=104 "WrLehDO" "B16" args=hex:0000+hex:401f+hex:ffffffff -> rap=0
rap code=132 "OOWb54WrLh" "WB21BWDWWDDDDDDDzzzD" args=hex:0100+hex:00*54+hex:3600+hex:401f -> rap=0
rap code=133 "zzWb38WrLh" "WDW" args=hex:00+hex:00+hex:0100+hex:00*38+hex:2600+hex:401f -> rap=0
rap code=215 "WrLehDzz" "B16BBDz" args=hex:0100+hex:401f+hex:ffffffff+"WORKGROUP"+hex:00+"A"+hex:00 -> rap=0
# a print job, seen
tree \\host\lp
nt_create "job" disp=2 access=0x12019f -> fid=F
write_andx F data="text" -> count=4
tree \\host\ipc$
rap code=76 "zWrLeh" "W" args="lp"+hex:00+hex:0000+hex:401f -> rap=0 count=1 data[0:2]=1
rap code=77 "WWrLh" "WWzWWDDzz" args=hex:0100+hex:0200+hex:401f -> rap=0
