#!/usr/bin/env python3
"""io_day.py HOST PORT FOLDER FULL: bytes under bad conditions.  Shares: direct (FOLDER, with sendfile), copied (the same
FOLDER, without), full (FULL, a file system of about a megabyte; "-": there is none).  Files are cut while they are read,
the disk fills while it is written: every answer is in its place, what was acknowledged is there."""
import os, socket, struct, sys, threading, time
from smb1wire import Conn, Tally

host, port, folder, full = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
t = Tally()
THROUGH = 1


def login(share):
    c = Conn(host, port, "SERVER", "IO")
    c.negotiate(["NT LM 0.12"])
    words = struct.pack("<BBHHHHIHHII", 0xff, 0, 0, 65535, 16, 1, 0, 1, 0, 0, 0x4050)
    c.uid = c.call(0x73, words, b"\0nosuchuser\0WG\0Unix\0io\0").uid
    c.tid = c.call(0x75, struct.pack("<BBHHH", 0xff, 0, 0, 0, 1),
                   b"\0\\\\SERVER\\" + share.encode() + b"\0?????\0").tid
    return c


def create(c, name, disposition=5):
    words = struct.pack("<BBHBHIIIQIIIIIB", 0xff, 0, 0, 0, len(name), 0, 0, 0x12019f, 0, 0x80, 7, disposition, 0, 2, 0)
    r = c.call(0xa2, words, name.encode() + b"\0")
    t.fine(r, "create %s" % name)
    return struct.unpack_from("<H", r.raw, 33 + 5)[0]


def echo(c, name):
    r = c.call(0x2b, struct.pack("<H", 1), b"in step")
    t.same(r.data, b"in step", name)


def write_message(c, fid, off, data, mode=0):
    words = struct.pack("<BBHHIIHHHHH", 0xff, 0, 0, fid, off, 0, mode, 0, len(data) >> 16, len(data) & 0xffff, 59)
    m = c.message(0x2f, words, data)
    return struct.pack(">I", len(m)) + m


def read_words(fid, off, n):
    return struct.pack("<BBHHIHHIH", 0xff, 0, 0, fid, off, n, 0, 0xffffffff, 0)


class Cutter(threading.Thread):
    """A local program that cuts a file and makes it long again, over and over."""

    def __init__(self, path, size):
        super().__init__(daemon=True)
        self.path, self.size, self.stop, self.rounds = path, size, False, 0

    def run(self):
        fd = os.open(self.path, os.O_RDWR)
        while not self.stop:
            os.ftruncate(fd, (self.rounds * 7919) % self.size)
            os.ftruncate(fd, self.size)
            os.pwrite(fd, b"x" * self.size, 0)
            self.rounds += 1
        os.close(fd)


def cut_while_read(share):
    size = 1 << 20
    path = os.path.join(folder, "cut.dat")
    with open(path, "wb") as f:
        f.write(b"x" * size)
    os.chmod(path, 0o666)
    c = login(share)
    fid = create(c, "cut.dat", 1)
    cutter = Cutter(path, size)
    cutter.start()
    good = True
    for i in range(600):
        off = (i * 61440 + i % 5 * 37) % size
        if i % 3 == 2: # raw: one frame without a header, 0 bytes mean "ask again in the other way"
            c.send(0x1a, struct.pack("<HIHHIH", fid, off, 65535, 0, 0, 0))
            data = c.raw_recv()
            good &= len(data) <= 65535 and not data.strip(b"x\0")
        else:
            r = c.call(0x2e, read_words(fid, off, 61440))
            good &= r.err == (0, 0) and len(r.data) >= r.w(5) and not r.data[-r.w(5):].strip(b"x\0") if r.w(5) else True
    cutter.stop = True
    cutter.join()
    t.check(good, "%s: 600 reads of a file that is cut meanwhile (%d times)" % (share, cutter.rounds))
    t.check(cutter.rounds > 3, "... which it was", str(cutter.rounds))
    echo(c, "... and all in step")
    c.close()
    os.unlink(path)


