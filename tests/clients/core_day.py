#!/usr/bin/env python3
"""A working day of a client that knows only `PC NETWORK PROGRAM 1.0`, as the basic redirector of DOS does:
session request, NEGOTIATE, TREE_CONNECT with the password in clear, no session setup; OEM names, 8.3, DOS errors.

usage: core_day.py HOST PORT SHARE USER PASS [PRINTSHARE]

The calling name of the session is the user's, so that a user-level server can tell whose password comes
with the tree.  A directory LONGDIR in the share, holding one file with a long name, is looked at when it is there."""
import struct
import sys
import time

from smb1wire import Broken, Conn, Tally, block, dos_time, oem, path, text

T = Tally()
CORE = ["PC NETWORK PROGRAM 1.0"]
FILES = 5000
HIDDEN, DIRECTORY, ARCHIVE, VOLUME = 0x02, 0x10, 0x20, 0x08


def connect(a):
    return Conn(a.host, a.port, "SMBTEST", a.user)


def tree(c, a, share, password, service):
    return c.call(0x70, b"", path("\\\\SMBTEST\\" + share.upper()) + path(password) + path(service), uid=0,
                  tid=0)


def begin(a):
    """A connection with its tree, or an exception: there is no day without it."""
    c = connect(a)
    c.negotiate(CORE)
    r = tree(c, a, a.share, a.password, "A:")
    if r.err != (0, 0):
        raise Broken("no tree: %s" % r)
    c.tid, c.max = r.w(1), r.w(0)
    return c


# --- short forms of the commands ---

def make(c, name, attr=0, new=False, **over):
    return c.call(0x0f if new else 0x03, struct.pack("<HI", attr, 0), path(name), **over)


def open_(c, name, mode=0x42, search=0, **over):
    return c.call(0x02, struct.pack("<HH", mode, search), path(name), **over)


def close(c, fid, **over):
    return c.call(0x04, struct.pack("<HI", fid, 0), **over)


def read(c, fid, count, at, **over):
    return c.call(0x0a, struct.pack("<HHIH", fid, count, at, 0), **over)


def write(c, fid, data, at, **over):
    return c.call(0x0b, struct.pack("<HHIH", fid, len(data), at, 0), block(data), **over)


def lock(c, fid, count, at, un=False):
    return c.call(0x0d if un else 0x0c, struct.pack("<HII", fid, count, at))


def getattr_(c, name):
    return c.call(0x08, b"", path(name))


def setattr_(c, name, attr, when=0):
    return c.call(0x09, struct.pack("<HI10x", attr, when), path(name))


def delete(c, name, search=0):
    return c.call(0x06, struct.pack("<H", search), path(name))


def rename(c, old, new, search=0):
    return c.call(0x07, struct.pack("<H", search), path(old) + path(new))


def put(c, name, data=b"", attr=0):
    """A file with this content, or an exception."""
    r = make(c, name, attr)
    if r.err != (0, 0):
        raise Broken("create %s: %s" % (name, r))
    if data:
        write(c, r.w(0), data, 0)
    close(c, r.w(0))


def there(c, name):
    return getattr_(c, name).err == (0, 0)


def search(c, pattern, count, attr, key=b""):
    """(reply, [entry of 43 bytes]) of one SEARCH."""
    r = c.call(0x81, struct.pack("<HH", count, attr), path(pattern) + struct.pack("<BH", 5, len(key)) + key)
    if r.err != (0, 0):
        return r, []
    kind, length = struct.unpack_from("<BH", r.data)
    if kind != 5 or length != 43 * r.w(0) or len(r.data) != 3 + length:
        raise Broken("SEARCH: format %d, %d entries in %d bytes, B=%d" % (kind, r.w(0), length, len(r.data)))
    return r, [r.data[3 + i:46 + i] for i in range(0, length, 43)]


def walk(c, pattern, attr, count=40):
    """All entries of a search, resumed by the key of the last one."""
    out, key = [], b""
    while True:
        r, got = search(c, "" if key else pattern, count, attr, key)
        if r.err == (1, 18) or (r.err == (0, 0) and not got):
            return out
        if r.err != (0, 0):
            raise Broken("SEARCH %s: %s" % (pattern, r))
        out += got
        key = got[-1][:21]
        if len(out) > 3 * FILES:
            raise Broken("SEARCH %s does not end" % pattern)


def names(entries):
    return [text(e[30:43]) for e in entries]


# --- the parts of the day ---

