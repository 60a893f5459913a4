# RAP: descriptors nobody knows, levels that are not there, names that are none.
config {
[lp]
path = @DIR@/share
printable = yes
guest ok = yes
}
connect; negotiate "NT LM 0.12"; session guest; tree \\host\ipc$
rap code=1 "zWrLh" "X9" args="share"+hex:00+hex:0100+hex:401f -> rap=50
rap code=13 "WrLh" "X9" args=hex:0100+hex:401f -> rap=50
rap code=56 "zWrLh" "X9" args="anna"+hex:00+hex:0a00+hex:401f -> rap=50
rap code=63 "WrLh" "X9" args=hex:0a00+hex:401f -> rap=50
rap code=69 "WrLeh" "X9" args=hex:0100+hex:401f -> rap=50
rap code=70 "zWrLh" "X9" args="lp"+hex:00+hex:0100+hex:401f -> rap=50
rap code=76 "zWrLeh" "X9" args="lp"+hex:00+hex:0000+hex:401f -> rap=50
rap code=84 "WrLeh" "X9" args=hex:0000+hex:401f -> rap=50
rap code=85 "zWrLh" "X9" args="lp"+hex:00+hex:0000+hex:401f -> rap=50
rap code=91 "rL" "X9" args=hex:401f -> rap=50
rap code=104 "WrLehDz" "X9" args=hex:0100+hex:401f+hex:ffffffff+"WORKGROUP"+hex:00 -> rap=50
rap code=104 "WrLehDO" "X9" args=hex:0000+hex:401f+hex:ffffffff -> rap=50
rap code=132 "OOWb54WrLh" "X9" args=hex:0100+hex:00*54+hex:3600+hex:401f -> rap=50
rap code=133 "zzWb38WrLh" "X9" args=hex:00+hex:00+hex:0100+hex:00*38+hex:2600+hex:401f -> rap=50
rap code=215 "WrLehDzz" "X9" args=hex:0100+hex:401f+hex:ffffffff+"WORKGROUP"+hex:00+"A"+hex:00 -> rap=50
rap code=1 "zWrLh" "B13BWz" args="none"+hex:00+hex:0100+hex:401f -> rap=2310
rap code=1 "zWrLh" "B13BWz" args="share"+hex:00+hex:6300+hex:401f -> rap=124
rap code=6 "WrLeh" "zzWWWDDD" args=hex:6300+hex:401f -> rap=124
rap code=7 "zWrLh" "zzWWWDDD" args="x"+hex:00+hex:0100+hex:401f -> rap=2312
rap code=56 "zWrLh" "B21Bzzz" args="anna"+hex:00+hex:0a00+hex:401f -> rap=2221
rap code=70 "zWrLh" "B13BWWWzzzzzWW" args="none"+hex:00+hex:0100+hex:401f -> rap=2150
rap code=77 "WWrLh" "WWzWWDDzz" args=hex:6300+hex:0200+hex:401f -> rap=2151
rap code=85 "zWrLh" "B9" args="none"+hex:00+hex:0000+hex:401f -> rap=2152
rap code=132 "OOWb54WrLh" "WB21BWDWWDDDDDDDzzzD" args=hex:0100+hex:00*54+hex:3600+hex:401f -> rap=5
# accounts are no business of guests
rap code=53 "WrLeh" "B21" args=hex:0000+hex:401f -> rap=5
rap code=47 "WrLeh" "B21" args=hex:0000+hex:401f -> rap=5
rap code=52 "zWrLeh" "B21" args="USERS"+hex:00+hex:0000+hex:401f -> rap=5
rap code=59 "zWrLeh" "B21" args="anna"+hex:00+hex:0000+hex:401f -> rap=5
rap code=53 "WrLeh" "X9" args=hex:0000+hex:401f -> rap=50
rap code=53 "WrLeh" "B21" args=hex:0100+hex:401f -> rap=124
# cut short
rap code=1 "zWrLh" "B13BWz" args="share" -> error INVALID_PARAMETER
# calls we do not serve
rap code=3 "WrLh" "B16" args=hex:0000+hex:401f -> rap=50
rap code=74 "z" "" args="none"+hex:00 -> rap=2150
rap code=75 "z" "" args="none"+hex:00 -> rap=2150
rap code=81 "WrLh" "B16" args=hex:0000+hex:401f -> rap=50
rap code=82 "WrLh" "B16" args=hex:0000+hex:401f -> rap=50
rap code=83 "WrLh" "B16" args=hex:0000+hex:401f -> rap=50
rap code=103 "WrLh" "B16" args=hex:0000+hex:401f -> rap=50
rap code=115 "WrLh" "B16" args=hex:0000+hex:401f -> rap=50
rap code=147 "WrLh" "B16" args=hex:0000+hex:401f -> rap=50
rap code=214 "WrLh" "B16" args=hex:0000+hex:401f -> rap=50
