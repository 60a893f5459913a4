#!/usr/bin/env python3
"""local.py HOST PORT FOLDER: a client and programs of this host, which see the share as FOLDER."""
import fcntl
import os
import subprocess
import sys
import threading
import time

from nt1wire import Nt
from smb1wire import Tally

VIOLATION, NOT_GRANTED, CONFLICT = 0xc0000043, 0xc0000055, 0xc0000054
BATCH = 2
host, port, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
say = Tally()


def connect(share="share"):
    return Nt(host, port, share)


def local(name):
    return os.path.join(folder, name)


class Opening(threading.Thread):
    """A local program that opens a file and may have to wait."""

    def __init__(self, name, mode="r+"):
        super().__init__(daemon=True)
        self.name_, self.mode, self.took = local(name), mode, None
        self.start()

    def run(self):
        began = time.monotonic()
        with open(self.name_, self.mode) as f:
            self.text = f.read()
        self.took = time.monotonic() - began


def leases():
    c = connect("leases")
    f = c.open("kept", oplock=BATCH)
    say.same((f["status"], f.get("oplock")), (0, BATCH), "kernel oplocks: a batch oplock on a file of one's own")
    p = Opening("kept")
    say.same(c.awaits_break(5), f["fid"], "... a local program's open breaks it")
    say.same(p.took, None, "... and waits")
    c.write(f["fid"], "flushed before")
    c.acknowledge(f["fid"])
    p.join(5)
    say.check(p.took is not None and p.took < 5 and p.text.startswith("flushed before"),
              "... until the client has given it up, and sees what that wrote", p.took)
    say.same(c.close_file(f["fid"]), 0, "... the file is closed as ever")

    f = c.open("kept", oplock=BATCH)
    say.same(f["oplock"], BATCH, "again granted")
    p = Opening("kept", "r")
    say.same(c.awaits_break(5), f["fid"], "broken by a reader")
    c.close_file(f["fid"])
    p.join(5)
    say.check(p.took is not None, "... answered by a CLOSE")

    with open(local("kept")) as held:
        f = c.open("kept", oplock=BATCH)
        say.same((f["status"], f.get("oplock")), (0, 0), "none while a local program has the file open")
        c.close_file(f["fid"])
    f = c.open("kept", oplock=BATCH)
    other = connect("leases")
    mid = other.start_open("kept", oplock=BATCH)
    say.same(c.awaits_break(5), f["fid"], "another client breaks it as ever")
    c.acknowledge(f["fid"])
    got = other.opened(mid)
    say.same((got["status"], got.get("oplock")), (0, 0), "... and gets no level II, which the kernel has not")
    c.close_file(f["fid"])
    other.close_file(got["fid"])

    with open(local("foreign"), "w") as foreign:
        foreign.write("x")
    os.chmod(local("foreign"), 0o666)
    f = c.open("foreign", oplock=BATCH)
    mine = os.stat(local("foreign")).st_uid == os.stat(local("kept")).st_uid
    say.same((f["status"], f.get("oplock")), (0, BATCH if mine else 0), "none on another user's file")
    plain = connect()
    f = plain.open("kept2", oplock=BATCH)
    say.same(f["oplock"], BATCH, "without the option an oplock is given")
    p = Opening("kept2")
    p.join(2)
    say.check(p.took is not None and p.took < 1 and plain.awaits_break(0.3) is None, "... and local programs do not ask")
    for x in (c, other, plain):
        x.close()


# A local program in a process of its own: fcntl's locks belong to processes.
PROGRAM = """
import fcntl, struct, sys
f = open(sys.argv[1], "r+")
for line in sys.stdin:
    what, start, length = line.split()
    kind = {"R": fcntl.F_RDLCK, "W": fcntl.F_WRLCK, "U": fcntl.F_UNLCK}[what]
    try:
        fcntl.fcntl(f, fcntl.F_SETLK, struct.pack("hhqqi4x", kind, 0, int(start), int(length), 0))
        print("yes", flush=True)
    except OSError:
        print("no", flush=True)
"""


class Program:
    def __init__(self, name):
        self.p = subprocess.Popen([sys.executable, "-c", PROGRAM, local(name)], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)

    def __call__(self, what, start, length):
        """R, W or U on this range: does the kernel agree?"""
        self.p.stdin.write("%s %d %d\n" % (what, start, length))
        self.p.stdin.flush()
        return self.p.stdout.readline() == "yes\n"

    def may(self, what, start, length):
        """The same, and given back at once."""
        got = self(what, start, length)
        if got:
            self("U", start, length)
        return got

    def end(self):
        self.p.stdin.close()
        self.p.wait()


HUGE = 1 << 63


def clients_locks():
    c = connect()
    f = c.open("locked")["fid"]
    g = c.open("locked")["fid"]
    p = Program("locked")
    c.lock(f, 10, 10)
    c.lock(f, 100, 10, shared=True)
    say.same([p.may("W", 0, 10), p.may("R", 10, 1), p.may("R", 19, 1), p.may("W", 20, 1)], [True, False, False, True],
             "a client's exclusive lock is the kernel's, byte for byte")
    say.same([p.may("R", 100, 10), p.may("W", 100, 1)], [True, False], "a shared one lets local readers")
    c.lock(g, 105, 10, shared=True)
    c.lock(f, 100, 10, unlock=True)
    say.same([p.may("W", 100, 5), p.may("W", 105, 1), p.may("W", 114, 1)], [True, False, False],
             "what another open file has locked stays when one is given back")
    c.lock(f, 10, 10, unlock=True)
    say.same(p.may("W", 0, 105), True, "given back, it is the kernel's no more")
    c.lock(f, HUGE + 5, 10)
    say.same([c.lock(f, HUGE - 10, 20)["status"], p.may("W", HUGE - 10, 0)], [CONFLICT, True],
             "beyond 63 bits the kernel knows no locks; clients do")
    say.same(c.lock(f, HUGE - 10, 10)["status"], 0, "up to there it does")
    say.same([p.may("W", HUGE - 11, 1), p.may("W", HUGE - 10, 0)], [True, False], "... to the last byte")
    c.close_file(f)
    say.same([p.may("W", HUGE - 10, 0), p.may("W", 105, 1)], [True, False], "closing one leaves the other's locks")
    c.sock.close()
    for _ in range(50):
        if p.may("W", 0, 0):
            break
        time.sleep(0.05)
    say.check(p.may("W", 0, 0), "the client goes, and so do its locks")
    p.end()


