"""Clients that are refused, for `smb1ctl why` to tell.
usage: why.py PORT many | half | smb2 | long | hold SHARE | tree SHARE [USER PASSWORD] | attributes SHARE FILE BITS TIME | close SHARE FILE TIME
Who says no name is a guest."""
import socket
import struct
import sys
import time
from smb1wire import Conn, Broken, lm_response, oem, path

PORT, WHAT = int(sys.argv[1]), sys.argv[2]


def login(user="nobodyknows", password="x"):
    c = Conn("127.0.0.1", PORT, "*SMBSERVER", "WHY")
    pw = lm_response(password, c.negotiate(["LANMAN1.0"]).data[:8])
    r = c.call(0x73, struct.pack("<BBHHHHIHI", 0xff, 0, 0, 4000, 2, 1, 0, len(pw), 0), pw + oem(user) + oem("W"))
    c.uid = struct.unpack_from("<H", r.raw, 28)[0]
    return c


if WHAT == "many":
    kept = []
    for _ in range(3):
        try:
            kept.append(login())
        except (Broken, OSError) as e:
            print("refused:", e)
    time.sleep(0.3)
elif WHAT == "half":
    c = login()
    c.sock.sendall(b"\0\0\0\x64\xffSMB")
    time.sleep(3)
elif WHAT in ("smb2", "long"):
    s = socket.create_connection(("127.0.0.1", PORT))
    s.sendall(b"\0\0\0\x40\xfeSMB" + b"\0" * 60 if WHAT == "smb2" else b"\0\xff\xff\xff\xffSMB")
    s.settimeout(5)
    print(s.recv(1))
    time.sleep(0.3)
else:
    c = login(*sys.argv[4:6]) if WHAT == "tree" else login()
    r = c.call(0x75, struct.pack("<BBHHH", 0xff, 0, 0, 0, 1), b"\0" + oem("\\\\HOST\\" + sys.argv[3]) + oem("?????"))
    print(r.err, flush=True)
    c.tid = r.tid
    if WHAT == "hold":
        time.sleep(2)
    if WHAT == "attributes":
        bits, when = int(sys.argv[5], 0), int(sys.argv[6])
        print(c.call(0x09, struct.pack("<HI10x", bits, when), path("\\" + sys.argv[4]) + path("")).err)
    elif WHAT == "close":
        r = c.call(0x02, struct.pack("<HH", 2, 0), path("\\" + sys.argv[4]))
        print(r.err, c.call(0x04, r.words[:2] + struct.pack("<I", int(sys.argv[5])), b"").err)
