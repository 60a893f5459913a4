#!/usr/bin/env python3
"""What a client costs and how many are served beside each other, as promised; with the default settings.  What one client
can pile up is in ceilings.py.  Times have generous bounds: what is promised for a machine that does nothing else is said
beside what was measured.

usage: figures.py HOST PORT DAEMON_PID [PART ...]"""
import os
import resource
import select
import socket
import struct
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from nt1wire import Nt  # noqa: E402
from smb1wire import Broken, Tally  # noqa: E402

HOST, PORT, DAEMON = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
IDLE_KIB = 200        # private memory of a worker whose client asks for nothing
IDLE, BUSY = 1000, 100
ROUNDS = 10           # files that each busy client makes, writes, reads and deletes
BARE, BARE_S = 300, 1.0   # connections that say nothing; a login beside them (promised: 0.2 s)
RESETS, RESETS_S = 200, 5.0  # connect and reset (promised: within a second)
STALL_S = (60, 75)    # half a message, and a connection without login, end in this time
tally = Tally()


def children():
    """(pid, name, state) of the daemon's children."""
    out = subprocess.run(["ps", "-o", "pid=,stat=,comm=", "--ppid", str(DAEMON)], capture_output=True, text=True).stdout
    return [(int(p), name, stat[0]) for p, stat, name in (line.split(None, 2) for line in out.splitlines())]


def named(name):
    return {p for p, n, _ in children() if n == name}


def private(pid):
    """KiB that are this process' own."""
    with open("/proc/%d/smaps_rollup" % pid) as f:
        return sum(int(line.split()[1]) for line in f if line.startswith("Private"))


class Parked(threading.Thread):
    """A connection on which nothing whole ever comes, from an address of its own; .took is how long it was there."""

    def __init__(self, sock, first, dribble):
        threading.Thread.__init__(self, daemon=True)
        self.sock, self.dribble, self.took = sock, dribble, None
        self.began = time.monotonic()
        sock.sendall(first)
        self.start()

    def run(self):
        try:
            while not (select.select([self.sock], [], [], 1)[0] and not self.sock.recv(100)):
                self.sock.sendall(self.dribble)
        except OSError:
            pass
        self.took = time.monotonic() - self.began


def park():
    half = struct.pack(">BBH", 0, 0, 60) + b"\xffSMB\x2b"
    bare = socket.create_connection((HOST, PORT), 5, ("127.0.1.1", 0))
    return [("half a message", Parked(Nt(HOST, PORT).sock, half, b"")),
            ("half a message that goes on byte by byte", Parked(Nt(HOST, PORT).sock, struct.pack(">BBH", 0, 1, 0), b"x")),
            ("a connection that only keeps itself alive before login", Parked(bare, b"", b"\x85\0\0\0"))]


def parked(list_):
    for name, p in list_:
        p.join(max(0, STALL_S[1] + 5 - (time.monotonic() - p.began)))
        print("# %s: gone after %s s" % (name, p.took and "%.1f" % p.took))
        tally.check(p.took and STALL_S[0] - 1 <= p.took <= STALL_S[1], "%s is let go after %d s" % (name, STALL_S[0]),
                    str(p.took))


def resets():
    """Connections that are reset at once, as port scanners and probes of other clients do; some not before their process
    is there and has been asked something."""
    began = time.monotonic()
    for i in range(RESETS):
        s = socket.create_connection((HOST, PORT), 5)
        if i % 2:
            s.sendall(b"\x85\0\0\0")
            time.sleep(0.002)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        s.close()
    took = time.monotonic() - began
    print("# %d times connect and reset: %.2f s" % (RESETS, took))
    tally.check(took < RESETS_S, "%d connections come and are reset" % RESETS, "%.1f s" % took)
    tally.same(Nt(HOST, PORT).echo(), 0, "a client is served right after them")
    until, left = time.monotonic() + 5, None
    while left != [] and time.monotonic() < until:
        time.sleep(0.1)
        left = [c for c in children() if c[2] == "Z" or (c[1] == "smb1d-porch" and len(named("smb1d-porch")) > 1)]
    tally.same(left, [], "and they leave no process, dead or alive")  # one porch is parked()'s