def programs_locks():
    c = connect()
    f = c.open("locked")["fid"]
    p = Program("locked")
    p("W", 0, 10)
    say.check(c.lock(f, 5, 1)["status"] in (NOT_GRANTED, CONFLICT), "a local program's lock keeps a client out")
    say.same(c.lock(f, 10, 1)["status"], 0, "... next to it there is room")
    say.same(c.lock(f, 10, 1, unlock=True)["status"], 0, "... and back")
    got = c.lock(f, 5, 1, timeout=500)
    say.check(got["status"] == CONFLICT and 400 <= got["ms"] < 3000, "... a client that waits gives up in time", got)
    mid = c.start_lock(f, 5, 1, timeout=20000)
    time.sleep(0.3)
    say.check(not c.pending(0.1), "... or waits on")
    p("U", 0, 10)
    say.same(c.status(c.answer(mid)), 0, "... and gets it when the program is done")
    p("R", 50, 10)
    say.same(c.lock(f, 55, 1, shared=True)["status"], 0, "readers of both kinds")
    say.check(c.lock(f, 50, 1)["status"] in (NOT_GRANTED, CONFLICT), "... keep writers out")
    unseen = connect("unseen")
    g = unseen.open("locked")["fid"]
    p("W", 200, 10)
    say.same(unseen.lock(g, 205, 1)["status"], 0, "posix locking = no: neither sees the other")
    say.same(p.may("W", 205, 1), True, "... nor the other way round")
    for x in (c, unseen):
        x.close()
    p.end()


READ, WRITE, UNLOCK = 0, 1, 2


def advisory():
    c = connect()
    say.same(c.unix(), 0, "the UNIX extensions are asked for")
    f, g = c.open("advisory")["fid"], c.open("advisory")["fid"]
    p = Program("advisory")
    say.same(c.posix_lock(f, WRITE, 0, 100, pid=1), 0, "an advisory lock of the UNIX extensions")
    say.same([p.may("R", 50, 1), p.may("W", 100, 1)], [False, True], "... is the kernel's")
    say.same(c.posix_lock(f, UNLOCK, 40, 20, pid=1), 0, "its middle is given back")
    say.same([p.may("R", 39, 1), p.may("W", 40, 20), p.may("R", 60, 1)], [False, True, False], "... to local programs too")
    say.same(c.posix_lock(g, READ, 0, 40, pid=1), 0, "weaker, through another open file of the same process")
    say.same([p.may("R", 0, 40), p.may("W", 0, 1), p.may("R", 60, 1)], [True, False, False], "... local readers are let in")
    say.same(c.posix_lock(g, WRITE, 0, 0, pid=1), 0, "all of it, through the other")
    say.same([p.may("R", 0, 1), p.may("R", 45, 1), p.may("R", 1 << 40, 1)], [False] * 3, "... and nobody is")
    say.same(c.posix_query(f, READ, 0, 10, pid=1)[0], UNLOCK, "its own process has nothing in its way")
    say.same(c.posix_lock(g, UNLOCK, 0, 0, pid=1), 0, "all given back")
    say.same(p("W", 10, 10), True, "a local program locks")
    say.same(c.posix_lock(f, READ, 15, 1, pid=1), CONFLICT, "... which keeps the client out")
    say.same(c.posix_query(f, READ, 0, 100, pid=1), [WRITE, p.p.pid, 10, 10], "... and is named to it")
    say.same(c.posix_lock(f, READ, 0, 10, pid=1), 0, "beside it there is room")
    say.same(c.posix_lock(f, WRITE, 0, 100, pid=1), CONFLICT, "an upgrade over it fails")
    say.same([p.may("R", 0, 10), p.may("W", 0, 1), p.may("W", 50, 1)], [True, False, True], "... and leaves what was")
    other = connect()
    other.unix()
    h = other.open("advisory")["fid"]
    say.same([other.posix_lock(h, READ, 5, 1, pid=9), other.posix_lock(h, WRITE, 5, 1, pid=9)], [0, CONFLICT],
             "... for other clients too")
    say.same(other.posix_lock(h, UNLOCK, 0, 0, pid=9), 0, "they go")
    words = threading.Thread(target=lambda: (time.sleep(0.4), p("U", 0, 0)))
    words.start()
    began = time.monotonic()
    say.same(c.posix_lock(f, WRITE, 0, 100, pid=1, wait=True), 0, "who waits gets it when the program is done")
    say.check(time.monotonic() - began > 0.3, "... not before")
    words.join()
    c.close_file(g)
    say.same(p.may("W", 0, 0), True, "closing any of its files ends a process' locks")
    for x in (c, other):
        x.close()
    p.end()


for part in (leases, clients_locks, programs_locks, advisory):
    say.section(part.__name__, part)
sys.exit(say.end())
