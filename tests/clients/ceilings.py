#!/usr/bin/env python3
"""What one client can make the server keep, driven to each limit: the status at the end, the memory of its worker, and
that it is served again afterwards.

usage: ceilings.py HOST PORT DAEMON_PID FOLDER      the share's folder; `smb1d: stall timeout = 2` and
`smb1d: login timeout = 3`, `smb1d: max unauthenticated = 20` and `... total = 40` stand in the configuration"""
import os
import select
import socket
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from nt1wire import Nt  # noqa: E402
from smb1wire import Broken, Tally, oem  # noqa: E402

HOST, PORT, DAEMON, FOLDER = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
MAX_MIB = 16
OWN_MESSAGE = (1280 << 10) - 4100  # the longest that does not share the memory a client may fill
MANY_OPEN, NO_ROOM, MANY_UIDS = 0xc000011f, 0xc0000205, 0x005a0002
CANCELLED = 0xc0000120
TRANS = struct.Struct("<HHHHBBHIHHHHHBBH")
tally = Tally()


def children(name):
    out = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", DAEMON], capture_output=True, text=True).stdout
    return sorted(int(line.split()[0]) for line in out.splitlines() if line.split()[1] == name)


def anonymous(pid):
    """MiB of its own: what is not a file or shared."""
    with open("/proc/%d/status" % pid) as f:
        return next(int(line.split()[1]) for line in f if line.startswith("RssAnon")) / 1024


class Client(Nt):
    """One that sends many requests before it reads the answers."""

    def __init__(self, caps=0xd0, share="share"):
        before = children("smb1d-worker")
        Nt.__init__(self, HOST, PORT, share, caps=caps)
        self.worker = [p for p in children("smb1d-worker") if p not in before][-1]

    def many(self, send, most, ahead=16):
        """send(i) sends a request and gives its MID: (how many were granted, the first status that was not 0)."""
        mids, done = [], 0
        for i in range(most):
            mids.append(send(i))
            while len(mids) > ahead or (mids and i == most - 1):
                status = self.status(self.answer(mids.pop(0)))
                if status:
                    for mid in mids:
                        self.answer(mid)
                    return done, status
                done += 1
        return done, 0

    def find(self, pattern):
        """A search of level 0x104 that stays open: status."""
        return self.status(self.trans2(1, struct.pack("<HHHHI", 0x16, 1, 0, 0x104, 0) + oem(pattern), maxp=10, maxd=600)[0])


def check_end(c, name, granted, status, wants, least):
    mib = anonymous(c.worker)
    print("# %s: %d, then %08x; %.1f MiB" % (name, granted, status, mib))
    tally.check(granted >= least and status in wants, "%s end with the right status" % name,
                "%d, then %08x" % (granted, status))
    tally.check(mib <= MAX_MIB, "%s cost no more than %d MiB" % (name, MAX_MIB), "%.1f" % mib)
    tally.same(c.echo(), 0, "%s: the connection is served" % name)


def told(text):
    """Why is told, too."""
    said = subprocess.run(os.environ["CTL"].split() + ["why", HOST], capture_output=True, text=True).stdout
    tally.check(text in said, "and the reason is told: " + text, said[-300:])


def opens():
    c = Client()
    name = "n" * 200
    granted, status = c.many(lambda i: c.start_open(name + str(i % 7)), 20000)
    check_end(c, "open files", granted, status, [MANY_OPEN], 1000)
    told("rule: smb1d: max memory = ")
    tally.same([c.close_file(fid) for fid in range(1, 101)], [0] * 100, "some are closed")
    tally.same(c.open(name + "0").get("status"), 0, "and others can be opened instead")
    c.close()


def long_names():
    """Open files far down: what is kept of each is its path."""
    c = Client()
    path = ""
    for i in range(7):
        path += "d" * 120 + "\\"
        c.ask(0x00, b"", b"\x04" + oem(path[:-1]))
    granted, status = c.many(lambda i: c.start_open(path + "f"), 20000)
    check_end(c, "open files with long paths", granted, status, [MANY_OPEN], 1000)
    c.close()


