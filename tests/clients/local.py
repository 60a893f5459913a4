#!/usr/bin/env python3
"""local.py HOST PORT FOLDER: a client and programs of this host, which see the share as FOLDER."""
import fcntl
import os
import struct
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


for part in (leases,):
    say.section(part.__name__, part)
sys.exit(say.end())
