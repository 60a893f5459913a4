#!/usr/bin/env python3
"""Shared state that survives: workers, the daemon, or all of them killed; lock databases scribbled over or cut, at rest
and under load.  state.py BUILD DIR PORT [SEED [PART ...]]: a daemon is started with DIR/smb.conf as often as needed."""
import glob
import os
import random
import signal
import struct
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from smb1wire import Broken, Conn, Tally, oem  # noqa: E402

BUILD, DIR, PORT = sys.argv[1], sys.argv[2], int(sys.argv[3])
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else int(time.time())
PARTS = sys.argv[5:]
LOCK = DIR + "/lock"
TABLES = ["smb1d-opens.tdb", "smb1d-brlock.tdb", "smb1d-sessions.tdb", "smb1d-trees.tdb", "smb1d-notify.tdb"]
VIOLATION, LOCKED = (1, 32), (1, 33)
SERVED = 10.0  # seconds until new clients are served again: two or three of them, more on a machine with other work
tally, rnd = Tally(), random.Random(SEED)


# --- a client ---

class Client(Conn):
    """A guest in the share."""

    def __init__(self):
        Conn.__init__(self, "127.0.0.1", PORT, "*SMBSERVER", "STATE", timeout=15)
        self.negotiate(["NT LM 0.12"])
        r = self.call(0x73, struct.pack("<BBHHHHIHHII", 0xff, 0, 0, 16644, 10, 1, 0, 24, 0, 0, 0x50),
                      b"\1" * 24 + oem("nobody-known") + oem("W") + oem("x") + oem("y"))
        self.need(r)
        self.uid = r.uid
        r = self.call(0x75, struct.pack("<BBHHH", 0xff, 0, 0, 0, 1), b"\0" + oem("\\\\HOST\\SHARE") + oem("?????"))
        self.need(r)
        self.tid = r.tid

    @staticmethod
    def need(r):
        if r.err != (0, 0):
            raise Broken(str(r))
        return r

    def create(self, name, share=7, oplock=0, access=0x12019f):
        """The reply; its .fid if it is a success."""
        r = self.call(0xa2, struct.pack("<BBHBHIIIQIIIIIB", 0xff, 0, 0, 0, len(name), oplock, 0, access, 0, 0x80, share,
                                        3, 0, 2, 0), oem(name))
        if r.err == (0, 0):
            r.oplock, r.fid = struct.unpack_from("<BH", r.words, 4)
        return r

    def open(self, name, **how):
        return self.need(self.create(name, **how)).fid

    def close_file(self, fid):
        return self.call(0x04, struct.pack("<HI", fid, 0xffffffff))

    def lock(self, fid, start, length, timeout=0):
        return self.call(0x24, struct.pack("<BBHHBBIHH", 0xff, 0, 0, fid, 0, 0, timeout, 0, 1),
                         struct.pack("<HII", 1, start, length))

    def unlock(self, fid, start, length):
        return self.call(0x24, struct.pack("<BBHHBBIHH", 0xff, 0, 0, fid, 0, 0, 0, 1, 0),
                         struct.pack("<HII", 1, start, length))

    def write(self, fid, at, data):
        return self.call(0x2f, struct.pack("<BBHHIIHHHHH", 0xff, 0, 0, fid, at, 0, 0, 0, 0, len(data), 59), data)

    def alive(self):
        return self.call(0x2b, struct.pack("<H", 1), b"alive").data == b"alive"


# --- the daemon ---

class Daemon:
    def __init__(self):
        self.p = None

    def start(self):
        """Seconds until a client was served."""
        begun = time.time()
        self.p = subprocess.Popen([BUILD + "/smb1d", "-F", "-s", DIR + "/smb.conf"],
                                  stdout=subprocess.DEVNULL, stderr=open(DIR + "/log/stderr", "wb"))
        return served(begun)

    def stop(self):
        self.p.send_signal(signal.SIGTERM)
        self.p.wait(20)

    def kill(self):
        self.p.kill()
        self.p.wait()

    def children(self):
        try:
            with open("/proc/%d/task/%d/children" % (self.p.pid, self.p.pid)) as f:
                return {int(x) for x in f.read().split()}
        except OSError:
            return set()

    def workers(self):
        return {p for p in self.children() if comm(p) == "smb1d-worker"}