def pipes():
    """Each with a request that is never read to its end."""
    c = Client()
    r = c.ask(0x75, struct.pack("<BBHHH", 0xff, 0, 0, 0, 1), b"\0" + oem("\\\\host\\IPC$") + oem("?????"))
    c.tid = r.tid
    # the first of many fragments of one call
    bind = struct.pack("<BBBBIHHIHHIIHH", 5, 0, 11, 3, 0x10, 72, 0, 1, 4280, 4280, 0, 1, 0, 1) + bytes.fromhex(
        "c84f324b7016d30112785a47bf6ee18803000000" "045d888aeb1cc9119fe808002b10486002000000")
    parts = [struct.pack("<BBBBIHHIIHH", 5, 0, 0, first, 0x10, 4096, 0, 2, 4096, 0, 15) + b"\0" * 4072
             for first in [1] + [0] * 199]

    def write(fid, data):
        return c.status(c.ask(0x2f, struct.pack("<BBHHIIHHHHH", 0xff, 0, 0, fid, 0, 0, 0, 0, 0, len(data), 59), data))
    fids, status, sent = [], 0, 0
    while status == 0 and len(fids) < 3000:
        got = c.open("\\srvsvc")
        status = got["status"]
        if status:
            break
        fids.append(got["fid"])
        status = write(fids[-1], bind)
        for part in parts:
            status = status or write(fids[-1], part)
            sent += status == 0
    check_end(c, "bytes in pipes", sent, status, [NO_ROOM, MANY_OPEN], 100)
    c.close()


def searches():
    """In a folder of several thousand names, none closed."""
    os.mkdir(FOLDER + "/many")
    for i in range(3000):
        open(FOLDER + "/many/%s%d" % ("s" * 60, i), "w").close()
    c = Client()
    status, n = 0, 0
    while status == 0 and n < 1500:
        status = c.find("\\many\\*")
        n += 1
    check_end(c, "searches", n, status, [0], 1500)
    c.close()


def listings():
    """Searches with long patterns, as many as there may be; then each is read through a folder that fills many buffers."""
    os.mkdir(FOLDER + "/listed")
    for i in range(1000):
        open(FOLDER + "/listed/%s%d" % ("l" * 240, i), "w").close()
    c = Client()
    sids, status = [], 0
    for i in range(512):
        r, p, _ = c.trans2(1, struct.pack("<HHHHI", 0x16, 1, 0, 0x104, 0) + oem("\\listed\\*" + "*" * 20000), maxp=10, maxd=600)
        status = status or c.status(r)
        sids.append(struct.unpack_from("<H", p)[0])
    check_end(c, "searches with long patterns", len(sids), status, [0], 512)
    c.close()
    c = Client()
    for i in range(600):
        r, p, _ = c.trans2(1, struct.pack("<HHHHI", 0x16, 1, 0, 0x104, 0) + oem("\\listed\\*"), maxp=10, maxd=600)
        sids.append(struct.unpack_from("<H", p)[0])
    print("# %.1f MiB" % anonymous(c.worker))
    there = 0
    for sid in sids[-512:]:
        r, _, _ = c.trans2(2, struct.pack("<HHHIH", sid, 1, 0x104, 0, 0) + oem("not there"), maxp=10, maxd=600)
        there += c.status(r) == 0
    check_end(c, "listings", there, status, [0], 200)
    c.close()


def trees_and_users():
    c = Client()
    words = struct.pack("<BBHHH", 0xff, 0, 0, 0, 1)
    granted, status = c.many(lambda i: c.send(0x75, words, b"\0" + oem("\\\\host\\share") + oem("?????")), 3000)
    check_end(c, "trees", granted, status, [NO_ROOM], 500)
    told("it has 1024 shares")
    words = struct.pack("<BBHHHHIHHII", 0xff, 0, 0, 16644, 50, 1, 0, 24, 0, 0, 0xd0)
    data = b"\x11" * 24 + oem("nosuchuser") + oem("WG") + oem("Unix") + oem("x")
    granted, status = c.many(lambda i: c.send(0x73, words, data, uid=0), 3000)
    check_end(c, "users", granted, status, [MANY_UIDS], 500)
    told("it has 1024 users")
    c.close()


def transactions():
    """First parts of NT transactions of 1 MiB, whose rest never comes: the oldest gives way."""
    c = Client()
    part = b"\0" * 50000

    def first(i):
        words = struct.pack("<BHIIIIIIIIBH", 0, 0, 0, 1 << 20, 100, 100, 0, 0, len(part), 72, 0, 5)
        return c.send(0xa0, words, part, mid=i + 1)
    granted, status = c.many(first, 400, ahead=0)
    check_end(c, "unfinished transactions", granted, status, [0, NO_ROOM], 50)
    c.close()


