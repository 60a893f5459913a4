#!/usr/bin/env python3
"""Clients of several dialects on a disk of 4 MiB: what would reach beyond it is refused at once.

usage: full.py HOST NBTPORT SHARE strict|loose"""
import struct
import sys

from smb1wire import Conn, Tally, block, oem, path

HOST, PORT, SHARE, KIND = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
T = Tally()
MIB = 1 << 20
CORE_FULL, DOS_FULL = (3, 39), (1, 112)


def connect(dialect):
    c = Conn(HOST, PORT, "SMBTEST", "OLDPC")
    c.negotiate([dialect])
    if dialect.startswith(("PC", "MICROSOFT NETWORKS 1")):
        r = c.call(0x70, b"", path("\\\\SMBTEST\\" + SHARE.upper()) + path("") + path("A:"))
        c.tid = r.w(1)
        return c
    if dialect.startswith("NT"):
        words = struct.pack("<BBHHHHIHHII", 0xff, 0, 0, 60000, 2, 1, 0, 0, 0, 0, 0x50)
        r = c.call(0x73, words, oem("nobodyhere") + oem("X") + oem("DOS") + oem("DOS"))
    else:
        words = struct.pack("<BBHHHHIHI", 0xff, 0, 0, 60000, 2, 1, 0, 0, 0)
        r = c.call(0x73, words, oem("nobodyhere") + oem("X") + oem("DOS") + oem("DOS"))
    c.uid = r.uid
    r = c.call(0x75, struct.pack("<BBHHH", 0xff, 0, 0, 0, 1), b"\0" + oem("\\\\SMBTEST\\" + SHARE) + oem("A:"))
    c.tid = r.tid
    return c


def create(c, name):
    return c.call(0x03, struct.pack("<HI", 0, 0), path(name)).w(0)


def close(c, fid):
    return c.call(0x04, struct.pack("<HI", fid, 0))


def write(c, fid, off, data):
    return c.call(0x0b, struct.pack("<HHIH", fid, len(data), off, 0), block(data))


def size(c, name):
    r = c.call(0x08, b"", path(name))
    return r.d(3) if r.err == (0, 0) else r.err


def delete(c, name):
    c.call(0x06, struct.pack("<H", 0x16), path(name))


def sizes_by_write(dialect, full):
    c = connect(dialect)
    fid = create(c, "A.DAT")
    T.fine(write(c, fid, MIB, b""), dialect + ": a write of nothing makes the file longer", 1)
    T.same(size(c, "A.DAT"), MIB, dialect + ": it is")
    T.error(write(c, fid, 100 * MIB, b""), [full], dialect + ": not beyond the disk")
    T.error(write(c, fid, 0xfffffff0, b""), [full], dialect + ": nor to the end of 32 bits")
    T.same(size(c, "A.DAT"), MIB, dialect + ": the size is what it was")
    T.error(write(c, fid, 100 * MIB, b"x"), [full], dialect + ": a byte far beyond the end")
    T.same(size(c, "A.DAT"), MIB, dialect + ": nothing was written")
    T.fine(write(c, fid, 0, b""), dialect + ": cut to nothing", 1)
    T.fine(write(c, fid, 2 * MIB, b"x"), dialect + ": a byte within the disk", 1)
    close(c, fid)
    delete(c, "A.DAT")
    c.close()


def whole_file(c, name, fid, dialect, full):
    """Data until it is full: each write that was acknowledged is there."""
    done, n, chunk = 0, 0, b"d" * 4000
    while n < 2000:
        r = write(c, fid, done, chunk)
        if r.err != (0, 0):
            break
        done += r.w(0)
        n += 1
        if r.w(0) < len(chunk):
            break
    T.check(r.err in ((0, 0), full), dialect + ": the disk is full", str(r))
    T.check(done >= 2 * MIB, dialect + ": not before", "%d bytes" % done)
    T.same(size(c, name), done, dialect + ": what was acknowledged is there")


def fill(dialect, full):
    c = connect(dialect)
    fid = create(c, "F.DAT")
    whole_file(c, "F.DAT", fid, dialect, full)
    close(c, fid)
    delete(c, "F.DAT")
    c.close()


