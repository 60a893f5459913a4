#!/usr/bin/env python3
"""A day of a client while the Nth call of a function of the C library fails, N counting up until the whole day goes well.

usage: faults.py HOST PORT CONTROL FOLDER LOG [CALL:ERRNO ...]   CONTROL: see tests/shim/fail_nth.c; `smb1d: login
timeout = 3` stands in the configuration"""
import errno
import mmap
import os
import re
import select
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from nt1wire import Nt  # noqa: E402
from smb1wire import Broken, Tally, oem  # noqa: E402

HOST, PORT, CONTROL, FOLDER, LOG = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4], sys.argv[5]
LAYOUT = struct.Struct("<32siIIIIIq")
EVERYBODY, WORKERS, LISTENER = 0, 1, 2
SHORT = -1
FULL, IO, READ_ONLY, MANY, NO_MEMORY = 0xc000007f, 0xc0000185, 0xc00000a2, 0xc000011f, 0xc0000017
ANSWERS = {"ENOSPC": [FULL], "EDQUOT": [FULL], "EIO": [IO], "EROFS": [READ_ONLY], "EMFILE": [MANY], "ENFILE": [MANY],
           "ENOMEM": [NO_MEMORY, 0xc000009a, 0xc0000205], "SHORT": []}
LARGE, SMALL = 16400, 1000  # bytes: by sendfile, and through memory
MOST = 400  # calls of one kind in a day
LOGIN_SECONDS = 3
TEXT = b"0123456789" * 4000
tally = Tally()
with open(CONTROL, "r+b") as f:
    control = mmap.mmap(f.fileno(), LAYOUT.size)


def arm(call="", error=0, nth=0, who=EVERYBODY, every=0, clock=0):
    control[:LAYOUT.size] = LAYOUT.pack(call.encode(), error, nth, who, 0, 0, every, clock)


def fired():
    return LAYOUT.unpack(control[:LAYOUT.size])[5]


class Day:
    """The scenario; .failed is (step, status) of the first step that was refused, .acked what must be on the disk."""

    def __init__(self, tag):
        self.name, self.failed, self.wrong, self.connected = "f%s" % tag, None, None, False
        self.c = None

    def status(self, step, status):
        if status and not self.failed:
            self.failed = (step, status)
        return status == 0

    def on_disk(self, name, text):
        with open(os.path.join(FOLDER, name), "rb") as f:
            if f.read(len(text)) != text:
                self.wrong = "acknowledged bytes are not in the file"

    def run(self):
        try:
            self.c = c = Nt(HOST, PORT)
            self.connected = True
            self.steps(c)
        except (Broken, OSError) as e:
            if not self.failed:
                self.failed = ("the connection ended: %s" % e, None)
        finally:
            if self.c:
                self.c.sock.close()

    def steps(self, c):
        name, new = self.name, self.name + "-new"
        c.sock.settimeout(10)
        self.status("mkdir", c.status(c.ask(0x00, b"", b"\x04" + oem(name + "-dir"))))
        got = c.open(name, disposition=5)
        if self.status("open", got["status"]):
            fid = got["fid"]
            wrote = self.status("write", c.write(fid, TEXT.decode()))
            self.status("flush", c.status(c.ask(0x05, struct.pack("<H", fid), b"")))
            if wrote:
                self.on_disk(name, TEXT)
                self.read(c, fid)
            hidden = struct.pack("<QQQQII", 0, 0, 0, 0, 0x22, 0)
            self.status("attributes", c.status(c.trans2(8, struct.pack("<HHH", fid, 0x101, 0), hidden)[0]))
            room = struct.pack("<Q", 1 << 20)
            self.status("room", c.status(c.trans2(8, struct.pack("<HHH", fid, 0x103, 0), room)[0]))
            through = struct.pack("<BBHHIIHHHHH", 0xff, 0, 0, fid, 40000, 0, 1, 0, 0, 1, 59)
            self.status("write through", c.status(c.ask(0x2f, through, b"x")))
            self.status("size", c.status(c.trans2(8, struct.pack("<HHH", fid, 0x104, 0), struct.pack("<Q", 9000))[0]))
            self.status("close", c.close_file(fid))
        r, _, _ = c.trans2(1, struct.pack("<HHHHI", 0x16, 50, 1, 0x104, 0) + oem(name + "*"), maxp=10, maxd=9000)
        self.status("list", c.status(r))
        gone = self.status("rename", c.status(c.ask(0x07, struct.pack("<H", 0x16),
                                                    b"\x04" + oem(name) + b"\x04" + oem(new))))
        if gone and os.path.exists(os.path.join(FOLDER, name)):
            self.wrong = "renamed, and the old name is there"
        self.status("delete", c.delete(new if gone else name))
        self.status("rmdir", c.status(c.ask(0x01, b"", b"\x04" + oem(name + "-dir"))))
        self.status("echo", c.echo())

    def read(self, c, fid):
        for n in (LARGE, SMALL):
            words = struct.pack("<BBHHIHHIHI", 0xff, 0, 0, fid, 0, n, n, 0, 0, 0)
            r = c.ask(0x2e, words)
            if self.status("read", c.status(r)) and r.data[-n:] != TEXT[:n]:
                self.wrong = "other bytes were read than written"


