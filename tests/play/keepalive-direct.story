# Keepalive frames are taken on any port, at any time, without an answer.
connect; keepalive
negotiate "NT LM 0.12"; keepalive
session guest; keepalive; keepalive
echo "x" -> count=1