def waiting():
    """Locks that wait, each asked for in a long message."""
    holder, c = Client(), Client()
    fid = holder.open("waited")["fid"]
    holder.lock(fid, 0, 10)
    mine = c.open("waited")["fid"]
    words = struct.pack("<BBHHBBIHH", 0xff, 0, 0, mine, 0, 0, 0xffffffff, 0, 1)
    data = struct.pack("<HII", 1, 0, 10) + b"\0" * 60000
    mids = [c.send(0x24, words, data) for _ in range(400)]
    r = c.answer(mids[-1])
    check_end(c, "waiting requests", len(mids), c.status(r), [NO_ROOM], 1)
    other = Client()
    mine = other.open("waited")["fid"]
    words = struct.pack("<BBHHBBIHH", 0xff, 0, 0, mine, 0, 0, 0xffffffff, 0, 1)
    mids = [other.send(0x24, words, struct.pack("<HII", 1, 0, 10)) for _ in range(257)]
    r = other.answer(mids[-1])
    check_end(other, "short ones, however many fit the memory,", len(mids), other.status(r), [NO_ROOM], 257)
    told("256 requests wait")
    tally.same([mid for mid in mids[:-1] if mid in other.early], [], "all before them wait")
    other.close()
    holder.close()
    c.close()


def many_locks(c, fid):
    """One byte in two, 200 a request."""
    per = 200
    words = struct.pack("<BBHHBBIHH", 0xff, 0, 0, fid, 0, 0, 0, 0, per)

    def send(i):
        return c.send(0x24, words, b"".join(struct.pack("<HII", 1, (i * per + k) * 2, 1) for k in range(per)))
    granted, status = c.many(send, 200)
    return granted * per, status


def others_locks():
    """A file in which somebody else has very many locks is written to by one who has no memory left."""
    other, c = Client(share="unshown"), Client(share="unshown")
    granted, status = many_locks(other, other.open("theirs")["fid"])
    tally.check(granted > 10000 and status == NO_ROOM, "somebody has many locks", "%d, then %08x" % (granted, status))
    fid, mine = c.open("theirs")["fid"], c.open("mine")["fid"]
    granted, status = c.many(lambda i: c.start_open("n" * 200 + str(i % 7)), 20000)
    tally.same(status, MANY_OPEN, "somebody else has no memory left")
    before = anonymous(c.worker)
    tally.same(c.write(fid, "free", 100000), 0, "he writes where there is no lock")
    tally.same(c.write(fid, "locked", 0), 0xc0000054, "he cannot where there is one")
    more = anonymous(c.worker) - before
    tally.check(more < 0.3, "and their list does not stay in his memory", "%.1f MiB" % more)
    granted, status = many_locks(c, mine)
    tally.check(granted < 5000 and status == NO_ROOM, "nor gets he many himself", "%d, then %08x" % (granted, status))
    c.close()
    other.close()


def locks():
    c = Client()
    fid = c.open("locked")["fid"]
    granted, status = many_locks(c, fid)
    check_end(c, "locks of a file", granted, status, [NO_ROOM], 10000)
    told("more locks than 16384 in a file or 65536 in all")
    tally.same(c.lock(fid, 0, 1, unlock=True)["status"], 0, "a lock is given back")
    c.close()


def begin_watch(c, fid, tree):
    """A watch with the largest buffer, and no request that waits: status."""
    words = struct.pack("<BHIIIIIIIIBH", 0, 0, 0, 0, 65000, 0, 0, 0, 0, 0, 4, 4)
    mid = c.send(0xa0, words + struct.pack("<IHBB", 0xfff, fid, tree, 0), b"")
    c.send(0xa4, b"", b"", mid=mid)
    status = c.status(c.answer(mid))
    return 0 if status == CANCELLED else status