def arrival(a):
    c = connect(a)
    T.same(c.session.hex(), "82000000", "session request: positive response")
    r = c.negotiate(["FOREIGN DIALECT"] + CORE)
    T.fine(r, "negotiate: one word", 1)
    T.same(r.w(0), 1, "negotiate: the index of the CORE string")
    T.same(len(r.data), 0, "negotiate: no bytes")
    T.check(r.flags & 0x80, "negotiate: the reply bit", "Flags %02x" % r.flags)
    T.error(tree(c, a, a.share, a.password + "x", "A:"), [(2, 2)], "tree connect: wrong password is ERRSRV/2")
    T.error(tree(c, a, "NOSHARE", a.password, "A:"), [(1, 67), (2, 6)], "tree connect: no such share")
    T.error(tree(c, a, a.share, a.password, "LPT1:"), [(1, 66), (2, 7)], "tree connect: a disk is no printer")
    r = tree(c, a, a.share, a.password, "?????")
    T.fine(r, "tree connect: any service, after the refusals", 2)
    T.check(r.w(1) not in (0, 0xffff), "tree connect: a TID", "%04x" % r.w(1))
    T.check(1024 <= r.w(0), "tree connect: a MaxBufferSize of 1024 or more", "%d" % r.w(0))
    T.same(r.tid, r.w(1), "tree connect: the header has the new TID")
    first = r.w(1)
    r = tree(c, a, a.share, a.password.upper(), "A:")
    T.fine(r, "tree connect: the password in capitals, as DOS sends it", 2)
    T.fine(c.call(0x71, tid=r.w(1) if r.words else 0), "tree disconnect of that", 0)
    r = tree(c, a, a.share, a.password, "A:")
    T.fine(r, "tree connect: the same share a second time", 2)
    T.check(r.w(1) != first, "tree connect: another TID for it")
    T.fine(c.call(0x71, tid=r.w(1)), "tree disconnect", 0)
    T.error(c.call(0x10, b"", path("\\"), tid=r.w(1)), [(2, 5), (1, 64)], "a dead TID")
    T.fine(c.call(0x10, b"", path("\\"), tid=first), "the other tree lives on", 0)
    T.error(c.call(0x99, tid=first), [(2, 22), (2, 64)], "an unknown command")
    T.same(c.odd, [], "arrival: DOS errors and OEM strings only")
    c.send(0x72, b"", b"\x02" + oem(CORE[0]))
    try:
        c.recv()
        T.check(False, "a second NEGOTIATE drops the connection", "it was answered")
    except (Broken, OSError):
        T.check(True, "a second NEGOTIATE drops the connection")


def directories(c):
    T.fine(c.call(0x00, b"", path("\\DAY")), "mkdir", 0)
    T.error(c.call(0x00, b"", path("\\DAY")), [(1, 5)], "mkdir of what exists is ERRDOS/5")
    T.error(c.call(0x00, b"", path("\\NODIR\\SUB")), [(1, 3)], "mkdir without its parent is ERRDOS/3")
    T.fine(c.call(0x00, b"", path("\\DAY\\SUB")), "mkdir below", 0)
    T.fine(c.call(0x10, b"", path("\\DAY\\SUB")), "chdir check", 0)
    T.fine(c.call(0x10, b"", path("\\day\\sub")), "chdir check, lower case", 0)
    T.fine(c.call(0x10, b"", path("\\")), "chdir check of the root", 0)
    T.fine(c.call(0x10, b"", path("")), "chdir check of the empty name", 0)
    T.error(c.call(0x10, b"", path("\\DAY\\NONE")), [(1, 3)], "chdir check of nothing is ERRDOS/3")
    put(c, "\\DAY\\PLAIN.TXT")
    T.error(c.call(0x10, b"", path("\\DAY\\PLAIN.TXT")), [(1, 3), (1, 5)],
            "chdir check of a file, not ERRDOS/267")
    T.error(c.call(0x01, b"", path("\\DAY")), [(1, 145), (1, 5)], "rmdir of a directory in use")
    T.fine(c.call(0x01, b"", path("\\DAY\\SUB")), "rmdir", 0)
    T.error(c.call(0x01, b"", path("\\DAY\\SUB")), [(1, 2), (1, 3)], "rmdir of nothing")
    T.error(c.call(0x01, b"", path("\\DAY\\PLAIN.TXT")), [(1, 3), (1, 5), (1, 267)], "rmdir of a file")
    T.error(delete(c, "\\DAY\\PLAIN.TXT\\X"), [(1, 2), (1, 3)], "a file as path component")


