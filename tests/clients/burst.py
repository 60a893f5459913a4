#!/usr/bin/env python3
"""burst.py HOST PORT N: N clients log in at the same moment, as after a power cut; every one must be served.

NEGOTIATE goes to all, then SESSION_SETUP (13 words, an unknown user, who becomes a guest) to all before the first
answer is read.  (Descriptors on their way between processes are limited by user: the N-th hand-over once failed.)"""
import socket, struct, sys


def frame(cmd, words, data, flags2=0x4001):
    smb = b"\xffSMB" + bytes([cmd]) + b"\0" * 4 + b"\x18" + struct.pack("<H", flags2) + b"\0" * 12
    smb += struct.pack("<HHHH", 0, 1, 0, 1) + bytes([len(words) // 2]) + words + struct.pack("<H", len(data)) + data
    return struct.pack(">I", len(smb)) + smb


def answer(s):
    head = b""
    while len(head) < 4:
        got = s.recv(4 - len(head))
        if not got:
            return None
        head += got
    left, body = struct.unpack(">I", head)[0], b""
    while len(body) < left:
        got = s.recv(left - len(body))
        if not got:
            return None
        body += got
    return body


def main():
    host, port, n = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    clients = [socket.create_connection((host, port), timeout=30) for _ in range(n)]
    for s in clients:
        s.sendall(frame(0x72, b"", b"\x02NT LM 0.12\0"))
    good = sum(1 for s in clients if answer(s))
    setup = struct.pack("<BBHHHHIHHII", 0xff, 0, 0, 16644, 1, 1, 0, 24, 0, 0, 0x50)
    for s in clients:
        s.sendall(frame(0x73, setup, b"\x11" * 24 + b"nosuchuser\0WORKGROUP\0Unix\0burst\0"))
    served = 0
    for s in clients:
        a = answer(s)
        served += bool(a) and a[5:9] == b"\0\0\0\0"
    print(f"{good} negotiated, {served} of {n} logged in")
    return 0 if served == n else 1


sys.exit(main())