def clean():
    for root, dirs, files in os.walk(FOLDER, topdown=False):
        for n in files:
            os.unlink(os.path.join(root, n))
        for n in dirs:
            os.rmdir(os.path.join(root, n))


def crashes():
    with open(LOG, errors="replace") as f:
        return len(re.findall("was ended by signal|panic|damaged record", f.read()))


def one(call, name, n, who):
    """One day with the Nth call failing: (did any fail, complaints)."""
    number = SHORT if name == "SHORT" else getattr(errno, name)
    day, before = Day("%s%d" % (name, n)), crashes()
    arm(call, number, n, who)
    day.run()
    hit = fired()
    arm()
    wrong = [day.wrong] if day.wrong else []
    if hit and day.failed and day.failed[1] is not None and day.failed[1] not in ANSWERS[name]:
        wrong.append("%s: %08x" % day.failed)
    if hit and day.failed and day.failed[1] is None and day.connected and call not in ("malloc", "sendfile"):
        wrong.append("a connection ended for it (%s)" % day.failed[0])
    if hit and not day.failed and call in ("fsync", "fdatasync"):
        wrong.append("nobody was told that bytes are not on the disk")
    if not hit and day.failed:
        wrong.append("%s %s with no fault" % day.failed)
    time.sleep(0.01)
    if crashes() != before:
        wrong.append("a process crashed, or a record was thrown away")
    if who != WORKERS or day.failed:
        after = Day("after")
        after.run()
        if after.failed or after.wrong:
            wrong.append("the next client: %s %s" % (after.failed, after.wrong))
    clean()
    return hit, wrong


def until_it_works(call, name, who=WORKERS):
    refused = {}
    for n in range(1, MOST):
        hit, wrong = one(call, name, n, who)
        for w in wrong:
            refused.setdefault(w, []).append(n)
        if not hit:
            break
    print("# %s %s: %d calls" % (call, name, n - 1))
    return tally.check(not refused and n < MOST, "%s fails with %s: each of %d calls" % (call, name, n - 1),
                       "; ".join("%s (call %s)" % (w, ",".join(map(str, k[:6]))) for w, k in refused.items()))


def clock():
    """The wall clock jumps a year back, and on: clients that are there are served on, time-outs neither come nor stay away."""
    c = Nt(HOST, PORT)
    fid = c.open("clock", disposition=5)["fid"]
    for jump in (-365 * 86400, 10 * 365 * 86400, -3600, 0):
        silent = socket.create_connection((HOST, PORT), 5)
        time.sleep(0.1)  # its process has looked at the clock
        arm(clock=jump)
        tally.check(c.write(fid, "x") == 0 and c.echo() == 0 and not Day("c").run(), "the clock jumps by %d s" % jump)
        after = Day("clock")
        after.run()
        tally.check(not after.failed and not after.wrong, "a new client then", str(after.failed))
        silent.sendall(b"\x85\0\0\0")  # a keepalive; an old time-out would be found over by now
        tally.check(not select.select([silent], [], [], 0.3)[0], "one that has not logged in stays")
        tally.check(select.select([silent], [], [], LOGIN_SECONDS + 4)[0], "... until its time is over")
        silent.close()
    c.close()
    clean()