def files(c):
    r = make(c, "\\DAY\\A.DAT")
    T.fine(r, "create", 1)
    fid = r.w(0)
    body = bytes(i * 7 & 255 for i in range(900))
    r = write(c, fid, body, 0)
    T.fine(r, "write", 1)
    T.same(r.w(0), 900, "write: all of it")
    r = read(c, fid, 500, 100)
    T.fine(r, "read", 5)
    T.same((r.w(0), r.data), (500, struct.pack("<BH", 1, 500) + body[100:600]), "read: a data block")
    r = read(c, fid, 500, 700)
    T.same((r.err, r.w(0), r.data[3:]), ((0, 0), 200, body[700:]), "read: short at the end")
    r = read(c, fid, 500, 900)
    T.fine(r, "read at the end", 5)
    T.same((r.w(0), len(r.data)), (0, 3), "read at the end: count 0, B=3")
    T.same(getattr_(c, "\\DAY\\A.DAT").d(3), 900, "the size is known by name")
    r = write(c, fid, b"", 5000)
    T.check(r.err == (0, 0) and r.w(0) == 0, "write of 0 bytes extends", str(r))
    T.same(getattr_(c, "\\DAY\\A.DAT").d(3), 5000, "write of 0 bytes: the size is the offset")
    T.same(read(c, fid, 10, 2000).data[3:], bytes(10), "the extension is zeros")
    write(c, fid, b"", 100)
    T.same(getattr_(c, "\\DAY\\A.DAT").d(3), 100, "write of 0 bytes truncates")
    T.fine(c.call(0x05, struct.pack("<H", fid)), "flush", 0)
    T.fine(c.call(0x05, struct.pack("<H", 0xffff)), "flush of all files", 0)
    T.fine(close(c, fid), "close", 0)
    T.error(close(c, fid), [(1, 6)], "close of a closed FID is ERRDOS/6")
    T.error(read(c, fid, 1, 0), [(1, 6)], "read of a closed FID is ERRDOS/6")
    big = bytes(i * 31 >> 3 & 255 for i in range(60000))
    fid = make(c, "\\DAY\\A.DAT").w(0)
    T.same(getattr_(c, "\\DAY\\A.DAT").d(3), 0, "create of what exists truncates")
    step = min(c.max - 48, 8192)
    for at in range(0, len(big), step):
        write(c, fid, big[at:at + step], at)
    got, ends = b"", []
    while True:
        r = read(c, fid, step, len(got))
        if r.err != (0, 0) or r.w(0) == 0:
            break
        got += r.data[3:]
    T.check(got == big, "60000 bytes there and back", "%d bytes" % len(got))
    close(c, fid)
    T.error(make(c, "\\DAY\\A.DAT", new=True), [(1, 80)], "create new of what exists is ERRDOS/80")
    r = make(c, "\\DAY\\B.DAT", new=True)
    T.fine(r, "create new", 1)
    close(c, r.w(0))
    r = c.call(0x0e, struct.pack("<HI", 0, 0), path("\\DAY"))
    T.fine(r, "create temporary", 1)
    temp = text(r.data.lstrip(b"\x04")).split("\\")[-1]
    T.check(temp and len(temp) <= 12, "create temporary: its name", repr(r.data))
    close(c, r.w(0))
    T.check(there(c, "\\DAY\\" + temp), "create temporary: the file stays")
    T.fine(delete(c, "\\DAY\\" + temp), "create temporary: deleted by its name", 0)
    r = open_(c, "\\DAY\\a.dat", 0)
    T.fine(r, "open to read", 7)
    T.same((r.w(1) & ~ARCHIVE, r.d(4), r.w(6) & 7), (0, 60000, 0), "open: attributes, size, granted access")
    T.check(abs(r.d(2) - time.time()) < 50000, "open: the time of last write", "%d" % r.d(2))
    T.error(write(c, r.w(0), b"x", 0), [(1, 5)], "write on a FID for reading is ERRDOS/5")
    close(c, r.w(0))
    T.error(open_(c, "\\DAY\\NONE.DAT"), [(1, 2)], "open of nothing is ERRDOS/2")
    T.error(open_(c, "\\NODIR\\NONE.DAT"), [(1, 3)], "open in no directory is ERRDOS/3")
    T.error(open_(c, "\\DAY"), [(1, 5)], "open of a directory is ERRDOS/5")


def seeking(c):
    put(c, "\\DAY\\SEEK.DAT", bytes(1000))
    fid = open_(c, "\\DAY\\SEEK.DAT").w(0)
    for mode, offset, want, name in ((0, 100, 100, "from the start"), (1, 50, 150, "from here"),
                                     (1, -30, 120, "back from here"), (2, -10, 990, "from the end"),
                                     (2, 500, 1500, "beyond the end"), (1, -5000, 0, "below 0 stops at 0")):
        r = c.call(0x12, struct.pack("<HHi", fid, mode, offset))
        if T.fine(r, "seek %s" % name, 2):
            T.same(r.d(0), want, "seek %s: the position" % name)
    T.same(getattr_(c, "\\DAY\\SEEK.DAT").d(3), 1000, "seek does not change the size")
    close(c, fid)


