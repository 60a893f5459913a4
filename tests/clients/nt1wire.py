#!/usr/bin/env python3
"""A small NT1 client for tests that need several machines or local programs beside it: guest login, NT opens,
locks, oplock breaks.

As a program (nt1wire.py HOST PORT SHARE) it reads one call of Nt a line, a Python expression such as
`open("name", share=0)`, and prints its result as one line of JSON, so that it can run in another network
namespace."""
import json
import socket
import struct
import sys
import time

from smb1wire import Broken, Conn, oem

STATUS = 0x4000  # Flags2: NT status codes


class Nt(Conn):
    def __init__(self, host, port, share="share", user="nosuchuser", vc=1, caps=0xd0, system="Unix"):
        self.sock = socket.create_connection((host, port), 30)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.flags2, self.flags = STATUS | 1, 0
        self.tid = self.uid = 0
        self.pid, self.mid = 1, 0
        self.keepalives = self.largest = 0
        self.odd, self.breaks, self.early = [], [], {}
        self.negotiate(["NT LM 0.12"])
        words = struct.pack("<BBHHHHIHHII", 0xff, 0, 0, 16644, 50, vc, 0, 24, 0, 0, caps)
        r = self.call(0x73, words, b"\x11" * 24 + oem(user) + oem("WG") + oem(system) + oem("nt1wire"))
        self.must(r, "login")
        self.uid = r.uid
        r = self.call(0x75, struct.pack("<BBHHH", 0xff, 0, 0, 0, 1), b"\0" + oem("\\\\host\\" + share) + oem("?????"))
        self.must(r, "tree connect")
        self.tid = r.tid

    @staticmethod
    def status(r):
        return struct.unpack_from("<I", r.raw, 5)[0]

    def must(self, r, what):
        if self.status(r) != 0:
            raise Broken("%s: %08x" % (what, self.status(r)))

    def answer(self, mid):
        """The reply to this request; others, and breaks, are kept."""
        while mid not in self.early:
            r = self.recv()
            if r.mid == 0xffff and r.cmd == 0x24:
                self.breaks.append(struct.unpack_from("<H", r.words, 4)[0])
            else:
                self.early[r.mid] = r
        return self.early.pop(mid)

    def ask(self, cmd, words, data=b"", **over):
        return self.answer(self.send(cmd, words, data, **over))

    # --- what tests call; 0 or an NT status ---

    def start_open(self, name, access=0x12019f, share=7, disposition=3, oplock=0, options=0):
        """Sends NTCREATE_ANDX; oplock 1 exclusive, 2 batch.  Its MID."""
        flags = {0: 0, 1: 2, 2: 4}[oplock]
        words = struct.pack("<BBHBHIIIQIIIIIB", 0xff, 0, 0, 0, len(name), flags, 0, access, 0, 0x80, share, disposition,
                            options, 2, 0)
        return self.send(0xa2, words, oem(name))

    def opened(self, mid):
        r = self.answer(mid)
        if self.status(r):
            return {"status": self.status(r)}
        return {"status": 0, "oplock": r.words[4], "fid": struct.unpack_from("<H", r.words, 5)[0]}

    def open(self, name, **how):
        """{status, fid, oplock} and ms it took."""
        began = time.monotonic()
        got = self.opened(self.start_open(name, **how))
        got["ms"] = int((time.monotonic() - began) * 1000)
        return got

    def close_file(self, fid):
        return self.status(self.ask(0x04, struct.pack("<HI", fid, 0)))

    def delete(self, name):
        return self.status(self.ask(0x06, struct.pack("<H", 0x16), b"\x04" + oem(name)))

    def start_lock(self, fid, start, length, shared=False, timeout=0, unlock=False, pid=1):
        large = start + length >= 1 << 32
        entry = (struct.pack("<HHIIII", pid, 0, start >> 32, start & 0xffffffff, length >> 32, length & 0xffffffff)
                 if large else struct.pack("<HII", pid, start, length))
        words = struct.pack("<BBHHBBIHH", 0xff, 0, 0, fid, shared | large << 4, 0, timeout, unlock, not unlock)
        return self.send(0x24, words, entry)

    def lock(self, *args, **how):
        began = time.monotonic()
        status = self.status(self.answer(self.start_lock(*args, **how)))
        return {"status": status, "ms": int((time.monotonic() - began) * 1000)}

    def posix_lock(self, fid, kind, start, length, pid=1, wait=False):
        """SET_FILE_INFORMATION level 0x208: kind 0 read, 1 write, 2 unlock."""
        data = struct.pack("<HHIQQ", kind, wait, pid, start, length)
        r, _, _ = self.trans2(8, struct.pack("<HHH", fid, 0x208, 0), data)
        return self.status(r)

    def posix_query(self, fid, kind, start, length, pid=1):
        """QUERY_FILE_INFORMATION level 0x208: (kind, pid, start, length)."""
        r, _, d = self.trans2(7, struct.pack("<HH", fid, 0x208), struct.pack("<HHIQQ", kind, 0, pid, start, length))
        if self.status(r):
            return self.status(r)
        kind, _, pid, start, length = struct.unpack_from("<HHIQQ", d)
        return [kind, pid, start, length]

    def unix(self, caps=0x1):
        """Asks for the UNIX extensions: locks among them."""
        r, _, _ = self.trans2(4, struct.pack("<HH", 0, 0x200), struct.pack("<HHQ", 1, 0, caps))
        return self.status(r)

    def write(self, fid, text, at=0):
        words = struct.pack("<BBHHIIHHHHH", 0xff, 0, 0, fid, at, 0, 0, 0, 0, len(text), 59)
        return self.status(self.ask(0x2f, words, text.encode()))

    def awaits_break(self, seconds):
        """The FID of an oplock break that came or comes within this time; None."""
        if not self.breaks and self.pending(seconds):
            r = self.recv()
            if r.mid == 0xffff:
                return struct.unpack_from("<H", r.words, 4)[0]
            self.early[r.mid] = r
        return self.breaks.pop(0) if self.breaks else None

    def acknowledge(self, fid):
        """Gives the oplock up; there is no answer."""
        self.send(0x24, struct.pack("<BBHHBBIHH", 0xff, 0, 0, fid, 2, 0, 0, 0, 0), b"")

    def echo(self):
        return self.status(self.ask(0x2b, struct.pack("<H", 1), b"?"))

    def port(self):
        return self.sock.getsockname()[1]


def main():
    more = dict(zip(("vc", "system"), sys.argv[4:]))
    client = Nt(sys.argv[1], int(sys.argv[2]), sys.argv[3], vc=int(more.pop("vc", 1)), **more)
    print(json.dumps(client.port()), flush=True)
    for line in sys.stdin:
        try:
            print(json.dumps(eval("client." + line)), flush=True)
        except (Broken, OSError) as e:
            print(json.dumps("broken: %s" % e), flush=True)


if __name__ == "__main__":
    main()
