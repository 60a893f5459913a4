# `reset on zero vc`: a first login with VC number 0 ends the other connections from its address; a guest, or nobody, who
# has proved nothing, ends those of guests only: behind one address there may be many machines.
config {
reset on zero vc = yes
}
connect; negotiate "NT LM 0.12"
7: connect; 7: negotiate "NT LM 0.12"; 7: session user anna secret1; 7: tree \\host\share
2: connect; 2: negotiate "NT LM 0.12"; 2: session guest; 2: tree \\host\share
3: connect; 3: negotiate "NT LM 0.12"; 3: session anonymous vc=0
2: listen -> closed=1
7: echo "still here"
4: connect; 4: negotiate "NT LM 0.12"; 4: session guest vc=0
7: echo "still here"
# a wrong password ends nobody, the right one does
5: connect; 5: negotiate "NT LM 0.12"; 5: session user bob wrong vc=0 -> error LOGON_FAILURE
7: echo "still here"
5: session user bob secret2 vc=1
7: echo "still here"
6: connect; 6: negotiate "NT LM 0.12"; 6: session user bob secret2 vc=0
7: listen -> closed=1
4: listen -> closed=1
6: echo "new"