def watches():
    """Whole trees are watched, and there is a lot to tell that nobody asks for."""
    c = Client()
    c.ask(0x00, b"", b"\x04" + oem("\\watched"))
    granted, status, n = 0, 0, 0
    while status == 0 and n < 2000:
        got = c.open("\\watched", access=0x100001, options=1)
        status = got["status"] or begin_watch(c, got["fid"], 1)
        n += 1
    other = Client()
    for i in range(300):
        open(FOLDER + "/watched/%s%d" % ("w" * 150, i), "w").close()
    other.open("\\watched\\x")
    time.sleep(0.5)
    check_end(c, "watches", n, status, [0, NO_ROOM, MANY_OPEN], 200)
    other.close()
    c.close()


def trees_watched():
    """Watches of whole trees, of each folder of which the way is kept, however late it comes."""
    deep = FOLDER + "/coming"
    os.mkdir(deep)
    for i in range(12):
        deep += "/" + "t" * 120
        os.mkdir(deep)
    for i in range(240):
        os.mkdir(deep + "/%s%d" % ("t" * 120, i))
    os.mkdir(FOLDER + "/trees")
    c = Client()
    fids = [c.open("\\trees", access=0x100001, options=1)["fid"] for _ in range(110)]
    tally.same({begin_watch(c, fid, 1) for fid in fids[:90]}, {0}, "90 trees are watched")
    os.rename(FOLDER + "/coming", FOLDER + "/trees/come")
    until, before = time.monotonic() + 20, 0
    while time.monotonic() < until and (anonymous(c.worker) < 10 or anonymous(c.worker) != before):
        before = anonymous(c.worker)
        time.sleep(0.3)
        c.echo()
    said = [begin_watch(c, fid, 1) for fid in fids[90:]]
    check_end(c, "watches of trees", said.count(0), said[-1], [NO_ROOM], 0)
    tally.same(set(said) - {0}, {NO_ROOM}, "and with no other")
    c.close()


def attributes():
    """Extended attributes and streams lie on the disk."""
    c = Client()
    fid = c.open("ea", access=0x1f01ff)["fid"]
    status, n = 0, 0
    while status == 0 and n < 400:
        ea = struct.pack("<BBH", 0, 8, 2000) + b"NAME%04d\0" % n + b"v" * 2000
        r, _, _ = c.trans2(8, struct.pack("<HHH", fid, 2, 0), struct.pack("<I", len(ea) + 4) + ea)
        status = c.status(r)
        n += 1
    check_end(c, "attributes", n, status, [0xc000007f], 1)
    granted, status = c.many(lambda i: c.start_open("ea:stream%d" % i), 500)
    check_end(c, "streams", granted, status, [0, 0xc000007f], 20)
    c.close()


def unread():
    """A client that asks and does not read: its worker waits, and ends."""
    c = Client()
    fid = c.open("big")["fid"]
    os.truncate(FOLDER + "/big", 1 << 20)
    c.sock.settimeout(0.5)
    words = struct.pack("<BBHHIHHIHI", 0xff, 0, 0, fid, 0, 60000, 60000, 0, 0, 0)
    try:
        for _ in range(20000):
            c.send(0x2e, words)
    except OSError:
        pass
    mib = anonymous(c.worker)
    print("# unread replies: %.1f MiB" % mib)
    tally.check(mib <= MAX_MIB, "unread replies cost no more than %d MiB" % MAX_MIB, "%.1f" % mib)
    tally.check(gone(c.worker, 8), "a client that does not read is let go")
    c.close()


def part_of(length):
    """A message of so many bytes, but for its last one."""
    return struct.pack(">I", length) + b"\xffSMB" + b"\x2b" * (length - 5)


