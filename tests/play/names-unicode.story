# Names beyond ASCII in both forms, long names and their aliases.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
nt_create "Grüße.txt" disp=2 -> fid=F; close F
host exists "Grüße.txt"
nt_create "GRÜSSE.TXT" -> error OBJECT_NAME_NOT_FOUND
nt_create "GRÜßE.TXT" -> fid=F; close F
nt_create "日本語" disp=2 -> fid=F; close F
trans2 find_first "日*" -> names="日本語"
set unicode=off
open_andx "Grüße.txt" -> fid=F; close F
set unicode=on
nt_create "a rather long name.text" disp=2 -> fid=F; close F
trans2 find_first "a rather*" -> short~"~"
trans2 qpath "a rather long name.text" level=0x108 -> name~"~"