def two_machines(c, a):
    d = begin(a)
    put(c, "\\DAY\\LOCK.DAT", bytes(range(200)))
    f, g = open_(c, "\\DAY\\LOCK.DAT").w(0), open_(d, "\\DAY\\LOCK.DAT").w(0)
    T.fine(lock(c, f, 50, 100), "lock 100..149", 0)
    T.error(lock(d, g, 10, 120), [(1, 33)], "lock: the other machine gets ERRDOS/33")
    T.fine(lock(d, g, 10, 150), "lock: the neighbour range is free", 0)
    T.error(read(d, g, 60, 60), [(1, 33)], "read into the other's lock is ERRDOS/33")
    T.error(write(d, g, b"x", 149), [(1, 33)], "write into the other's lock is ERRDOS/33")
    T.same(read(d, g, 40, 60).data[3:], bytes(range(60, 100)), "read beside the lock")
    T.same(read(c, f, 50, 100).data[3:], bytes(range(100, 150)), "the owner reads its lock")
    T.error(lock(c, f, 49, 100, un=True), [(1, 158)], "unlock of another range is ERRDOS/158")
    T.error(lock(d, g, 50, 100, un=True), [(1, 158)], "unlock of the other's range is ERRDOS/158")
    T.fine(lock(c, f, 50, 100, un=True), "unlock", 0)
    T.error(lock(c, f, 50, 100, un=True), [(1, 158)], "unlock twice is ERRDOS/158")
    T.fine(lock(d, g, 10, 120), "lock: now the other machine gets it", 0)
    T.error(lock(c, f, 1, 125), [(1, 33)], "lock: and the first is refused")
    T.fine(close(d, g), "close with locks held", 0)
    T.fine(lock(c, f, 1, 125), "close freed the locks", 0)
    T.fine(lock(c, f, 10, 0xffffff00), "lock far beyond the end", 0)
    close(c, f)
    fid = make(c, "\\DAY\\MINE.DAT").w(0)
    T.error(open_(d, "\\DAY\\MINE.DAT", 0x02), [(1, 32)],
            "what create holds in compatibility mode is ERRDOS/32")
    T.error(delete(d, "\\DAY\\MINE.DAT"), [(1, 32)], "delete of an open file is ERRDOS/32")
    r = open_(c, "\\DAY\\MINE.DAT", 0x02)
    T.fine(r, "the same process opens it again in compatibility mode", 7)
    close(c, r.w(0))
    close(c, fid)
    r = open_(d, "\\DAY\\MINE.DAT", 0x02)
    T.fine(r, "after close the other machine has it", 7)
    close(d, r.w(0))
    fid = open_(c, "\\DAY\\MINE.DAT", 0x20).w(0)
    T.error(open_(d, "\\DAY\\MINE.DAT", 0x41), [(1, 32)], "deny write keeps writers out")
    r = open_(d, "\\DAY\\MINE.DAT", 0x40)
    T.fine(r, "deny write lets readers in", 7)
    close(c, fid)
    g = open_(d, "\\DAY\\LOCK.DAT").w(0)
    T.fine(lock(d, g, 10, 0), "lock before the machine is switched off", 0)
    d.close()
    T.same(d.odd, [], "second machine: DOS errors and OEM strings only")
    f, until = open_(c, "\\DAY\\LOCK.DAT").w(0), time.time() + 3
    while True:
        r = lock(c, f, 10, 0)
        if r.err == (0, 0) or time.time() > until:
            break
        time.sleep(0.1)
    T.fine(r, "the locks of a machine switched off are free", 0)
    close(c, f)