def no_worker():
    """No process for a client that has logged in: it is told so."""
    for call, error in (("fork", errno.EAGAIN), ("socketpair", errno.EMFILE)):
        said, late = set(), 0
        for n in range(1, 8):
            arm(call, error, n, LISTENER)
            began = time.monotonic()
            try:
                Nt(HOST, PORT).sock.close()
            except (Broken, OSError) as e:
                said.add(str(e))
            late = max(late, time.monotonic() - began)
            arm()
        tally.check("login: c00000d0" in said, "no %s for a worker: REQUEST_NOT_ACCEPTED" % call, str(said))
        tally.check(late < 5, "nor waits long for the answer", "%.1f s" % late)
        after = Day("later")
        after.run()
        tally.check(not after.failed and not after.wrong, "the next client", str(after.failed))


def full_database():
    """No lock database can grow: who asks is told so, nobody's connection ends, and it goes on when there is room."""
    keep = Nt(HOST, PORT)
    fid = keep.open("locked", disposition=5)["fid"]
    arm("posix_fallocate", errno.ENOSPC, 1, WORKERS, every=1)
    per, status = 200, 0
    words = struct.pack("<BBHHBBIHH", 0xff, 0, 0, fid, 0, 0, 0, 0, per)
    for i in range(40):
        ranges = b"".join(struct.pack("<HII", 1, (i * per + k) * 2, 1) for k in range(per))
        status = status or keep.status(keep.ask(0x24, words, ranges))
    again = [keep.status(keep.ask(0x24, words, ranges)) for _ in range(5)]
    tally.same([status] + again, [0xc0000205] * 6, "locks that cannot be written down are refused")
    with open(LOG, errors="replace") as f:
        log = f.read()
    tally.same(len(re.findall("is full: what needs an entry", log)), 1, "and it is said once")
    tally.check("locking_andx: the disk with the databases is full; by `lock directory = " in log, "and to whom")
    day = Day("db")
    day.run()
    tally.check(day.failed is None or day.failed[1] is not None, "with a full disk below the databases", str(day.failed))
    arm()
    tally.same(keep.echo(), 0, "a client that is there")
    after = Day("dbafter")
    after.run()
    tally.check(not after.failed and not after.wrong, "and when there is room again", str(after.failed))
    clean()


ALL = [("pwrite", "ENOSPC", WORKERS), ("pwrite", "EDQUOT", WORKERS), ("pwrite", "EIO", WORKERS),
       ("pwrite", "EROFS", WORKERS), ("pwrite", "SHORT", WORKERS),
       ("pread", "EIO", WORKERS), ("pread", "SHORT", WORKERS), ("fsync", "EIO", WORKERS), ("fdatasync", "EIO", WORKERS),
       ("fdatasync", "ENOSPC", WORKERS), ("ftruncate", "ENOSPC", WORKERS),
       ("open", "EMFILE", WORKERS), ("open", "EROFS", WORKERS), ("open", "EIO", WORKERS), ("open", "ENOMEM", WORKERS),
       ("getdents64", "EIO", WORKERS), ("mkdirat", "ENOSPC", WORKERS), ("mkdirat", "EROFS", WORKERS),
       ("unlinkat", "EROFS", WORKERS), ("unlinkat", "EIO", WORKERS), ("renameat2", "ENOSPC", WORKERS),
       ("renameat2", "EROFS", WORKERS), ("fsetxattr", "ENOSPC", WORKERS), ("sendfile", "EIO", WORKERS),
       ("fork", "EAGAIN", LISTENER), ("socketpair", "EMFILE", LISTENER),
       ("accept4", "EMFILE", LISTENER), ("accept4", "ENFILE", LISTENER), ("accept4", "ENOMEM", LISTENER),
       ("malloc", "ENOMEM", WORKERS)]
ANSWERS["EAGAIN"] = []
arm()
for call, name, who in ALL:
    if not sys.argv[6:] or "%s:%s" % (call, name) in sys.argv[6:] or call in sys.argv[6:]:
        tally.section(call, until_it_works, call, name, who)
with open(LOG, errors="replace") as everything:
    if not sys.argv[6:] or "mkdirat:EROFS" in sys.argv[6:]:
        tally.check(re.search("refused: .*: the file system is read-only", everything.read()), "a file system that is read-only is told")
for part in (no_worker, clock, full_database):
    if not sys.argv[6:] or part.__name__ in sys.argv[6:]:
        tally.section(part.__name__, part)
sys.exit(tally.end())
