#!/usr/bin/env python3
"""io_day.py HOST PORT FOLDER FULL: bytes under bad conditions.  Shares: direct (FOLDER, with sendfile), copied (the same
FOLDER, without), full (FULL, a file system of about a megabyte; "-": there is none).  Files are cut while they are read,
the disk fills while it is written: every answer is in its place, what was acknowledged is there."""
import os, socket, struct, sys, threading, time
from smb1wire import Conn, Tally

host, port, folder, full = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
t = Tally()
THROUGH = 1


def login(share, caps=0x4050):
    c = Conn(host, port, "SERVER", "IO")
    c.negotiate(["NT LM 0.12"])
    words = struct.pack("<BBHHHHIHHII", 0xff, 0, 0, 65535, 16, 1, 0, 1, 0, 0, caps)
    c.uid = c.call(0x73, words, b"\0nosuchuser\0WG\0Unix\0io\0").uid
    c.tid = c.call(0x75, struct.pack("<BBHHH", 0xff, 0, 0, 0, 1),
                   b"\0\\\\SERVER\\" + share.encode() + b"\0?????\0").tid
    return c


def create(c, name, disposition=5, oplock=0):
    words = struct.pack("<BBHBHIIIQIIIIIB", 0xff, 0, 0, 0, len(name), oplock, 0, 0x12019f, 0, 0x80, 7, disposition, 0, 2, 0)
    r = c.call(0xa2, words, name.encode() + b"\0")
    t.fine(r, "create %s" % name)
    c.last = r
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


def await_size(path, size):
    """The file as it is when it has got that long, or after a second."""
    for _ in range(100):
        if os.path.getsize(path) >= size:
            break
        time.sleep(0.01)
    with open(path, "rb") as f:
        return f.read()


def on_its_way(c, first, path, size, rest, name):
    """A frame whose end is not here yet: what is here is in the file already; nothing is answered before the end comes."""
    c.sock.sendall(first)
    have = await_size(path, size)
    c.sock.sendall(rest)
    return t.check(len(have) == size, name, "%d bytes" % len(have))


def straight_to_the_file():
    """`min receivefile size`: long writes go to the file while they come."""
    c = login("direct")
    path = os.path.join(folder, "d.dat")
    fid = create(c, "d.dat")
    data = bytes(range(256)) * 240
    m = write_message(c, fid, 0, data)
    on_its_way(c, m[:20000], path, 20000 - (len(m) - len(data)), m[20000:], "WRITE_ANDX: the first part is in the file")
    r = c.recv()
    t.same((r.err, r.w(2)), ((0, 0), len(data)), "... answered when all is there")
    t.same(await_size(path, len(data)), data, "... which it is")
    m = write_message(c, fid, 1000, data, THROUGH)
    c.sock.sendall(m[:5000]); time.sleep(0.05); c.sock.sendall(m[5000:] + m)
    t.same([c.recv().w(2) for _ in (1, 2)], [len(data)] * 2, "... write-through, another right behind it")
    t.same(await_size(path, 0), data[:1000] + data, "... they are there")

    r = c.call(0x1d, struct.pack("<HHHIIHIHH", fid, 60000, 0, 200000, 0, THROUGH, 0, 0, 0))
    t.fine(r, "WRITE_RAW: go on")
    m = struct.pack(">I", 60000) + data[:60000]
    on_its_way(c, m[:30004], path, 230000, m[30004:], "... the first part is in the file")
    r = c.recv()
    t.same((r.err, r.w(0)), ((0, 0), 60000), "... answered when all is there")
    t.same(await_size(path, 260000)[200000:], data[:60000], "... which it is")
    c.call(0x04, struct.pack("<HI", fid, 0))

    other = login("direct")
    fid2, fid = create(other, "d.dat", 1), create(c, "d.dat", 1)
    t.fine(other.call(0x24, struct.pack("<BBHHBBIHH", 0xff, 0, 0, fid2, 0, 0, 0, 0, 1), struct.pack("<HII", 9, 50000, 1)),
           "another client locks a byte")
    for off, err, name in ((0, (1, 33), "refused for a lock (1/33)"), (100000, (0, 0), "elsewhere it is not")):
        m = write_message(c, fid, off, b"n" * len(data))
        c.sock.sendall(m[:9000]); time.sleep(0.05); c.sock.sendall(m[9000:])
        t.same(c.recv().err, err, "a write in parts: " + name)
        echo(c, "... and all in step")
    t.same(await_size(path, 0)[:1000], data[:1000], "... nothing of the refused one was written")
    other.close()
    m = write_message(c, 4711, 0, data)
    c.sock.sendall(m[:9000]); time.sleep(0.05); c.sock.sendall(m[9000:])
    t.same(c.recv().err, (1, 6), "no such FID (1/6)")
    echo(c, "... and all in step")

    m = write_message(c, fid, 300000, data)
    c.sock.sendall(m[:30000]); time.sleep(0.05); c.sock.close()
    c = login("direct")
    data = await_size(path, 300000 + 30000 - 63)
    t.check(300000 < len(data) < 300000 + 30000, "a client that leaves in the middle: the first part is there", str(len(data)))
    fid = create(c, "d.dat", 1)
    c.sock.sendall(write_message(c, fid, 0, data[:60000])[:30000])
    began = time.monotonic()
    c.sock.settimeout(20)
    t.same(c.sock.recv(1), b"", "one that stops in the middle is cut off (`smb1d: stall timeout`)")
    t.check(1.5 < time.monotonic() - began < 15, "... when the time is over", "%.1f s" % (time.monotonic() - began))
    os.unlink(path)