def wildcards(c):
    for n in ("A.OLD", "BB.OLD", "LONGNAME.OLD", "KEEP.TXT", "X1.C", "X2.C"):
        put(c, "\\DAY\\" + n, n.encode())
    T.fine(rename(c, "\\DAY\\*.OLD", "\\DAY\\*.NEW"), "rename *.OLD *.NEW", 0)
    T.same([there(c, "\\DAY\\" + n) for n in ("A.NEW", "BB.NEW", "LONGNAME.NEW", "A.OLD", "BB.OLD",
                                              "KEEP.TXT")],
           [True, True, True, False, False, True], "rename *.OLD *.NEW: what is there now")
    T.fine(rename(c, "\\DAY\\X?.C", "\\DAY\\Y?.BAK"), "rename X?.C Y?.BAK", 0)
    T.same([there(c, "\\DAY\\" + n) for n in ("Y1.BAK", "Y2.BAK", "X1.C")], [True, True, False],
           "rename X?.C Y?.BAK: what is there now")
    T.error(rename(c, "\\DAY\\*.OLD", "\\DAY\\*.NEW"), [(1, 2), (1, 18)], "rename with no match")
    T.error(rename(c, "\\DAY\\KEEP.TXT", "\\DAY\\A.NEW"), [(1, 80), (1, 183)], "rename onto a file")
    T.error(rename(c, "\\DAY\\NONE.TXT", "\\DAY\\N2.TXT"), [(1, 2)], "rename of nothing is ERRDOS/2")
    T.fine(rename(c, "\\DAY\\KEEP.TXT", "\\DAY\\KEPT.TXT"), "rename of one file", 0)
    T.fine(c.call(0x00, b"", path("\\DAY\\D1")), "mkdir for a rename", 0)
    T.fine(rename(c, "\\DAY\\KEPT.TXT", "\\DAY\\D1\\KEPT.TXT"), "rename into another directory", 0)
    T.fine(rename(c, "\\DAY\\D1", "\\DAY\\D2", DIRECTORY), "rename of a directory", 0)
    T.check(there(c, "\\DAY\\D2\\KEPT.TXT"), "rename of a directory: its file came along")
    put(c, "\\DAY\\HID.NEW", attr=HIDDEN)
    T.same(getattr_(c, "\\DAY\\HID.NEW").w(0) & 0x1f, HIDDEN, "create with the hidden attribute")
    T.error(open_(c, "\\DAY\\HID.NEW"), [(1, 2)], "open of a hidden file without asking for one is ERRDOS/2")
    r = open_(c, "\\DAY\\HID.NEW", search=6)
    T.fine(r, "open of a hidden file, asked for", 7)
    close(c, r.w(0))
    T.fine(delete(c, "\\DAY\\*.NEW"), "delete *.NEW", 0)
    T.same([there(c, "\\DAY\\" + n) for n in ("A.NEW", "BB.NEW", "LONGNAME.NEW", "HID.NEW")],
           [False, False, False, True], "delete *.NEW: the hidden one stays")
    T.error(delete(c, "\\DAY\\*.NEW"), [(1, 2), (1, 18)], "delete with no match")
    T.fine(delete(c, "\\DAY\\*.NEW", 6), "delete of hidden files, asked for", 0)
    T.check(not there(c, "\\DAY\\HID.NEW"), "delete of hidden files: it is gone")
    T.error(delete(c, "\\DAY\\NONE.TXT"), [(1, 2)], "delete of nothing is ERRDOS/2")
    T.error(delete(c, "\\DAY\\D2"), [(1, 5), (1, 2)], "delete of a directory")
    T.fine(delete(c, "\\DAY\\Y?.BAK"), "delete Y?.BAK", 0)
    T.check(not there(c, "\\DAY\\Y2.BAK"), "delete Y?.BAK: they are gone")


def attributes(c):
    put(c, "\\DAY\\ATTR.DAT", b"12345")
    r = getattr_(c, "\\DAY\\ATTR.DAT")
    T.fine(r, "get attributes", 10)
    T.same((r.w(0) & ~ARCHIVE, r.d(3), r.words[10:]), (0, 5, bytes(10)),
           "get attributes: plain, size, reserved 0")
    now = r.d(1)
    T.fine(setattr_(c, "\\DAY\\ATTR.DAT", 0x21, 1000000001), "set attributes: read-only, and a time", 0)
    r = getattr_(c, "\\DAY\\ATTR.DAT")
    T.same((r.w(0), r.d(1)), (0x21, 1000000001), "set attributes: both stay, to the second")
    T.error(open_(c, "\\DAY\\ATTR.DAT"), [(1, 5)], "open of a read-only file for writing is ERRDOS/5")
    T.error(delete(c, "\\DAY\\ATTR.DAT"), [(1, 5)], "delete of a read-only file is ERRDOS/5")
    T.fine(setattr_(c, "\\DAY\\ATTR.DAT", 0), "set attributes: none, time 0", 0)
    r = getattr_(c, "\\DAY\\ATTR.DAT")
    T.same((r.w(0), r.d(1)), (0, 1000000001), "set attributes: time 0 keeps the time")
    T.check(abs(now - time.time()) < 50000, "the time of a new file is about now", "%d" % now)
    entry = search(c, "\\DAY\\ATTR.DAT", 1, 0)[1][0]
    clock, date, size = struct.unpack_from("<HHI", entry, 22)
    T.same((dos_time(date, clock), size), (1000000000, 5),
           "search says the same local time, in 2 seconds, and size")
    T.error(setattr_(c, "\\DAY\\ATTR.DAT", DIRECTORY), [(1, 5), (1, 87)],
            "a file does not become a directory")
    T.same(getattr_(c, "\\DAY").w(0) & DIRECTORY, DIRECTORY, "get attributes of a directory")
    r = getattr_(c, "\\")
    T.same((r.err, r.w(0) & DIRECTORY), ((0, 0), DIRECTORY), "get attributes of the root")
    T.error(getattr_(c, "\\DAY\\NONE"), [(1, 2)], "get attributes of nothing is ERRDOS/2")
    fid = open_(c, "\\DAY\\ATTR.DAT").w(0)
    T.fine(c.call(0x04, struct.pack("<HI", fid, 1000000008)), "close with a time", 0)
    T.same(getattr_(c, "\\DAY\\ATTR.DAT").d(1), 1000000008, "close with a time: it is the file's")
    T.fine(delete(c, "\\DAY\\ATTR.DAT"), "delete once it is writable", 0)