def beside_bare():
    """From ten addresses: one is not let in with so many that have not logged in."""
    bare = [socket.create_connection((HOST, PORT), 5, ("127.0.2.%d" % (1 + i % 10), 0)) for i in range(BARE)]
    time.sleep(2)  # beyond the time in which a connection counts as one that is logging in
    there = len(named("smb1d-porch"))
    tally.check(there >= BARE, "%d connections that say nothing are there" % BARE, str(there))
    times = []
    for _ in range(5):
        began = time.monotonic()
        c = Nt(HOST, PORT)
        tally.check(c.echo() == 0, "a new client beside them")
        times.append(time.monotonic() - began)
        c.sock.close()
    print("# logged in and answered beside %d of them: %s ms" % (BARE, " ".join("%.0f" % (t * 1000) for t in times)))
    tally.check(sorted(times)[2] < BARE_S, "is served within %.1f s" % BARE_S, str(times))
    for s in bare:
        s.close()


def day(clients, n):
    """Each makes, writes, reads and deletes a file; all of them at each step.  How many answers were wrong."""
    wrong = 0

    def step(send, good=lambda c, r: True):
        nonlocal wrong
        mids = [send(c) for c in clients]
        answers = [c.answer(mid) for c, mid in zip(clients, mids)]
        wrong += sum(c.status(r) != 0 or not good(c, r) for c, r in zip(clients, answers))
        return answers
    name = lambda c: "busy-%d-%d" % (c.port(), n)  # noqa: E731
    for c, r in zip(clients, step(lambda c: c.start_open(name(c), disposition=2))):
        c.fid = struct.unpack_from("<H", r.words, 5)[0] if len(r.words) > 7 else 0
        c.text = (name(c) * 300)[:4000].encode()
    step(lambda c: c.send(0x2f, struct.pack("<BBHHIIHHHHH", 0xff, 0, 0, c.fid, 0, 0, 0, 0, 0, len(c.text), 59), c.text))
    step(lambda c: c.send(0x2e, struct.pack("<BBHHIHHIHI", 0xff, 0, 0, c.fid, 0, 4000, 4000, 0, 0, 0)),
         lambda c, r: r.data[-len(c.text):] == c.text)
    step(lambda c: c.send(0x04, struct.pack("<HI", c.fid, 0), b""))
    step(lambda c: c.send(0x06, struct.pack("<H", 0x16), b"\x04" + name(c).encode() + b"\0"))
    return wrong


def many():
    """A thousand that are logged in and ask for nothing, a hundred that work, on two processors."""
    before = named("smb1d-worker")
    began = time.monotonic()
    idle = [Nt(HOST, PORT) for _ in range(IDLE)]
    print("# %d logins one after the other: %.1f s" % (IDLE, time.monotonic() - began))
    busy = [Nt(HOST, PORT) for _ in range(BUSY)]
    working = named("smb1d-worker") - before
    tally.same(len(working), IDLE + BUSY, "each client has a worker")
    until = time.monotonic() + 30  # they rest after two seconds, if they get the processor
    while True:
        time.sleep(3)
        kib = sorted(private(p) for p in working)
        if kib[-1] <= IDLE_KIB or time.monotonic() > until:
            break
    print("# private memory of %d idle workers: median %d KiB, most %d KiB" % (len(kib), kib[len(kib) // 2], kib[-1]))
    tally.check(kib[-1] <= IDLE_KIB, "none has more than %d KiB of its own" % IDLE_KIB, "%d" % kib[-1])
    began = time.monotonic()
    tally.same(sum(day(busy, n) for n in range(ROUNDS)), 0, "%d busy clients: answers that are wrong" % BUSY)
    print("# %d requests of %d busy clients: %.1f s" % (BUSY * ROUNDS * 5, BUSY, time.monotonic() - began))
    tally.same(sum(c.echo() != 0 for c in idle), 0, "the %d idle ones are there still; errors" % IDLE)
    for c in idle + busy:
        c.sock.close()


resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
if os.cpu_count() > 2:
    os.sched_setaffinity(DAEMON, sorted(os.sched_getaffinity(0))[:2])  # its children follow
wait = park() if "parked" in sys.argv[4:] or not sys.argv[4:] else []
for part in (resets, beside_bare, many):
    if part.__name__ in sys.argv[4:] or not sys.argv[4:]:
        tally.section(part.__name__, part)
parked(wait)
sys.exit(tally.end())
