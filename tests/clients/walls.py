#!/usr/bin/env python3
"""One NT1 connection on which several users log in, for walls.sh.

usage: walls.py HOST PORT STEP...     steps, in order, one line of output each:
  user:NAME:PASSWORD   a session setup; its UID is used from now on      as:NAME   that of an earlier one
  tree:SHARE           a tree connect                                     in:SHARE  that of an earlier one
  put:FILE             makes the file, writes its name into it
  get:FILE             reads it                                           wait:FLAG until the file FLAG is there
  beside:SHARE         a tree connect and, before it is answered, an echo: which answer comes first, and how soon
  cancel:SHARE         a tree connect, and a cancel of it
  disks                the same of two questions for size and room      canceldisk  a question, and a cancel of it
  statfs               size and room by TRANSACTION2
  print:TITLE          a print job; begin:TITLE and finish  its two halves, the last by who began it
  attr:FILE:BITS:TIME  sets DOS attributes and time of writing (seconds of the server's clock; 0: leaves it)
"""
import os
import struct
import sys
import time

from smb1wire import Conn, lm_response, oem


class Client:
    def __init__(self, host, port):
        self.c = Conn(host, port, "SMBTEST", "WALLS", 0x4001)  # NT statuses, long names, no Unicode
        r = self.c.negotiate(["NT LM 0.12"])
        self.challenge = r.data[:8]
        self.uids, self.tids, self.job = {}, {}, None

    def user(self, name, password):
        pw = lm_response(password, self.challenge)
        w = struct.pack("<HHHIHHII", 16644, 10, 1, 0, len(pw), 0, 0, 0x50)
        r = self.c.chain([(0x73, w, pw + oem(name) + oem("") + oem("Unix") + oem("walls"))], uid=0, tid=0)
        if r.raw[5:9] == b"\0\0\0\0":
            self.c.uid = self.uids[name] = r.uid
        return r

    def as_(self, name):
        self.c.uid = self.uids[name]
        return None

    def tree(self, share):
        r = self.c.chain([(0x75, struct.pack("<HH", 0, 1), b"\0" + oem("\\\\SMBTEST\\" + share.upper())
                           + oem("?????"))])
        if r.raw[5:9] == b"\0\0\0\0":
            self.c.tid = self.tids[share] = r.tid
        return r

    def in_(self, share):
        self.c.tid = self.tids[share]
        return None

    def open(self, name, access, disposition):
        path = name.encode("cp850") + b"\0"
        w = struct.pack("<BHIIIQIIIIIB", 0, len(path) - 1, 0, 0, access, 0, 0x80, 7, disposition, 0x40, 2, 0)
        r = self.c.chain([(0xa2, w, path)])
        return r, struct.unpack_from("<H", r.words, 5)[0] if len(r.words) > 12 else 0

    def put(self, name):
        r, fid = self.open(name, 0x12019f, 5)
        if r.raw[5:9] != b"\0\0\0\0":
            return r
        data = name.encode()
        w = struct.pack("<HIIHHHHHI", fid, 0, 0, 0, 0, 0, len(data), 64, 0)
        r = self.c.chain([(0x2f, w, b"\0" + data)])
        self.c.call(0x04, struct.pack("<HI", fid, 0))
        return r

    def get(self, name):
        r, fid = self.open(name, 0x120089, 1)
        if r.raw[5:9] == b"\0\0\0\0":
            self.c.call(0x04, struct.pack("<HI", fid, 0))
        return r

    def attr(self, name, attrs, seconds):
        w = struct.pack("<HI10x", int(attrs, 0), int(seconds))
        return self.c.call(0x09, w, b"\x04" + oem(name))

    def start_tree(self, share):
        return self.c.send(0x75, struct.pack("<BBHHH", 0xff, 0, 0, 0, 1), b"\0" + oem("\\\\SMBTEST\\" + share.upper())
                           + oem("?????"), tid=0)

    def beside(self, share):
        began = time.monotonic()
        mid = self.start_tree(share)
        self.c.send(0x2b, struct.pack("<H", 1), b"?")
        first = self.c.recv()
        took = time.monotonic() - began
        last = self.c.recv()
        print("%s first, %s; the other after %.1f s" % ("tree" if first.mid == mid else "echo",
                                                     "soon" if took < 1 else "late", time.monotonic() - began))
        return last

    def cancel(self, share):
        mid = self.start_tree(share)
        time.sleep(0.3)
        self.c.send(0xa4, b"", b"", mid=mid, tid=0)
        return self.c.recv()

    def begin(self, title):
        r = self.c.call(0xc0, struct.pack("<HH", 0, 1), b"\x04" + oem(title))
        if r.raw[5:9] == b"\0\0\0\0":
            self.job = struct.unpack_from("<H", r.words)[0], {"uid": self.c.uid, "tid": self.c.tid}
            self.c.call(0xc1, struct.pack("<H", self.job[0]), b"\x01" + struct.pack("<H", 4) + b"page")
        return r

    def finish(self):
        fid, who = self.job
        return self.c.call(0xc2, struct.pack("<H", fid), **who)

    def print(self, title):
        r = self.begin(title)
        return r if r.raw[5:9] != b"\0\0\0\0" else self.finish()

    def disk(self):
        """Size and room of the share's disk, as QUERY_INFORMATION_DISK has them, in bytes."""
        r = self.c.call(0x80)
        total, blocks, unit, free = struct.unpack_from("<4H", r.words)
        print("total %d free %d" % (total * blocks * unit, free * blocks * unit))
        return r

    def disks(self):
        began = time.monotonic()
        mids = [self.c.send(0x80), self.c.send(0x80)]
        self.c.send(0x2b, struct.pack("<H", 1), b"?")
        got = [(self.c.recv(), time.monotonic() - began) for _ in range(3)]
        print("%s first, %s; the others after %.1f s, total %s" % (
            "disk" if got[0][0].mid in mids else "echo", "soon" if got[0][1] < 1 else "late", got[2][1],
            " ".join(str(t * b * u) for t, b, u in (struct.unpack_from("<3H", r.words) for r, _ in got[1:]))))
        return got[2][0]

    def canceldisk(self):
        mid = self.c.send(0x80)
        time.sleep(0.3)
        self.c.send(0xa4, b"", b"", mid=mid)
        return self.c.recv()

    def statfs(self):
        r, _, d = self.c.trans2(3, struct.pack("<H", 0x103))
        total, free, sectors, unit = struct.unpack_from("<QQII", d)
        print("total %d free %d" % (total * sectors * unit, free * sectors * unit))
        return r

    def wait(self, flag):
        for _ in range(200):
            if os.path.exists(flag):
                return None
            time.sleep(0.05)
        sys.exit("no %s" % flag)


def main():
    c = Client(sys.argv[1], int(sys.argv[2]))
    for step in sys.argv[3:]:
        word, *args = step.split(":")
        r = getattr(c, word + "_" if word in ("as", "in") else word)(*args)
        status = 0 if r is None else struct.unpack_from("<I", r.raw, 5)[0]
        print("%s %08x" % (step, status), flush=True)


main()