def listing(c):
    c.call(0x00, b"", path("\\MANY"))
    want = ["F%04d.TXT" % i for i in range(FILES)]
    bad = 0
    for n in want:
        r = make(c, "\\MANY\\" + n, new=True)
        if r.err != (0, 0):
            bad += 1
        else:
            close(c, r.w(0))
    T.same(bad, 0, "%d files created" % FILES)
    got = walk(c, "\\MANY\\*.*", 0x16)
    n = names(got)
    T.same(n[:2], [".", ".."], "search *.*: . and .. come first")
    T.check(sorted(n[2:]) == want, "search *.*: each of %d names exactly once" % FILES,
            "%d names, %d of them different" % (len(n) - 2, len(set(n[2:]))))
    T.same([e[21] & DIRECTORY for e in got[:3]], [DIRECTORY, DIRECTORY, 0], "search: the attributes")
    T.check(all(e[30:43] == oem(x).ljust(13, b"\0") for e, x in zip(got, n)),
            "search: names padded with NULs")
    clock, date, size = struct.unpack_from("<HHI", got[2], 22)
    T.check(dos_time(date, clock) and abs(dos_time(date, clock) - time.time()) < 90000,
            "search: time, then date",
            "%04x %04x" % (date, clock))
    T.same(size, 0, "search: the size of an empty file")
    T.check(sorted(names(walk(c, "\\MANY\\????????.???", 0, 7))) == want, "search ????????.???, 7 at a time")
    T.same(sorted(names(walk(c, "\\MANY\\F00??.TXT", 0))), want[:100], "search F00??.TXT")
    T.same(names(walk(c, "\\MANY\\F4999.TXT", 0)), ["F4999.TXT"], "search of one name")
    T.error(search(c, "\\MANY\\*.DOC", 10, 0)[0], [(1, 18)], "search with no match is ERRDOS/18")
    T.error(search(c, "\\NODIR\\*.*", 10, 0)[0], [(1, 3)], "search in no directory is ERRDOS/3")
    r, first = search(c, "\\MANY\\*.TXT", 60000, 0)
    T.check(first and len(r.raw) <= c.max, "search: the reply stays below MaxBufferSize", "%d" % len(r.raw))
    _, more = search(c, "", 10, 0, first[-1][:21])
    _, again = search(c, "", 10, 0, first[4][:21])
    T.same(names(again), names(first)[5:15], "search: an earlier key rewinds")
    T.check(more and not set(names(more)) & set(names(first)), "search: the last key goes on")
    _, some = search(c, "\\MANY\\*.TXT", 5, 0)
    for i in range(300):
        r, _ = search(c, "\\MANY\\F%04d.*" % i, 1, 0)
        if r.err != (0, 0):
            break
    T.fine(r, "300 searches left open: no failure")
    T.fine(delete(c, "\\MANY\\F4*.TXT"), "delete F4*.TXT", 0)
    T.same(len(walk(c, "\\MANY\\*.TXT", 0)), FILES - 1000, "delete F4*.TXT: 1000 fewer")
    T.fine(delete(c, "\\MANY\\*.*"), "delete *.*", 0)
    T.fine(c.call(0x01, b"", path("\\MANY")), "rmdir of the emptied directory", 0)
    root = names(walk(c, "\\*.*", DIRECTORY))
    T.check("DAY" in root, "search in the root: the directory is there", repr(root))
    T.check(all(x == x.upper() and len(x) <= 12 for x in root), "search: 8.3 and upper case only", repr(root))