def long_messages():
    """The longest of Unix clients: data to be written go to the file as they come, others share the memory."""
    c = Client()
    tally.same(c.unix(0xc1), 0, "large reads and writes")
    fid = c.open("long", disposition=5)["fid"]
    before = anonymous(c.worker)
    data = os.urandom(1 << 16) * 255
    words = struct.pack("<BBHHIIHHHHHI", 0xff, 0, 0, fid, 0, 0, 0, 0, len(data) >> 16, len(data) & 0xffff, 63, 0)
    message = c.message(0x2f, words, data)
    c.sock.sendall(struct.pack(">I", len(message)) + message[:-1])
    time.sleep(0.3)
    mib = anonymous(c.worker) - before
    tally.check(mib < 1, "a write of 16 MiB, but for its last byte, costs less than 1 MiB", "%.1f" % mib)
    c.sock.sendall(message[-1:])
    tally.same(c.status(c.recv()), 0, "and is done")
    with open(FOLDER + "/long", "rb") as f:
        tally.check(f.read() == data, "all of it")
    c.sock.sendall(part_of(10 << 20))
    time.sleep(0.3)
    mib = anonymous(c.worker)
    print("# a message of 10 MiB, but for its last byte: %.1f MiB" % mib)
    tally.check(10 <= mib <= MAX_MIB, "a message of 10 MiB is received as a whole", "%.1f" % mib)
    c.sock.sendall(b"\x2b")  # an echo that does not make sense
    c.answer(0x2b2b)
    granted, status = c.many(lambda i: c.start_open("n" * 200 + str(i % 7)), 20000)
    check_end(c, "open files right after it", granted, status, [MANY_OPEN], 100)
    c.close()
    c = Client()
    tally.same(c.unix(0xc1), 0, "large reads and writes")
    try:
        c.sock.sendall(part_of(0xffffff))
    except OSError:
        pass
    tally.check(gone(c.worker, 2), "one of 16 MiB that is no write ends the connection")
    c.close()


def all_at_once():
    """As much of everything as it gets, and on top the longest message that it gets then, and the longest answer, unread."""
    c = Client(caps=0x40d0)  # large reads
    tally.same(c.unix(0xc1), 0, "large reads and writes")
    os.makedirs(FOLDER + "/all", exist_ok=True)
    for i in range(3000):
        open(FOLDER + "/all/%s%d" % ("a" * 60, i), "w").close()
    first = struct.pack("<BHIIIIIIIIBH", 0, 0, 0, 60000, 100, 100, 0, 0, 50000, 72, 0, 5)
    for _ in range(32):
        c.ask(0xa0, first, b"\0" * 50000)
    for _ in range(500):
        c.find("\\all\\*")
    got = c.open("\\all", access=0x100001, options=1)
    watch = struct.pack("<BHIIIIIIIIBH", 0, 0, 0, 0, 65000, 0, 0, 0, 0, 0, 4, 4)
    watch += struct.pack("<IHBB", 0xfff, got["fid"], 1, 0)
    for _ in range(100):
        c.send(0xa0, watch, b"\0" * 60000)
    granted, status = c.many(lambda i: c.start_open("n" * 200 + str(i % 7)), 20000)
    os.truncate(FOLDER + "/" + "n" * 200 + "0", 1 << 20)
    c.sock.sendall(part_of(OWN_MESSAGE) + b"\x2b")  # an echo that does not make sense
    c.answer(0x2b2b)
    words = struct.pack("<BBHHIHHIHI", 0xff, 0, 0, got["fid"] + 1, 0, 0, 0, 0x10, 0, 0)
    for _ in range(20):  # more than socket buffers hold: the last answer waits in memory
        c.send(0x2e, words)
    time.sleep(0.5)
    mib = anonymous(c.worker)
    print("# everything at once: %d files, then %08x; %.1f MiB" % (granted, status, mib))
    tally.check(status in (MANY_OPEN, NO_ROOM), "everything at once ends with the right status", "%08x" % status)
    tally.check(MAX_MIB - 4 <= mib <= MAX_MIB, "everything at once, a long message and a long answer, costs no more than %d MiB" % MAX_MIB,
                "%.1f" % mib)
    c.close()