def comm(pid):
    try:
        with open("/proc/%d/comm" % pid) as f:
            return f.read().strip()
    except OSError:
        return ""


def new_client(daemon):
    """A client and the process that serves it."""
    before = daemon.workers()
    c = Client()
    pid = (daemon.workers() - before).pop()
    return c, pid


def soon(what, seconds):
    """Tries until it is true; seconds it took, None if it did not become so."""
    begun = time.time()
    while True:
        try:
            if what():
                return time.time() - begun
        except (Broken, OSError, struct.error):
            pass
        if time.time() - begun > seconds:
            return None
        time.sleep(0.02)


def use_all():
    """New clients, and all that two of them need the shared tables for."""
    a, b = Client(), Client()
    name = "used%d" % time.monotonic_ns()  # a new one, of which watchers of the folder are told
    fid = a.open(name, share=0)
    good = b.create(name).err == VIOLATION
    a.close_file(fid)
    fid, other = a.open(name, share=7), b.open(name, share=7)
    good = good and a.lock(fid, 0, 10).err == (0, 0) and b.lock(other, 5, 10).err == LOCKED
    good = good and a.unlock(fid, 0, 10).err == (0, 0) and b.lock(other, 5, 10).err == (0, 0)
    good = good and a.write(fid, 0, b"x").err == (0, 0)
    a.close()
    b.close()
    return good


def served(begun=None):
    begun = begun or time.time()
    took = soon(use_all, SERVED * 2)
    return None if took is None else time.time() - begun


def log_has(text, since):
    with open(DIR + "/log/smb1d.log", errors="replace") as f:
        f.seek(since)
        return text in f.read()


def log_size():
    return os.path.getsize(DIR + "/log/smb1d.log")


# --- load ---

class Load(threading.Thread):
    """A client that opens, locks, writes and closes until told to stop; it comes back when it is thrown out."""

    def __init__(self, n):
        threading.Thread.__init__(self, daemon=True)
        self.n, self.over, self.rounds, self.ends, self.wrong = n, False, 0, 0, []

    def work(self, c):
        own, common = c.open("own%d" % self.n, share=0), c.open("common", share=7)
        while not self.over:
            if c.lock(own, 0, 8).err != (0, 0) or c.unlock(own, 0, 8).err != (0, 0):
                return
            if c.write(own, self.rounds * 16 % 4096, b"0123456789abcdef").err != (0, 0):
                return
            c.lock(common, self.n * 10, 10)
            c.unlock(common, self.n * 10, 10)
            c.close_file(common)
            common = c.open("common", share=7)
            self.rounds += 1

    def run(self):
        while not self.over:
            try:
                c = Client()
                self.work(c)
                c.close()
            except (Broken, OSError, struct.error):
                pass
            self.ends += 1
            time.sleep(0.05)


def loads(n):
    all_ = [Load(i) for i in range(n)]
    for l in all_:
        l.start()
    soon(lambda: all(l.rounds > 3 for l in all_), 10)
    return all_


def end_loads(all_):
    for l in all_:
        l.over = True
    for l in all_:
        l.join(20)


# --- damage ---