def patterns(c):
    """What DOS patterns find, and searches beside deletes."""
    c.call(0x00, b"", path("\\PAT"))
    for n in ("NOEXT", "AB", "A.TXT", "AB.TXT", "ABC.TX", "B.T", "LONGNAME.EXT"):
        put(c, "\\PAT\\" + n)
    for pattern, want in (("*.*", "A.TXT AB AB.TXT ABC.TX B.T LONGNAME.EXT NOEXT"), ("*.", "AB NOEXT"),
                          ("*", "A.TXT AB AB.TXT ABC.TX B.T LONGNAME.EXT NOEXT"), ("A*.TXT", "A.TXT AB.TXT"),
                          ("A?.TXT", "A.TXT AB.TXT"), ("??.*", "A.TXT AB AB.TXT B.T"),
                          ("*.T??", "A.TXT AB.TXT ABC.TX B.T"),
                          ("????????.???", "A.TXT AB AB.TXT ABC.TX B.T LONGNAME.EXT NOEXT"), ("ab", "AB"),
                          ("*.T", "B.T"), ("N*", "NOEXT")):
        T.same(" ".join(sorted(names(walk(c, "\\PAT\\" + pattern, 0)))), want, "search %s" % pattern)
    for i in range(200):
        put(c, "\\PAT\\D%03d.TMP" % i)
    seen, key = [], b""
    while True:
        r, got = search(c, "" if key else "\\PAT\\*.TMP", 9, 0, key)
        if not got:
            break
        seen, key = seen + names(got), got[-1][:21]
        for n in names(got):
            delete(c, "\\PAT\\" + n)
    T.same(sorted(seen), ["D%03d.TMP" % i for i in range(200)],
           "search and delete what was found: each name once")
    delete(c, "\\PAT\\*.*")
    T.fine(c.call(0x01, b"", path("\\PAT")), "rmdir after searches left open", 0)


def one_segment(c):
    """Requests sent at once, as a client that does not wait for its close."""
    put(c, "\\DAY\\SEG.DAT", b"seg")
    fid = open_(c, "\\DAY\\SEG.DAT").w(0)
    name, out = path("\\DAY\\SEG.DAT"), b""
    for cmd, words, data in ((0x04, struct.pack("<HI", fid, 0), b""),
                             (0x02, struct.pack("<HH", 0x42, 0), name),
                             (0x08, b"", name), (0x10, b"", path("\\DAY"))):
        m = c.message(cmd, words, data)
        out += struct.pack(">I", len(m)) + m
    c.sock.sendall(out)
    got = [c.recv() for _ in range(4)]
    T.same([(r.cmd, r.err) for r in got], [(x, (0, 0)) for x in (0x04, 0x02, 0x08, 0x10)],
           "four requests in one segment")
    T.same([r.mid for r in got], list(range(c.mid - 3, c.mid + 1)),
           "four requests in one segment: their MIDs")
    close(c, got[1].w(0))
    T.fine(delete(c, "\\DAY\\SEG.DAT"), "four requests in one segment: the file is closed", 0)


def long_names(c):
    """A file with a long name appears under an 8.3 name that opens it."""
    n = [x for x in names(walk(c, "\\LONGDIR\\*.*", 0))]
    T.check(len(n) == 1 and len(n[0]) <= 12 and "~" in n[0] and n[0] == n[0].upper() and " " not in n[0],
            "a long name is listed as 8.3", repr(n))
    r = open_(c, "\\LONGDIR\\" + n[0], 0)
    T.fine(r, "the 8.3 name opens the file", 7)
    T.same(names(walk(c, "\\LONGDIR\\" + n[0], 0)), n, "the 8.3 name is found by SEARCH")
    close(c, r.w(0))


def volume(c, a):
    r = c.call(0x80)
    if T.fine(r, "disk space", 5):
        units, per, size, free = struct.unpack_from("<4H", r.words)
        T.check(units and per and size, "disk space: no factor is 0", "%d %d %d" % (units, per, size))
        T.check(free <= units, "disk space: not more free than there is", "%d of %d" % (free, units))
        T.check(units * per * size <= 1 << 31, "disk space: at most 2 GiB for DOS",
                "%d" % (units * per * size))
        T.same(r.w(4), 0, "disk space: the last word is 0")
    r, got = search(c, "\\*.*", 5, VOLUME)
    if T.check(len(got) == 1, "volume label search: one entry", "%s, %d entries" % (r, len(got))):
        T.check(got[0][21] & VOLUME, "volume label search: the attribute", "%02x" % got[0][21])
        T.same(text(got[0][30:43]).replace(".", "").upper(), a.share.upper(),
               "volume label search: the label")


