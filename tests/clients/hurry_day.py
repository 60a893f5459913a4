#!/usr/bin/env python3
"""hurry_day.py HOST PORT: a client that asks again at once is waited for in the receive alone (src/proc/loop.c); others
and the clock must not wait for it.  Share: direct."""
import struct, sys, threading, time
from smb1wire import Conn, Tally

host, port = sys.argv[1], int(sys.argv[2])
t = Tally()
SOON = 1.0  # seconds; the loop is looked at again within some milliseconds


def login():
    c = Conn(host, port, "SERVER", "HURRY")
    c.negotiate(["NT LM 0.12"])
    words = struct.pack("<BBHHHHIHHII", 0xff, 0, 0, 65535, 16, 1, 0, 1, 0, 0, 0x40d0)
    c.uid = c.call(0x73, words, b"\0nosuchuser\0WG\0Unix\0io\0").uid
    c.tid = c.call(0x75, struct.pack("<BBHHH", 0xff, 0, 0, 0, 1), b"\0\\\\SERVER\\direct\0?????\0").tid
    return c


def create(c, name, oplock=0, disposition=3):
    words = struct.pack("<BBHBHIIIQIIIIIB", 0xff, 0, 0, 0, len(name), oplock, 0, 0x12019f, 0, 0x80, 7, disposition, 0, 2, 0)
    r = c.call(0xa2, words, name.encode() + b"\0")
    t.fine(r, "create %s" % name)
    return struct.unpack_from("<BH", r.words, 4)


class Hurried(threading.Thread):
    """Asks as fast as it is answered, `asks` times at least and then until told to stop; then it waits in silence, so
    that its worker does.  It answers when its oplock is to be broken."""

    def __init__(self, c, fid, asks, silent):
        super().__init__(daemon=True)
        self.c, self.fid, self.asks, self.silent = c, fid, asks, silent
        self.ready, self.stop, self.count, self.broken = threading.Event(), False, 0, None

    def answer_break(self):
        self.broken = time.time()
        words = struct.pack("<BBHHBBIHH", 0xff, 0, 0, self.fid, 2, 0, 0, 0, 0)
        self.c.send(0x24, words)

    def turn(self):
        self.c.send(0x2b, struct.pack("<H", 1), b"again")
        r = self.c.recv()
        while r.cmd == 0x24:
            self.answer_break()
            r = self.c.recv()
        self.count += 1

    def run(self):
        while self.count < self.asks or not (self.silent or self.stop):
            self.turn()
            if self.count == self.asks:
                self.ready.set()
        if self.silent and self.c.recv().cmd == 0x24:
            self.answer_break()


def oplock_broken(silent, what):
    a, b = login(), login()
    got, fid = create(a, "hurry.dat", oplock=6)
    t.same(got, 2, "a batch oplock for who %s" % what)
    h = Hurried(a, fid, 2000, silent)
    h.start()
    h.ready.wait(20)
    begun = time.time()
    create(b, "hurry.dat")
    took = time.time() - begun
    t.check(h.broken is not None and took < SOON, "... is broken soon", "%.3f s" % took)
    h.stop = True
    h.join(5)
    t.check(not h.is_alive(), "... and it goes on", "%d requests" % h.count)
    a.close()
    b.close()


def silence_of_a_lock():
    """A request that waits is answered at once when it may go on, though its client was in a hurry."""
    a, b = login(), login()
    _, fa = create(a, "locked.dat")
    _, fb = create(b, "locked.dat")
    lock = struct.pack("<HII", 1, 0, 10)
    words = lambda fid, timeout, un, n: struct.pack("<BBHHBBIHH", 0xff, 0, 0, fid, 0, 0, timeout, un, n)
    t.fine(b.call(0x24, words(fb, 0, 0, 1), lock), "a lock")
    for _ in range(500):
        a.call(0x2b, struct.pack("<H", 1), b"again")
    a.send(0x24, words(fa, 20000, 0, 1), lock)
    time.sleep(0.05)
    begun = time.time()
    t.fine(b.call(0x24, words(fb, 0, 1, 0), lock), "... and its end")
    t.fine(a.recv(), "... for which a hurried client waited")
    t.check(time.time() - begun < SOON, "... and heard of it soon", "%.3f s" % (time.time() - begun))
    a.close()
    b.close()


def lock_in_vain():
    """A request that waits is refused when its time is over, though its client was in a hurry and nobody else has anything to
    say: its own other handle has the lock."""
    a = login()
    fids = [create(a, "mine.dat")[1] for _ in range(2)]
    words = lambda fid, timeout: struct.pack("<BBHHBBIHH", 0xff, 0, 0, fid, 0, 0, timeout, 0, 1)
    lock = struct.pack("<HII", 1, 0, 10)
    t.fine(a.call(0x24, words(fids[0], 0), lock), "a lock")
    for _ in range(500):
        a.call(0x2b, struct.pack("<H", 1), b"again")
    begun = time.time()
    refused = a.call(0x24, words(fids[1], 300), lock)
    took = time.time() - begun
    t.check(refused.err != (0, 0) and 0.25 < took < 0.3 + SOON, "... and another handle waits for it, not too long", "%.3f s" % took)
    a.close()


def slow_reader():
    """One that was in a hurry asks for more than the socket holds, and does not read."""
    a = login()
    _, fid = create(a, "large.dat", disposition=5)
    block = bytes(range(256)) * 240
    for i in range(4):
        words = struct.pack("<BBHHIIHHHHH", 0xff, 0, 0, fid, i * len(block), 0, 0, 0, 0, len(block), 59)
        a.call(0x2f, words, block)
    read = lambda i: struct.pack("<BBHHIHHIH", 0xff, 0, 0, fid, i % 4 * len(block), len(block), 0, 0xffffffff, 0)
    good = all(a.call(0x2e, read(i)).data[-len(block):] == block for i in range(200))
    for i in range(300):
        a.send(0x2e, read(i))
    time.sleep(0.3)
    good &= all(a.recv().data[-len(block):] == block for _ in range(300))
    t.check(good, "200 large reads in a hurry, and 300 whose answers wait for a slow reader")
    t.same(a.call(0x2b, struct.pack("<H", 1), b"in step").data, b"in step", "... and all in step")
    a.close()


t.section("oplock of a client that goes on asking", oplock_broken, False, "goes on asking")
t.section("oplock of a client that falls silent", oplock_broken, True, "falls silent")
t.section("a lock waited for", silence_of_a_lock)
t.section("a lock waited for in vain", lock_in_vain)
t.section("a slow reader", slow_reader)
sys.exit(t.end())