def damage(name, how):
    path = LOCK + "/" + name
    size = os.path.getsize(path)
    with open(path, "r+b") as f:
        if how == "scribbled":
            f.write(rnd.randbytes(size))
        elif how == "header":
            f.write(rnd.randbytes(min(size, 512)))
        elif how == "records":  # behind the mutexes
            at = size * 9 // 10
            f.seek(at)
            f.write(rnd.randbytes(size - at))
        elif how == "locked":  # each mutex as if somebody who lives held it, and would for ever
            for at in [168] + list(range(216, struct.unpack_from("<I", f.read(40), 36)[0] * 40 + 256, 40)):
                f.seek(at)
                f.write(struct.pack("<I", os.getpid()))
        else:
            f.truncate(0 if how == "emptied" else size // 2)


def clear_bad():
    for f in glob.glob(LOCK + "/*.bad"):
        os.unlink(f)


# --- the parts ---

def killed_worker(daemon):
    slowest = 0.0
    for i in range(10):
        a, pid = new_client(daemon)
        b = Client()
        deny, batch, ranges = "deny%d" % i, "batch%d" % i, "ranges%d" % i
        a.open(deny, share=0)
        held = a.create(batch, share=7, oplock=6)
        a.lock(a.open(ranges), 0, 100)
        fid = b.open(ranges)
        good = held.oplock == 2 and b.create(deny).err == VIOLATION and b.lock(fid, 50, 10).err == LOCKED
        waiting = b.send(0x24, struct.pack("<BBHHBBIHH", 0xff, 0, 0, fid, 0, 0, 10000, 0, 1), struct.pack("<HII", 1, 0, 9))
        begun = time.time()
        os.kill(pid, signal.SIGKILL)
        good = b.recv().mid == waiting and good
        good = soon(lambda: b.create(deny, share=0).err == (0, 0), 1) is not None and good
        good = b.create(batch).err == (0, 0) and b.lock(fid, 50, 10).err == (0, 0) and good
        took = time.time() - begun
        slowest = max(slowest, took)
        tally.check(good and took < 1, "worker killed, time %d: others go on" % (i + 1), "after %.2f s" % took)
        a.close()
        b.close()


def killed_daemon(daemon):
    a, b = Client(), Client()
    mine = a.open("mine", share=0)
    common, other = a.open("shared"), b.open("shared")
    a.lock(common, 0, 10)
    left = daemon.children()
    daemon.kill()
    tally.check(a.alive() and b.alive() and a.write(mine, 0, b"on").err == (0, 0), "daemon killed: sessions live on")
    tally.same(b.create("mine").err, VIOLATION, "... deny modes hold")
    tally.same(b.lock(other, 0, 10).err, LOCKED, "... and locks")
    took = daemon.start()
    tally.check(took is not None and took < SERVED, "a restart serves at once", took)
    c = Client()
    tally.same(c.create("mine").err, VIOLATION, "new sessions respect the old ones' deny modes")
    tally.same(c.lock(c.open("shared"), 5, 1).err, LOCKED, "... and locks")
    a.close_file(mine)
    a.unlock(common, 0, 10)
    tally.same(c.create("mine", share=0).err, (0, 0), "... and see them go")
    tally.same(b.lock(other, 0, 10).err, (0, 0), "... old ones too")
    for x in (a, b, c):
        x.close()
    soon(lambda: not any(comm(p) for p in left), 5)


def killed_all(daemon):
    all_ = loads(4)
    since = log_size()
    for p in [daemon.p.pid] + list(daemon.children()):
        try:
            os.kill(p, signal.SIGKILL)
        except ProcessLookupError:
            pass
    daemon.p.wait()
    took = daemon.start()
    tally.check(took is not None and took < SERVED, "all killed under load: a restart serves at once", took)
    rounds = [l.rounds for l in all_]
    back = soon(lambda: all(l.rounds > r for l, r in zip(all_, rounds)), 10)
    tally.check(back is not None, "... and those who come back find their files free")
    tally.check(not log_has("damaged", since), "... without damage")
    end_loads(all_)


def damaged_at_rest(daemon):
    for how in ("scribbled", "header", "emptied", "halved"):
        daemon.stop()
        clear_bad()
        since = log_size()
        for name in TABLES + ["smb1d-grants"]:
            damage(name, how)
        took = daemon.start()
        tally.check(took is not None and took < SERVED, "all databases %s at rest: served" % how, took)
        if how != "emptied":  # a file of nothing is as good as none
            for name in TABLES:
                tally.check(log_has(name + " was damaged", since), "... %s: the log says so" % name)


def told(good, name, came=""):
    """A check, and the last words of the daemon where it fails: rarely one does."""
    if not tally.check(good, name, came):
        with open(DIR + "/log/smb1d.log", errors="replace") as f:
            print("".join("# " + line for line in f.readlines()[-30:]), end="", flush=True)


def damaged_under_load(daemon):
    for name in TABLES + ["smb1d-grants"]:
        # the places of mutexes are known for one kind of machine
        locked = ("locked",) if name in TABLES[:2] and os.uname().machine == "x86_64" else ()
        for how in ("scribbled", "records", "emptied", "halved") + locked:
            clear_bad()
            idle = Client()
            all_ = loads(3)
            since = log_size()
            begun = time.time()
            damage(name, how)
            time.sleep(0.1)
            took = served(begun)
            told(took is not None and took < SERVED, "%s %s under load: served again" % (name, how), took)
            rounds = [l.rounds for l in all_]
            back = soon(lambda: all(l.rounds > r + 3 for l, r in zip(all_, rounds)), 10)
            told(back is not None, "... the others go on", "%s" % [l.rounds - r for l, r in zip(all_, rounds)])
            end_loads(all_)
            try:
                told(idle.alive() and idle.create("idle").err == (0, 0), "... who had nothing there stays")
            except (Broken, OSError) as e:
                told(False, "... who had nothing there stays", e)
            idle.close()
            if name == "smb1d-grants":
                told(not log_has("was ended by signal", since), "... nobody ended")
            if name == "smb1d-grants" or how == "records":  # which may have been free space
                continue
            # two lines say so; of many equal ones at once the log leaves some out
            noticed = soon(lambda: log_has(name + " was damaged", since) or log_has(name + ": it cannot be", since)
                           or log_has(name + ": whoever looks", since) or use_all() is None, 5)
            told(noticed is not None, "... the log says what was done", name + " " + how)


def damaged_accounts(daemon):
    """The account store is put back from its own copy; without a good one the start is refused."""
    store = DIR + "/private/smb1d-passdb.tdb"

    def users():
        return subprocess.run([BUILD + "/smb1ctl", "-s", DIR + "/smb.conf", "users"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT).stdout
    before = users()

    def spoil(path, how):
        size = os.path.getsize(path)
        with open(path, "r+b") as f:
            if how == "scribbled":
                f.write(rnd.randbytes(size))
            else:
                f.truncate(0 if how == "emptied" else size // 2)
    for how in ("scribbled", "emptied", "halved"):
        daemon.stop()
        since = log_size()
        spoil(store, how)
        took = daemon.start()
        tally.check(took is not None and took < SERVED, "account store %s: served" % how, took)
        tally.same(users(), before, "... with all accounts")
        tally.check(log_has("put back", since), "... the log says so")
    daemon.stop()
    with open(store, "rb") as f:
        good = f.read()
    spoil(store, "scribbled")
    spoil(store + ".bak", "halved")
    r = subprocess.run([BUILD + "/smb1d", "-F", "-s", DIR + "/smb.conf"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       timeout=20)
    tally.check(r.returncode == 1 and b"account store" in r.stdout, "store and copy damaged: the start is refused", r)
    with open(store, "wb") as f:
        f.write(good)
    daemon.start()
    tally.same(users(), before, "a good copy put in its place is used")


def main():
    daemon = Daemon()
    print("# seed %d" % SEED)
    parts = [killed_worker, killed_daemon, killed_all, damaged_at_rest, damaged_under_load, damaged_accounts]
    try:
        daemon.start()
        for part in parts:
            if PARTS and part.__name__ not in PARTS:
                continue
            begun = time.time()
            tally.section(part.__name__, part, daemon)
            print("# %s: %.1f s" % (part.__name__, time.time() - begun))
    finally:
        left = daemon.children()
        daemon.kill()
        for p in left:
            try:
                os.kill(p, signal.SIGKILL)
            except ProcessLookupError:
                pass
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