def cached_meanwhile():
    """Who gets a level II oplock, and reads, while a write is half here hears of it when all is there."""
    c, other = login("direct"), login("direct", 0x40d0)
    path = os.path.join(folder, "m.dat")
    fid = create(c, "m.dat")
    other.sock.settimeout(5)
    for raw in (False, True):
        if raw:
            c.call(0x1d, struct.pack("<HHHIIHIHH", fid, 60000, 0, 0, 0, THROUGH, 0, 0, 0))
            m = struct.pack(">I", 60000) + b"r" * 60000
        else:
            m = write_message(c, fid, 0, b"w" * 61440)
        c.sock.sendall(m[:30000]); time.sleep(0.05)
        fid2, reply = create(other, "m.dat", 1, 2), other.last
        t.same(reply.raw[37], 3, "%s half here: another client gets level II" % ("WRITE_RAW" if raw else "WRITE_ANDX"))
        c.sock.sendall(m[30000:])
        t.fine(c.recv(), "... the other half")
        try:
            t.same(other.recv().cmd, 0x24, "... which ends that oplock")
        except OSError:
            t.check(False, "... which ends that oplock", "nothing came")
            break
        other.call(0x04, struct.pack("<HI", fid2, 0))
    c.close()
    other.close()
    os.unlink(path)


