# Quotas of the file system are told to administrators.
config {
admin users = anna
}
connect; negotiate "NT LM 0.12"; session user anna secret1; tree \\host\share
trans2 qfs level=1006 -> count_d=48
tdis; session user bob secret2; tree \\host\share
trans2 qfs level=1006 -> error ACCESS_DENIED
