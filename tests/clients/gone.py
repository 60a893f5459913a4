#!/usr/bin/env python3
"""gone.py NAMESPACE HOST PORT BUILD SMB.CONF: clients in a network namespace, one of which goes silent and comes back."""
import json
import os
import subprocess
import sys
import time

from smb1wire import Tally

HERE = os.path.dirname(os.path.abspath(__file__))
VIOLATION, NOT_GRANTED, CONFLICT = 0xc0000043, 0xc0000055, 0xc0000054
ns, host, port, build, conf = sys.argv[1:6]
say = Tally()


class Remote:
    """A client process; inside: in the namespace."""

    def __init__(self, inside=True, vc=1):
        argv = ["ip", "netns", "exec", ns] if inside else []
        self.p = subprocess.Popen(argv + [sys.executable, os.path.join(HERE, "nt1wire.py"), host, port, "share", str(vc)],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = json.loads(self.p.stdout.readline())

    def __call__(self, what):
        self.p.stdin.write(what + "\n")
        self.p.stdin.flush()
        return json.loads(self.p.stdout.readline())

    def end(self):
        self.p.kill()
        self.p.wait()


def ip(*args):
    return subprocess.run(["ip", *args], stderr=subprocess.DEVNULL).returncode == 0


def silence(client, on=True):
    """Nothing that the client's socket sends leaves its machine any more."""
    return ip("-n", ns, "rule", "add" if on else "del", "blackhole", "ipproto", "tcp", "sport", str(client.port))


def silent_death():
    old, other = Remote(), Remote(inside=False)
    held, batch, locked = (old('open("%s", share=%d, oplock=%d)' % a) for a in (("held", 0, 0), ("batch", 7, 2), ("locked", 7, 0)))
    say.same(old('lock(%d, 0, 10)' % locked["fid"])["status"], 0, "it holds a deny-all open, a batch oplock and a lock")
    say.same(batch["oplock"], 2, "... the oplock is granted")
    if not silence(old):
        say.check(True, "a silent client # SKIP no routing rules by port")
        return
    came = other('open("held")')
    say.check(came["status"] == VIOLATION and came["ms"] < 500, "another address is refused at once", came)
    new = Remote()
    came = new('open("held")')
    say.check(came["status"] == 0 and came["ms"] < 5000, "back again: the file within 5 s", came)
    came = new('open("batch", oplock=2)')
    say.check(came["status"] == 0 and came["ms"] < 1000, "... the oplock is gone with the connection", came)
    fid = new('open("locked")')["fid"]
    came = new('lock(%d, 5, 1)' % fid)
    say.check(came["status"] == 0 and came["ms"] < 1000, "... and so is the lock", came)
    say.same(other("echo()"), 0, "other clients do not notice")
    silence(old, False)
    for c in (old, other, new):
        c.end()


def one_by_one():
    """The first thing wanted is what must wait: an oplock, a lock, a deletion."""
    for what in ("oplock", "lock", "delete", "lock that waits"):
        old = Remote()
        f = old('open("f-%s", share=7, oplock=%d)' % (what[:4], 2 if what == "oplock" else 0))
        if what.startswith("lock"):
            old('lock(%d, 0, 10)' % f["fid"])
        if not silence(old):
            return
        new = Remote()
        began = time.monotonic()
        if what == "oplock":
            came = new('open("f-oplo", oplock=2)')["status"]
        elif what == "delete":
            came = new('delete("f-dele")')
        else:
            fid = new('open("f-lock")')["fid"]
            came = new('lock(%d, 5, 1, timeout=%d)' % (fid, 20000 if "waits" in what else 0))["status"]
        took = time.monotonic() - began
        say.check(came == 0 and took < 5, "the first thing wanted is its %s" % what, "%08x in %.1f s" % (came, took))
        silence(old, False)
        old.end()
        new.end()


def the_living():
    old = Remote()
    fid = old('open("mine", share=0)')["fid"]
    time.sleep(1.5)
    new = Remote()
    came = new('open("mine")')
    say.check(came["status"] == VIOLATION and came["ms"] < 2500, "a living neighbour keeps its file", came)
    came = new('open("mine")')
    say.check(came["status"] == VIOLATION and came["ms"] < 200, "... and the next refusal comes at once", came)
    say.same(old('write(%d, "still here")' % fid), 0, "... and it does not notice")
    old('lock(%d, 0, 10)' % fid)
    say.same(old("echo()"), 0, "it speaks once more")
    came = Remote()
    first = came('open("mine")')
    say.check(first["status"] == VIOLATION, "another new one is refused too", first)
    for c in (old, new, came):
        c.end()


def reboot():
    """The machine loses its power and starts again: the old connection is unknown to it."""
    old = Remote()
    old('open("boot", share=0)')
    ip("-n", ns, "link", "set", "eth0", "down")
    old.end()  # its FIN is lost
    ip("-n", ns, "link", "set", "eth0", "up")
    time.sleep(0.3)
    new = Remote()
    came = new('open("boot")')
    say.check(came["status"] == 0 and came["ms"] < 5000, "after a reboot: the file within 5 s", came)
    new.end()


def zero_vc():
    """`reset on zero vc`: at once, by the login."""
    subprocess.run(["sed", "-i", "s/^\\[share\\]/ reset on zero vc = yes\\n[share]/", conf], check=True)
    subprocess.run([build + "/smb1ctl", "-s", conf, "reload"], stdout=subprocess.DEVNULL, check=True)
    old, far = Remote(), Remote(inside=False, vc=0)
    old('open("vc", share=0)')
    say.same(old("echo()"), 0, "a login from elsewhere with VC 0 ends nobody")
    second = Remote(vc=1)
    say.same(old("echo()"), 0, "neither does one with VC 1")
    new = Remote(vc=0)
    came = new('open("vc")')
    say.check(came["status"] == 0 and came["ms"] < 1000, "a login with VC 0 ends the client's other connections", came)
    say.check(str(old("echo()")).startswith("broken"), "... the old one is closed")
    say.check(str(second("echo()")).startswith("broken"), "... all of them")
    say.same(far("echo()"), 0, "... and of nobody else")
    for c in (old, far, second, new):
        c.end()


for part in (silent_death, one_by_one, the_living, reboot, zero_vc):
    say.section(part.__name__, part)
sys.exit(say.end())