def locked_meanwhile():
    """Who gets a lock while a write is half here: the bytes he has locked stay as they are."""
    c, other = login("direct"), login("direct")
    path = os.path.join(folder, "k.dat")
    fid = create(c, "k.dat")
    fid2 = create(other, "k.dat", 1)
    old = b"o" * 100000

    def lock(at, unlock=False):
        return other.call(0x24, struct.pack("<BBHHBBIHH", 0xff, 0, 0, fid2, 0, 0, 0, unlock, not unlock),
                          struct.pack("<HII", 9, at, 1))

    def begin(raw, n, sent):
        with open(path, "wb") as f:
            f.write(old)
        if raw:
            c.call(0x1d, struct.pack("<HHHIIHIHH", fid, n, 0, 0, 0, THROUGH, 0, 0, 0))
            m, head = struct.pack(">I", n) + b"r" * n, 4
        else:
            m = write_message(c, fid, 0, b"r" * n)
            head = len(m) - n
        c.sock.sendall(m[:head + sent])
        time.sleep(0.05)
        return m[head + sent:]

    for raw, n, sent, at, err, name in (
            (False, 61440, 30000, 50000, (0, 0), "WRITE_ANDX half here"),
            (False, 61440, 0, 50000, (1, 33), "WRITE_ANDX, its head here"),
            (True, 60000, 30000, 50000, (1, 33), "WRITE_RAW half here"),
            (True, 30000, 0, 20000, (1, 33), "WRITE_RAW, a short one, nothing here yet")):
        rest = begin(raw, n, sent)
        t.fine(lock(at), name + ": another client locks a byte that is still to come")
        c.sock.sendall(rest)
        r = c.recv()
        t.same((r.err, r.w(2) if r.err == (0, 0) else sent), (err, sent), "... the answer")
        t.same(await_size(path, 0), b"r" * sent + old[sent:], "... what had come is written, the rest is not")
        echo(c, "... and all in step")
        t.fine(lock(at, True), "... unlock")
    rest = begin(False, 61440, 30000)
    t.fine(lock(10000), "one that has come is locked")
    c.sock.sendall(rest)
    r = c.recv()
    t.same((r.err, r.w(2)), ((0, 0), 61440), "... the rest is written")
    c.close()
    other.close()
    os.unlink(path)


def slow_but_moving():
    """The stall timeout (2 s) is for clients that stop: 5000 bytes a second are a slow line, not a stop."""
    c = login("direct")
    fid = create(c, "slow.dat")
    for size, name in ((30000, "a long write over a slow line"), (61440, "one that goes straight to the file")):
        m, at = write_message(c, fid, 0, b"s" * size), 3000
        c.sock.sendall(m[:at])
        for _ in range(4):
            time.sleep(1)
            c.sock.sendall(m[at:at + 5000])
            at += 5000
        c.sock.sendall(m[at:])
        t.same(c.recv().w(2), size, name)
    c.call(0x04, struct.pack("<HI", fid, 0))
    c.close()
    os.unlink(os.path.join(folder, "slow.dat"))


def disk_full_in_parts():
    c = login("full")
    fid = create(c, "p.dat")
    block, have, err, n = bytes(range(256)) * 240, 0, (0, 0), 0
    while err == (0, 0) and n < 60:
        m = write_message(c, fid, have, block)
        c.sock.sendall(m[:3000]); time.sleep(0.02); c.sock.sendall(m[3000:])
        r = c.recv()
        err, n, have = r.err, n + 1, have + (r.w(2) if r.err == (0, 0) else 0)
    t.same(err, (1, 112), "writes in parts, a disk that fills: disk full (1/112)")
    echo(c, "... and all in step")
    with open(os.path.join(full, "p.dat"), "rb") as f:
        got = f.read()
    t.check(have > len(block) and got[:have] == (block * n)[:have], "... what was acknowledged is there", "%d of %d" % (len(got), have))
    r = c.call(0x1d, struct.pack("<HHHIIHIHH", fid, 60000, 0, have, 0, THROUGH, 0, 0, 0))
    m = struct.pack(">I", 60000) + block[:60000]
    c.sock.sendall(m[:30004]); time.sleep(0.05); c.sock.sendall(m[30004:])
    t.same(c.recv().err, (1, 112), "a raw write in parts: disk full (1/112)")
    echo(c, "... and all in step")
    c.call(0x04, struct.pack("<HI", fid, 0))
    t.fine(c.call(0x06, struct.pack("<H", 6), b"\x04p.dat\0"), "... and make room")
    c.close()


t.section("messages in pieces", in_pieces)
t.section("straight to the file", straight_to_the_file)
t.section("cached meanwhile", cached_meanwhile)
t.section("locked meanwhile", locked_meanwhile)
t.section("a slow line", slow_but_moving)
t.section("with sendfile", cut_while_read, "direct")
t.section("without sendfile", cut_while_read, "copied")
if full != "-":
    t.section("writes in flight", disk_full_andx)
    t.section("raw writes", disk_full_raw)
    t.section("writes in parts", disk_full_in_parts)
sys.exit(t.end())