def disk_full_andx():
    c = login("full")
    fid = create(c, "a.dat")
    have, refused, block = 0, None, bytes(range(256)) * 240
    out = b"".join(write_message(c, fid, len(block) * i, block) for i in range(40))
    sender = threading.Thread(target=c.sock.sendall, args=(out,), daemon=True)
    sender.start()
    acknowledged = []
    for _ in range(40):
        r = c.recv()
        if r.err == (0, 0):
            acknowledged.append(r.w(2) | r.w(4) << 16)
        else:
            refused = refused or r.err
    sender.join()
    t.check(len(acknowledged) < 40 and refused == (1, 112), "40 writes in flight, a disk that fills: disk full (1/112)",
            "%d acknowledged, %s" % (len(acknowledged), refused))
    echo(c, "... and all in step")
    with open(os.path.join(full, "a.dat"), "rb") as f:
        data = f.read()
    whole = sum(1 for n in acknowledged if n == len(block))
    t.check(whole > 0 and data[:whole * len(block)] == block * whole, "... what was acknowledged is there")
    t.fine(c.call(0x04, struct.pack("<HI", fid, 0)), "... close")
    t.fine(c.call(0x06, struct.pack("<H", 6), b"\x04a.dat\0"), "... and make room")
    c.close()


def raw_write(c, fid, off, data, mode):
    """The error of the request, or that of the last answer (None where there is none)."""
    r = c.call(0x1d, struct.pack("<HHHIIHIHH", fid, len(data), 0, off, 0, mode, 0, 0, 0))
    if r.err != (0, 0):
        return r.err
    c.raw_send(data)
    if not mode & THROUGH:
        return None
    return c.recv().err


def disk_full_raw():
    c = login("full")
    fid = create(c, "b.dat")
    block, err, n = b"r" * 65000, (0, 0), 0
    while err == (0, 0) and n < 60:
        err = raw_write(c, fid, n * len(block), block, THROUGH)
        n += 1
    t.same(err, (1, 112), "raw write, write-through, a disk that fills: disk full (1/112)")
    echo(c, "... and all in step")
    raw_write(c, fid, n * len(block), block, 0)
    r = c.call(0x0b, struct.pack("<HHIH", fid, 1, 0, 0), b"\x01\x01\0x")
    t.same(r.err, (1, 112), "raw write that nobody waits for: the next command with the FID tells")
    echo(c, "... and all in step")
    c.call(0x04, struct.pack("<HI", fid, 0))
    t.fine(c.call(0x06, struct.pack("<H", 6), b"\x04b.dat\0"), "... and make room")
    c.close()


def in_pieces():
    """A client that sends a message in pieces and each only when what went before is acknowledged (Nagle)."""
    c = login("direct")
    c.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 0)
    for _ in range(50): # until the kernel takes it for a dialogue, in which acknowledgements may wait for an answer
        c.call(0x2b, struct.pack("<H", 1), b"x")
    took = []
    for _ in range(9):
        m = c.message(0x2b, struct.pack("<H", 1), b"in step")
        frame, began = struct.pack(">I", len(m)) + m, time.monotonic()
        for piece in (frame[:4], frame[4:40], frame[40:]):
            c.sock.send(piece)
        t.same(c.recv().data, b"in step", "a message in three pieces")
        took.append(time.monotonic() - began)
    t.check(sorted(took)[4] < 0.03, "... is not held up by acknowledgements", "%.1f ms" % (sorted(took)[4] * 1000))
    c.close()


t.section("messages in pieces", in_pieces)
t.section("with sendfile", cut_while_read, "direct")
t.section("without sendfile", cut_while_read, "copied")
if full != "-":
    t.section("writes in flight", disk_full_andx)
    t.section("raw writes", disk_full_raw)
sys.exit(t.end())