def gone(pid, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not os.path.exists("/proc/%d" % pid):
            return True
        time.sleep(0.05)
    return False


def peak(pid):
    """MiB it has had at most, shared pages too."""
    with open("/proc/%d/status" % pid) as f:
        return next(int(line.split()[1]) for line in f if line.startswith("VmHWM")) / 1024


def many_names():
    """Commands that mean all names of a folder, whatever number it holds."""
    c = Client()
    os.mkdir(FOLDER + "/short")
    deep = FOLDER + "/deep"
    path = "\\deep"
    os.mkdir(deep)
    for i in range(7):
        deep += "/" + "d" * 120
        path += "\\" + "d" * 120
        os.mkdir(deep)
    for i in range(20000):
        open(FOLDER + "/short/%06d%s.a" % (i, "s" * 60), "w").close()
        os.link(FOLDER + "/short/%06d%s.a" % (i, "s" * 60), deep + "/%06d%s" % (i, "l" * 200))
    for d in (FOLDER + "/short", FOLDER + "/deep"):
        subprocess.run(["chmod", "-R", "a+rwX", d], check=True)

    def two(cmd, words, old, new):
        return c.status(c.ask(cmd, words, b"\x04" + oem(old) + b"\x04" + oem(new)))
    attrs = struct.pack("<H", 0x16)
    tally.same(two(0x07, attrs, "\\short\\*.a", "\\short\\*.b"), 0, "20000 files are renamed by one command")
    tally.check(not os.path.exists(FOLDER + "/short/%06d%s.a" % (19999, "s" * 60)), "all of them")
    tally.same(two(0x07, attrs, path + "\\*", path + "\\*x"), NO_ROOM, "names that would fill too much memory are refused")
    tree = struct.pack("<HHH", 0xffff, 0x11, 0x22)
    tally.same(two(0x29, tree, path, "\\copy"), NO_ROOM, "and not copied")
    tally.same(two(0x29, tree, "\\short", path[:-121] + "\\copy"), NO_ROOM, "nor those that would with where they go to")
    tally.same(c.status(c.ask(0x06, attrs, b"\x04" + oem(path + "\\*"))), 0, "20000 files far down are deleted by one command")
    tally.same(os.listdir(deep), [], "all of them")
    print("# many names: %.1f MiB at most" % peak(c.worker))
    tally.check(peak(c.worker) <= MAX_MIB, "they cost no more than %d MiB" % MAX_MIB, "%.1f" % peak(c.worker))
    c.close()


def half_frames():
    c, slow = Client(), Client()
    c.sock.sendall(struct.pack(">BBH", 0, 0, 60) + b"\xffSMB\x2b")
    message = slow.message(0x2b, struct.pack("<H", 1), b"x" * 40)
    began = time.monotonic()
    for b in struct.pack(">BBH", 0, 0, len(message)) + message[:-1]:
        if not os.path.exists("/proc/%d" % slow.worker):
            break
        try:
            slow.sock.sendall(bytes([b]))
        except OSError:
            break
        time.sleep(0.1)
    tally.check(gone(slow.worker, 3) and time.monotonic() - began < 6, "half a message that dribbles in does not help")
    tally.check(gone(c.worker, 5), "a client that has sent half a message is let go")


def bare(n):
    return [socket.create_connection((HOST, PORT), 5) for _ in range(n)]


def one_address():
    """`max unauthenticated` 20: one more, and the oldest that says nothing ends."""
    old = bare(20)
    time.sleep(1.7)  # nobody is disturbed who may be logging in
    new = bare(10)
    time.sleep(0.3)
    ended = [bool(select.select([s], [], [], 0)[0]) for s in old + new]
    tally.same(ended, [True] * 10 + [False] * 20, "of one address the oldest connections without login end")
    for s in old + new:
        s.close()


def before_login():
    """`login timeout` 3: whatever dribbles in, all are gone after it."""
    one = bare(1)[0]
    began = time.monotonic()
    alive = True
    while alive and time.monotonic() - began < 8:
        try:
            one.send(b"\x85\0\0\0")  # keepalive frames
        except OSError:
            alive = False
        time.sleep(0.2)
    took = time.monotonic() - began
    tally.check(not alive and took < 6, "a connection without login ends in time", "%.1f s" % took)
    all_of_them = bare(60)
    time.sleep(0.3)
    began = time.monotonic()
    try:
        Client().close()
    except (Broken, OSError):  # 40 at once are allowed, and all are young: the next one is
        time.sleep(1.7)
        Client().close()
    print("# a new client beside them after %.2f s" % (time.monotonic() - began))
    tally.check(len(children("smb1d-porch")) <= 41, "there are no more of them than allowed",
                str(len(children("smb1d-porch"))))
    for s in all_of_them:
        s.close()


PARTS = [opens, long_names, pipes, searches, listings, trees_and_users, transactions, waiting, others_locks, locks, watches, trees_watched, attributes, unread, many_names,
         long_messages, all_at_once, half_frames, one_address, before_login]
LONG = [locks] if not os.environ.get("CI_FULL") else []  # tests/unit/test_db_brl.c has the numbers
for part in PARTS:
    if part.__name__ in sys.argv[5:] or (not sys.argv[5:] and part not in LONG):
        began = time.monotonic()
        tally.section(part.__name__, part)
        print("# %s: %.1f s" % (part.__name__, time.monotonic() - began))
sys.exit(tally.end())