def nt():
    d = "NT LM 0.12"
    c = connect(d)
    fid = create(c, "n.dat")

    def writex(off, data):
        words = struct.pack("<BBHHIIHHHHHI", 0xff, 0, 0, fid, off & 0xffffffff, 0, 0, 0, 0, len(data), 63, off >> 32)
        return c.call(0x2f, words, data)

    def set_size(level, n):
        return c.trans2(8, struct.pack("<HHH", fid, level, 0), struct.pack("<Q", n))[0]

    T.fine(writex(MIB, b"x"), d + ": WRITE_ANDX within the disk")
    T.error(writex(100 * MIB, b"x"), [DOS_FULL], d + ": WRITE_ANDX far beyond")
    T.error(writex(1 << 40, b"x"), [DOS_FULL], d + ": WRITE_ANDX beyond 32 bits")
    T.fine(set_size(0x104, 2 * MIB), d + ": END_OF_FILE within the disk")
    T.error(set_size(0x104, 100 * MIB), [DOS_FULL], d + ": END_OF_FILE beyond")
    T.error(set_size(1020, 1 << 40), [DOS_FULL], d + ": 1020 beyond")
    T.error(set_size(0x103, 100 * MIB), [DOS_FULL], d + ": ALLOCATION beyond")
    T.same(size(c, "n.dat"), 2 * MIB, d + ": the size is what it was")
    words = struct.pack("<BH8IBH", 0, 0, 0, 0, 0, 64, 0, 0, 0, 0, 4, 2) + struct.pack("<IHBB", 0x900c4, fid, 1, 0)
    T.fine(c.call(0xa0, words, b"\0"), d + ": the file is marked as sparse")
    T.fine(set_size(0x104, 100 * MIB), d + ": now it may be longer than the disk")
    T.fine(writex(1 << 40, b"x"), d + ": and have a byte far out")
    close(c, fid)
    delete(c, "n.dat")
    # OPEN_ANDX with a size: nothing is left of a file that would not fit
    words = struct.pack("<BBHHHHHIHIII", 0xff, 0, 0, 0, 0x42, 0x16, 0, 0, 0x12, 100 * MIB, 0, 0)
    T.error(c.call(0x2d, words, oem("big.dat")), [DOS_FULL], d + ": OPEN_ANDX with a size beyond")
    T.same(size(c, "big.dat"), (1, 2), d + ": leaves no file")
    words = struct.pack("<BBHBHIIIQIIIIIB", 0xff, 0, 0, 0, 7, 0, 0, 0x12019f, 100 * MIB, 0, 7, 5, 0, 2, 0)
    T.error(c.call(0xa2, words, oem("big.dat")), [DOS_FULL], d + ": NT_CREATE_ANDX with a size beyond")
    T.same(size(c, "big.dat"), (1, 2), d + ": leaves no file either")
    c.close()


def blocks():
    """With `strict allocate` a longer file has its blocks, and the next one finds less."""
    c = connect("LANMAN1.0")
    one = create(c, "one.dat")
    T.fine(write(c, one, 3 * MIB, b""), "strict: 3 MiB are set aside", 1)
    two = create(c, "two.dat")
    T.error(write(c, two, 2 * MIB, b""), [DOS_FULL], "strict: there are no 2 MiB more")
    for fid, name in ((one, "one.dat"), (two, "two.dat")):
        close(c, fid)
        delete(c, name)
    c.close()


T.section("CORE", sizes_by_write, "PC NETWORK PROGRAM 1.0", CORE_FULL)
T.section("CORE+", sizes_by_write, "MICROSOFT NETWORKS 1.03", CORE_FULL)
T.section("LANMAN1", sizes_by_write, "LANMAN1.0", DOS_FULL)
T.section("LANMAN2", sizes_by_write, "LM1.2X002", DOS_FULL)
T.section("CORE data", fill, "PC NETWORK PROGRAM 1.0", CORE_FULL)
T.section("LANMAN data", fill, "LANMAN1.0", DOS_FULL)
T.section("NT", nt)
if KIND == "strict":
    T.section("strict allocate", blocks)
sys.exit(T.end())
