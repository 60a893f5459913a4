# Half a frame, a pause, the other half; two and a half at once.
connect; negotiate "NT LM 0.12"; session guest; tree \\host\share
set trickle=on
batch {
	getatr "\" -> attrs~0x10
	echo "half" -> data="half"
	getatr "none" -> error OBJECT_NAME_NOT_FOUND
}
