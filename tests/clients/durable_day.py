#!/usr/bin/env python3
"""durable_day.py HOST PORT LOG FAIL: when does the server ask the disk?  LOG grows by a letter for each fsync (F) and
fdatasync (D) of the server; while there is a file FAIL they fail.  Shares: sync (the defaults), flush (`smb1d: write
through = flush`), never (`strict sync = no`), always (`sync always = yes`).  Guests are welcome."""
import os, struct, sys
from smb1wire import Conn, Tally

host, port, log, fail = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
t = Tally()
THROUGH = 1


def syncs():
    """What was asked for since the last call."""
    got = open(log).read()
    new, syncs.seen = got[syncs.seen:], len(got)
    return new


syncs.seen = 0


def login():
    c = Conn(host, port, "SERVER", "DURABLE")
    c.negotiate(["NT LM 0.12"])
    words = struct.pack("<BBHHHHIHHII", 0xff, 0, 0, 16644, 16, 1, 0, 1, 0, 0, 0x40)
    r = c.call(0x73, words, b"\0" + b"nosuchuser\0WG\0Unix\0durable\0")
    c.uid = r.uid
    return c


def tree(c, share):
    r = c.call(0x75, struct.pack("<BBHHH", 0xff, 0, 0, 0, 1), b"\0" + b"\\\\SERVER\\" + share.encode() + b"\0?????\0")
    c.tid = r.tid


def create(c, name, options=0):
    data = name.encode() + b"\0"
    words = struct.pack("<BBHBHIIIQIIIIIB", 0xff, 0, 0, 0, len(name), 0, 0, 0x12019f, 0, 0x80, 7, 5, options, 2, 0)
    r = c.call(0xa2, words, data)
    return struct.unpack_from("<H", r.raw, 33 + 5)[0]


def write_words(fid, off, n, mode):
    return struct.pack("<BBHHIIHHHHH", 0xff, 0, 0, fid, off, 0, mode, 0, 0, n, 59)


def write(c, fid, data, mode=0, off=0):
    return c.call(0x2f, write_words(fid, off, len(data), mode), data)


def close(c, fid):
    return c.call(0x04, struct.pack("<HI", fid, 0))


def flush(c, fid):
    return c.call(0x05, struct.pack("<H", fid))


def pipelined(c, fid, n, mode):
    """n writes in one send; the answers in the order they come."""
    out = b""
    for i in range(n):
        m = c.message(0x2f, write_words(fid, 512 * i, 512, mode), b"%c" % (65 + i) * 512)
        out += struct.pack(">I", len(m)) + m
    c.sock.sendall(out)
    return [c.recv() for _ in range(n)]


def each_share(share, want):
    """want: syncs for a plain write, a write-through one, one through a write-through handle, FLUSH, close."""
    c = login()
    tree(c, share)
    fid, wt = create(c, "a.dat"), create(c, "b.dat", options=2)
    syncs()
    got = []

    def step(answer):
        t.fine(answer, "%s: answered" % share)
        got.append(syncs())

    step(write(c, fid, b"x" * 100))
    step(write(c, fid, b"y" * 100, THROUGH))
    step(write(c, wt, b"z" * 100))
    step(flush(c, wt))
    write(c, wt, b"w" * 100)
    syncs()
    step(close(c, wt))
    t.same(got, want, "%s: the disk is asked" % share)
    t.fine(close(c, fid), "%s: closed" % share)
    c.close()


def in_flight():
    c = login()
    tree(c, "sync")
    fid = create(c, "many.dat")
    syncs()
    answers = pipelined(c, fid, 16, THROUGH)
    t.check(all(r.err == (0, 0) for r in answers), "16 write-through writes in flight: all answered")
    t.check(len({r.mid for r in answers}) == 16, "... each once")
    n = len(syncs())
    t.check(1 <= n <= 4, "... and they share the disk", "%d syncs" % n)
    open(fail, "w").close()
    bad = pipelined(c, fid, 4, THROUGH)
    os.unlink(fail)
    t.check(all(r.err != (0, 0) for r in bad), "a disk that fails: every one of them is told")
    t.fine(write(c, fid, b"1" * 10, THROUGH), "... and the next goes well")
    open(fail, "w").close()
    t.check(write(c, fid, b"2" * 10, THROUGH).err != (0, 0), "one alone is told, too")
    t.check(flush(c, fid).err != (0, 0), "and a FLUSH")
    os.unlink(fail)
    t.fine(close(c, fid), "closed")
    c.close()


def patterns():
    """How a handle will be read is passed on to the kernel; nothing is said where the client says nothing."""
    c = login()
    tree(c, "sync")
    syncs()
    for options, mode, want in ((4, 0x142, "S"), (0x800, 0x242, "R"), (0, 0x42, "")):
        close(c, create(c, "pattern.dat", options))
        t.same(syncs(), want, "create options 0x%x" % options)
        words = struct.pack("<BBHHHHHIHIII", 0xff, 0, 0, 0, mode, 0, 0, 0, 1, 0, 0, 0)
        r = c.call(0x2d, words, b"pattern.dat\0")
        t.fine(r, "OPEN_ANDX with access mode 0x%x" % mode)
        close(c, r.w(2))
        t.same(syncs(), want, "access mode 0x%x" % mode)
    c.close()


def bad_close():
    c = login()
    tree(c, "flush")
    fid = create(c, "owed.dat")
    t.fine(write(c, fid, b"o" * 512, THROUGH), "flush: a write that will be brought to the disk at close")
    open(fail, "w").close()
    t.check(close(c, fid).err != (0, 0), "... and the close says so when it cannot be")
    os.unlink(fail)
    c.close()


t.section("the defaults", each_share, "sync", ["", "D", "D", "F", ""])
t.section("at flush", each_share, "flush", ["", "", "", "F", "D"])
t.section("never", each_share, "never", ["", "", "", "", ""])
t.section("always", each_share, "always", ["D", "D", "D", "F", ""])
t.section("in flight", in_flight)
t.section("a close that fails", bad_close)
t.section("reading patterns", patterns)
sys.exit(t.end())