def process_end(c):
    put(c, "\\DAY\\E1.DAT", b"x")
    put(c, "\\DAY\\E2.DAT", b"y")
    f = open_(c, "\\DAY\\E1.DAT", pid=70).w(0)
    g = open_(c, "\\DAY\\E2.DAT", pid=70).w(0)
    h = open_(c, "\\DAY\\E2.DAT", pid=71).w(0)
    T.fine(c.call(0x11, pid=70), "process exit", 0)
    T.error(read(c, f, 1, 0, pid=70), [(1, 6)], "process exit closed the first FID")
    T.error(read(c, g, 1, 0, pid=70), [(1, 6)], "process exit closed the second FID")
    T.same(read(c, h, 1, 0, pid=71).data[3:], b"y", "process exit left the other process alone")
    T.fine(c.call(0x11, pid=71), "process exit of the other", 0)
    T.fine(c.call(0x11, pid=72), "process exit of one without files", 0)


def printing(a):
    c = connect(a)
    c.negotiate(CORE)
    T.error(tree(c, a, a.printer, a.password, "A:"), [(1, 66), (2, 7)], "a printer is no disk")
    r = tree(c, a, a.printer, a.password, "LPT1:")
    if not T.fine(r, "printer: tree connect", 2):
        return
    c.tid = r.w(1)
    r = c.call(0xc0, struct.pack("<HH", 4, 0), path("DAYJOB"))
    if not T.fine(r, "printer: open", 1):
        return
    fid = r.w(0)
    T.fine(c.call(0xc1, struct.pack("<H", fid), block(b"\x1b@\x1bE")), "printer: the setup string", 0)
    T.fine(c.call(0xc1, struct.pack("<H", fid), block(b"core page one\r\n" * 40)), "printer: write", 0)
    T.fine(c.call(0xc1, struct.pack("<H", fid), block(b"core page two\f")), "printer: write more", 0)
    queue(c, "while the job is open")
    T.fine(c.call(0xc2, struct.pack("<H", fid)), "printer: close", 0)
    T.error(c.call(0xc2, struct.pack("<H", fid)), [(1, 6), (2, 52)], "printer: close twice")
    queue(c, "after the close")
    T.same(c.odd, [], "printer: DOS errors and OEM strings only")
    c.close()


def queue(c, when):
    r = c.call(0xc3, struct.pack("<hH", 10, 0))
    if not T.fine(r, "printer: the queue, %s" % when, 2):
        return
    kind, length = struct.unpack_from("<BH", r.data)
    T.check(kind == 1 and length == 28 * r.w(0) == len(r.data) - 3, "printer: entries of 28 bytes, %s" % when,
            "format %d, %d entries, %d bytes" % (kind, r.w(0), length))
    for i in range(r.w(0)):
        date, clock, status, job, size, _ = struct.unpack_from("<HHBHIB", r.data, 3 + 28 * i)
        T.check(dos_time(date, clock) and 1 <= status <= 6 and job, "printer: a queue entry, %s" % when,
                "%04x %04x status %d job %d" % (date, clock, status, job))


def evening(c):
    delete(c, "\\DAY\\D2\\*.*", 6)
    c.call(0x01, b"", path("\\DAY\\D2"))
    T.fine(delete(c, "\\DAY\\*.*", 6), "evening: delete *.*", 0)
    T.same(names(walk(c, "\\DAY\\*.*", 0x16)), [".", ".."], "evening: nothing is left")
    T.fine(c.call(0x01, b"", path("\\DAY")), "evening: rmdir", 0)
    T.fine(c.call(0x71), "evening: tree disconnect", 0)
    T.same(c.odd, [], "the whole day: DOS errors and OEM strings only")
    c.close()


class Args:
    def __init__(self, v):
        if len(v) not in (6, 7):
            sys.exit("usage: core_day.py HOST PORT SHARE USER PASS [PRINTSHARE]")
        self.host, self.port, self.share, self.user, self.password = v[1], int(v[2]), v[3], v[4], v[5]
        self.printer = v[6] if len(v) == 7 else ""


def main():
    a = Args(sys.argv)
    T.section("arrival", arrival, a)
    try:
        c = begin(a)
    except (Broken, OSError) as e:
        T.check(False, "the day begins", str(e))
        return T.end()
    parts = [directories, files, seeking, wildcards, attributes, listing, patterns, one_segment,
             process_end]
    for f in parts:
        T.section(f.__name__, f, c)
    T.section("two machines", two_machines, c, a)
    T.section("volume", volume, c, a)
    if there(c, "\\LONGDIR"):
        T.section("long names", long_names, c)
    if a.printer:
        T.section("printing", printing, a)
    T.section("evening", evening, c)
    return T.end()


sys.exit(main())
