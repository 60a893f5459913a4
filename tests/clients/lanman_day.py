#!/usr/bin/env python3
"""A working day of a client of the LAN Manager time (OS/2, Windows for Workgroups): LANMAN1.0, LM1.2X002
and LANMAN2.1 are all it offers; it logs in by an LM response in a session setup of 10 words with the tree
chained to it, lists by TRANS2, opens, reads and writes by AndX and raw, copies and moves on the server, uses
EAs, RAP and the printer.  OEM strings, long names, DOS errors.

usage: lanman_day.py HOST PORT SHARE USER PASS [PRINTSHARE]"""
import struct
import sys
import time

from smb1wire import Broken, Conn, Tally, block, dos_time, lm_response, oem, path, text, to_dos

T = Tally()
DIALECTS = ["LANMAN1.0", "LM1.2X002", "LANMAN2.1"]
LONG_NAMES, KNOWS_EAS = 0x0001, 0x0002
CASELESS = 0x08
BUFFER = 4356
FILES = 1500
RW, DENY_NONE = 0x02, 0x40


def connect(a):
    c = Conn(a.host, a.port, "SMBTEST", "OS2BOX", LONG_NAMES | KNOWS_EAS)
    c.flags = CASELESS
    r = c.negotiate(DIALECTS)
    if len(r.words) != 26:
        raise Broken("negotiate: %s" % r)
    c.hello = r
    c.challenge = r.data[:r.w(11)]
    return c


def local(c):
    """The server's local clock now, by the zone of its negotiate reply."""
    return time.time() - 60 * struct.unpack_from("<h", c.hello.words, 20)[0]


def setup_words(password, key=0):
    return struct.pack("<HHHIHI", BUFFER, 10, 1, key, len(password), 0)


def setup(c, user, password):
    return c.chain([(0x73, setup_words(password),
                     password + oem(user) + oem("WORKGROUP") + oem("OS/2") + oem("LM"))],
                   uid=0, tid=0)


def tree_block(share, service):
    return (0x75, struct.pack("<HH", 0, 1), b"\0" + oem("\\\\SMBTEST\\" + share.upper()) + oem(service))


def begin(a):
    """A connection with user and tree, or an exception."""
    c = connect(a)
    pw = lm_response(a.password, c.challenge) if len(c.challenge) == 8 else oem(a.password)
    r = c.chain([(0x73, setup_words(pw), pw + oem(a.user.upper()) + oem("WORKGROUP")),
                 tree_block(a.share, "A:")])
    if r.err != (0, 0):
        raise Broken("no session: %s" % r)
    c.uid, c.tid, c.first = r.uid, r.tid, r
    return c


# --- short forms of the commands ---

def open_x(c, name, mode=RW | DENY_NONE, function=0x11, attr=0, **over):
    return c.chain([(0x2d, open_words(mode, function, attr), oem(name))], **over)


def open_words(mode, function, attr=0):
    return struct.pack("<HHHHIHIII", 1, mode, 0x16, attr, 0, function, 0, 0, 0)


def read_words(fid, count, at):
    return struct.pack("<HIHHIH", fid, at, count, 0, 0, 0)


def read_x(c, fid, count, at, **over):
    r = c.chain([(0x2e, read_words(fid, count, at), b"")], **over)
    return r, read_data(r, r.words) if r.err == (0, 0) else b""


def read_data(r, words):
    """The data of a READ_ANDX block with these words."""
    if len(words) != 24:
        raise Broken("READ_ANDX W=%d" % (len(words) // 2))
    n, at = struct.unpack_from("<HH", words, 10)
    if at + n > len(r.raw):
        raise Broken("READ_ANDX data beyond the message")
    return r.raw[at:at + n]


def write_words(fid, at, count, offset):
    return struct.pack("<HIIHHHHH", fid, at, 0, 0, 0, 0, count, offset)


def write_x(c, fid, data, at):
    return c.chain([(0x2f, write_words(fid, at, len(data), 60), b"\0" + data)])


def close(c, fid):
    return c.call(0x04, struct.pack("<HI", fid, 0))


def put(c, name, data=b""):
    r = open_x(c, name, function=0x12)
    if r.err != (0, 0):
        raise Broken("open %s: %s" % (name, r))
    for at in range(0, len(data), 4000):
        write_x(c, r.w(2), data[at:at + 4000], at)
    close(c, r.w(2))


def get(c, name):
    """The content of a file, None when it does not open."""
    r = open_x(c, name, DENY_NONE, 0x01)
    if r.err != (0, 0):
        return None
    fid, out = r.w(2), b""
    while True:
        _, part = read_x(c, fid, 4000, len(out))
        if not part:
            break
        out += part
    close(c, fid)
    return out


def there(c, name):
    return c.call(0x08, b"", path(name)).err == (0, 0)


def mkdir(c, name):
    return c.call(0x00, b"", path(name))


def delete(c, name, search=0):
    return c.call(0x06, struct.pack("<H", search), path(name))


def lock_x(c, fid, kind, timeout, unlocks, locks, only_send=False, **over):
    """LOCKING_ANDX with ranges of (pid, offset, length)."""
    words = struct.pack("<HBBIHH", fid, kind, 0, timeout, len(unlocks), len(locks))
    data = b"".join(struct.pack("<HII", *x) for x in unlocks + locks)
    if only_send:
        return c.send(0x24, struct.pack("<BBH", 0xff, 0, 0) + words, data, **over)
    return c.chain([(0x24, words, data)], **over)


def feas(pairs):
    """An FEA list of (name, value)."""
    body = b"".join(struct.pack("<BBH", 0, len(n), len(v)) + n.encode() + b"\0" + v for n, v in pairs)
    return struct.pack("<I", 4 + len(body)) + body


def geas(names):
    body = b"".join(struct.pack("<B", len(n)) + n.encode() + b"\0" for n in names)
    return struct.pack("<I", 4 + len(body)) + body


def fea_dict(d):
    """An FEA list as {NAME: value}."""
    total, at, out = struct.unpack_from("<I", d)[0], 4, {}
    if total > len(d):
        raise Broken("an FEA list of %d in %d bytes" % (total, len(d)))
    while at < total:
        _, n, v = struct.unpack_from("<BBH", d, at)
        out[d[at + 4:at + 4 + n].decode().upper()] = d[at + 5 + n:at + 5 + n + v]
        at += 5 + n + v
    return out


def entries(d, count, level, keys):
    """The records of a find as dictionaries."""
    out, at = [], 0
    for _ in range(count):
        e = {"key": struct.unpack_from("<I", d, at)[0] if keys else 0, "at": at}
        at += 4 if keys else 0
        cd, ct, ad, atm, wd, wt, e["size"], e["alloc"], e["attr"] = struct.unpack_from("<6HIIH", d, at)
        e["write"] = dos_time(wd, wt)
        at += 22
        if level == 2:
            e["ea"] = struct.unpack_from("<I", d, at)[0]
            at += 4
        if level == 3:
            n = struct.unpack_from("<I", d, at)[0]
            e["eas"] = fea_dict(d[at:at + n])
            at += n
        n = d[at]
        e["name"] = d[at + 1:at + 1 + n].decode("cp850")
        if d[at + 1 + n:at + 2 + n] not in (b"\0", b""):
            raise Broken("no NUL behind the name %r" % e["name"])
        at += n + 2
        out.append(e)
    return out


def find(c, pattern, level, attr=0x16, count=100, flags=4, go_on=False, data=b"", maxd=8000):
    """All records of FIND_FIRST2 and FIND_NEXT2; resumes by key and name, or by flag 8."""
    r, p, d = c.trans2(1, struct.pack("<HHHHI", attr, count, flags, level, 0) + oem(pattern), data, maxd=maxd)
    if r.err != (0, 0):
        return r, []
    sid, n, end, _, _ = struct.unpack_from("<5H", p)
    out = entries(d, n, level, flags & 4)
    while not end:
        last = out[-1]
        step = struct.pack("<HHHIH", sid, count, level, 0 if go_on else last["key"],
                           flags | (8 if go_on else 0))
        r, p, d = c.trans2(2, step + oem("" if go_on else last["name"]), data, maxd=maxd)
        if r.err == (1, 18):
            break
        if r.err != (0, 0):
            raise Broken("FIND_NEXT2: %s" % r)
        n, end = struct.unpack_from("<HH", p)
        if not n and not end:
            raise Broken("FIND_NEXT2: nothing and no end")
        out += entries(d, n, level, flags & 4)
        if len(out) > 3 * FILES:
            raise Broken("FIND_NEXT2 does not end")
    if not flags & 2:
        c.call(0x34, struct.pack("<H", sid))
    return r, out


def path_info(c, name, level, data=b""):
    return c.trans2(5, struct.pack("<HI", level, 0) + oem(name), data)


def set_path(c, name, level, data):
    return c.trans2(6, struct.pack("<HI", level, 0) + oem(name), data)[0]


# --- the parts of the day ---

def arrival(a):
    c = connect(a)
    T.same(c.session.hex(), "82000000", "session request: positive response")
    h = c.hello
    T.fine(h, "negotiate: 13 words", 13)
    T.same(h.w(0), 2, "negotiate: the index of LANMAN2.1, the highest")
    T.same(h.w(1) & 3, 3, "negotiate: user level, challenge and response")
    T.check(1024 <= h.w(2) <= 65535, "negotiate: MaxBufferSize", "%d" % h.w(2))
    T.check(h.w(3) >= 10, "negotiate: MaxMpxCount of 10 or more", "%d" % h.w(3))
    T.same(h.w(5), 3, "negotiate: raw reads and raw writes")
    zone = struct.unpack_from("<h", h.words, 20)[0]
    now = dos_time(h.w(9), h.w(8))
    T.check(now and abs(now + zone * 60 - time.time()) < 5, "negotiate: time word, date word, minutes west",
            "%04x %04x %d" % (h.w(8), h.w(9), zone))
    T.same((h.w(11), h.w(12)), (8, 0), "negotiate: a challenge of 8 bytes")
    T.check(h.flags & 0x01, "negotiate: Flags say LOCK_AND_READ is there", "%02x" % h.flags)
    T.check(h.data[8:] == b"" or h.data[8:].endswith(b"\0") and h.data[8:].count(b"\0") == 1,
            "negotiate: the domain, if any, is one OEM string", repr(h.data[8:]))
    bad = lm_response(a.password + "X", c.challenge)
    T.error(setup(c, a.user, bad), [(2, 2)], "session setup: a wrong LM response is ERRSRV/2")
    T.error(c.chain([tree_block(a.share, "A:")], uid=0), [(2, 91)],
            "tree connect without a session is ERRSRV/91")
    r = setup(c, "NOSUCHUSER", bad)
    T.fine(r, "session setup: a stranger", 3)
    T.same(r.w(2) & 1 if len(r.words) == 6 else -1, 1, "session setup: the stranger is guest")
    r = setup(c, a.user.upper(), lm_response(a.password, c.challenge))
    T.fine(r, "session setup: LM response, 10 words", 3)
    T.same(r.w(2) & 1, 0, "session setup: not as guest")
    T.check(r.uid not in (0, 0xffff), "session setup: a UID", "%04x" % r.uid)
    T.same(r.words[0], 0xff, "session setup: the chain ends")
    c.uid = r.uid
    T.error(c.chain([tree_block("NOSHARE", "A:")]), [(1, 67), (2, 6)], "tree connect: no such share")
    T.error(c.chain([tree_block(a.share, "LPT1:")]), [(1, 66), (2, 7)], "tree connect: a disk is no printer")
    r = c.chain([tree_block(a.share, "?????")])
    T.fine(r, "tree connect: any service", 3)
    T.check(r.data.startswith(b"A:\0"), "tree connect: the real service", repr(r.data))
    T.check(r.data.count(b"\0") == 2 and r.data.endswith(b"\0"), "tree connect: then the file system",
            repr(r.data))
    T.same(c.odd, [], "arrival: DOS errors and OEM strings only")
    c.close()


def chained(a):
    c = connect(a)
    pw = lm_response(a.password, c.challenge)
    r = c.chain([(0x73, setup_words(pw, 0x12345678), pw + oem(a.user) + oem("FOREIGN")),
                 tree_block(a.share, "A:"),
                 ])
    T.fine(r, "setup and tree in one: the setup", 3)
    cmd, words, data = r.next_block()
    T.same((cmd, len(words), data[:3]), (0x75, 6, b"A:\0"), "setup and tree in one: the tree")
    T.check(r.uid and r.tid, "setup and tree in one: UID and TID in one header", "%04x %04x" % (r.uid, r.tid))
    c.uid, c.tid = r.uid, r.tid
    r = c.chain([tree_block(a.share, "A:"),
                 (0x81, struct.pack("<HH", 5, 8), path("\\*.*") + struct.pack("<BH", 5, 0))])
    cmd, words, data = r.next_block()
    T.check(r.err == (0, 0) and cmd == 0x81 and words == b"\1\0" and len(data) == 46,
            "tree and search in one: the label", "%s, then %02x %s %d" % (r, cmd, words.hex(), len(data)))
    r = c.chain([(0x73, setup_words(pw), pw + oem(a.user)), tree_block(a.share, "A:"),
                 (0x10, b"", path("\\"))])
    _, words, _ = r.next_block()
    cmd, words, data = r.next_block(words)
    T.same((r.err, cmd, words, data), ((0, 0), 0x10, b"", b""), "setup, tree and check directory in one")
    r = c.chain([(0x73, setup_words(pw), pw + oem(a.user) + oem("")), tree_block("NOSHARE", "A:")])
    T.check(r.err in ((1, 67), (2, 6)), "setup and a tree that is not: the tree's error", str(r))
    cmd, words, data = r.next_block()
    T.same((len(r.words), cmd, len(words), len(data)), (6, 0x75, 0, 0),
           "setup and a tree that is not: both blocks")
    c.close()


def files(c):
    T.fine(mkdir(c, "\\LDAY"), "mkdir", 0)
    T.error(mkdir(c, "\\LDAY"), [(1, 5)], "mkdir of what exists is ERRDOS/5")
    r = open_x(c, "\\LDAY\\A first file.text", function=0x10, attr=0x20)
    T.fine(r, "open: create", 15)
    T.same((r.w(8) & 7, r.w(9), r.w(11) & 0x7fff, r.d(6)), (2, 0, 2, 0),
           "open: create: access, disk, created, size")
    T.check(abs(r.d(4) - local(c)) < 5, "open: create: time of last write, local", "%d" % (r.d(4) - local(c)))
    fid = r.w(2)
    body = bytes(i * 11 >> 2 & 255 for i in range(3000))
    r = write_x(c, fid, body, 0)
    T.fine(r, "write", 6)
    T.same((r.w(2), r.w(4)), (3000, 0), "write: all of it")
    r = write_x(c, fid, b"", 1000)
    T.same((r.err, r.w(2)), ((0, 0), 0), "write of 0 bytes")
    r, got = read_x(c, fid, 4000, 500)
    T.fine(r, "read", 12)
    T.check(got == body[500:], "read: to the end, which the empty write did not move", "%d bytes" % len(got))
    T.same((r.w(3), r.w(4), r.w(7), r.words[16:]), (0, 0, 0, bytes(8)), "read: reserved words are 0")
    r, got = read_x(c, fid, 10, 5000)
    T.same((r.err, got), ((0, 0), b""), "read beyond the end: success, 0 bytes")
    close(c, fid)
    T.error(read_x(c, fid, 1, 0)[0], [(1, 6)], "read of a closed FID is ERRDOS/6")
    name = "\\LDAY\\A first file.text"
    T.error(open_x(c, name, function=0x10), [(1, 80)], "open: create what exists is ERRDOS/80")
    T.error(open_x(c, "\\LDAY\\none", function=0x01), [(1, 2)], "open of nothing is ERRDOS/2")
    T.error(open_x(c, "\\NODIR\\none", function=0x11), [(1, 3)], "open in no directory is ERRDOS/3")
    T.error(open_x(c, "\\LDAY", function=0x01), [(1, 5)], "open of a directory is ERRDOS/5")
    r = c.chain([(0x2d, open_words(DENY_NONE, 0x01), oem(name.upper())), (0x2e, read_words(0, 100, 10), b"")])
    T.fine(r, "open and read in one", 15)
    T.same((r.w(11) & 0x7fff, r.d(6), r.w(8) & 7), (1, 3000, 0), "open and read in one: opened, size, access")
    cmd, words, _ = r.next_block()
    T.check(cmd == 0x2e and read_data(r, words) == body[10:110], "open and read in one: the data",
            "%02x" % cmd)
    T.error(write_x(c, r.w(2), b"x", 0), [(1, 5)], "write on a FID for reading is ERRDOS/5")
    close(c, r.w(2))
    bad = []
    for size in list(range(0, 40)) + [511, 512, 513, 1023, 2047, 2048, 3000, 4000]:
        put(c, "\\LDAY\\SIZE", body[:0] + (body + body)[:size])
        r = c.chain([(0x2d, open_words(DENY_NONE, 0x01), oem("\\LDAY\\SIZE")),
                     (0x2e, read_words(0, 4000, 0), b"")])
        cmd, words, _ = r.next_block()
        if r.err != (0, 0) or read_data(r, words) != (body + body)[:size]:
            bad.append(size)
        close(c, r.w(2))
    T.same(bad, [], "open and read in one, of many sizes")
    r = open_x(c, name, function=0x12)
    T.same((r.w(11) & 0x7fff, r.d(6)), (3, 0), "open: truncate")
    fid = r.w(2)
    w = struct.pack("<BBH", 0x2e, 0, 32 + 1 + 24 + 2 + 1 + 5) + write_words(fid, 0, 5, 60)
    second = struct.pack("<BBBH", 10, 0xff, 0, 0) + read_words(fid, 5, 0) + b"\0\0"
    c.raw_send(c.message(0x2f, w, b"\0hello") + second)
    r = c.recv()
    cmd, words, _ = r.next_block()
    T.check(r.err == (0, 0) and cmd == 0x2e and read_data(r, words) == b"hello", "write and read in one",
            str(r))
    r = c.call(0x2c, struct.pack("<HHII", fid, 5, 5, 1000000000), b"\0world")
    T.fine(r, "write and close", 1)
    T.error(read_x(c, fid, 1, 0)[0], [(1, 6)], "write and close: the FID is gone")
    T.same(get(c, name), b"helloworld", "write and close: the data is there")
    T.same(c.call(0x08, b"", path(name)).d(1), 1000000000, "write and close: the time")


def raw(c):
    body = bytes(i * 13 >> 3 & 255 for i in range(100000))
    put(c, "\\LDAY\\RAW.DAT", body)
    fid = open_x(c, "\\LDAY\\RAW.DAT").w(2)

    def raw_read(f, at, count):
        c.send(0x1a, struct.pack("<HIHHIH", f, at, count, 0, 0, 0))
        return c.raw_recv()
    T.check(raw_read(fid, 0, 65535) == body[:65535], "raw read of 65535 bytes")
    T.check(raw_read(fid, 1, 4096) == body[1:4097], "raw read of 4096 bytes")
    T.check(raw_read(fid, 90000, 60000) == body[90000:], "raw read, short at the end")
    T.same(raw_read(fid, 100000, 100), b"", "raw read at the end: length 0")
    T.same(raw_read(fid, 5000000, 100), b"", "raw read far beyond the end: length 0")
    T.same(raw_read(0x7777, 0, 100), b"", "raw read of a bad FID: length 0")

    def raw_write(f, at, total, now, through):
        """The request; returns the answer to it."""
        words = struct.pack("<HHHIIHIHH", f, total, 0, at, 0, through, 0, len(now), 60)
        return c.call(0x1d, words, b"\0" + now)

    def final(name, count):
        r = c.recv()
        T.check(r.cmd in (0x20, 0x1d) and r.err == (0, 0) and len(r.words) == 2 and r.w(0) == count, name,
                "%s count %s" % (r, r.w(0) if len(r.words) >= 2 else None))
    new = bytes(255 - b for b in body)
    r = raw_write(fid, 0, 1000, new[:100], 1)
    T.fine(r, "raw write: go ahead", 1)
    T.same((r.w(0), len(r.data)), (0xffff, 0), "raw write: go ahead: remaining is FFFF")
    c.raw_send(new[100:1000])
    final("raw write: write-through, final count of 100 + 900", 1000)
    r = raw_write(fid, 1000, 60000, b"", 1)
    T.fine(r, "raw write: nothing at once", 1)
    c.raw_send(new[1000:61000])
    final("raw write: 60000 bytes, final count", 60000)
    r = raw_write(fid, 61000, 2000, new[61000:61500], 0)
    T.fine(r, "raw write: write-behind, go ahead", 1)
    c.raw_send(new[61500:63000])
    _, got = read_x(c, fid, 4000, 60000)
    T.check(got == new[60000:63000] + body[63000:64000],
            "raw write: write-behind, no final answer, data is there")
    r = raw_write(fid, 63000, 200, new[63000:63200], 1)
    T.fine(r, "raw write: all of it at once", 1)
    c.raw_send(b"")
    final("raw write: all of it at once, the empty message, final count", 200)
    r = raw_write(fid, 64000, 5000, new[64000:64100], 1)
    T.fine(r, "raw write: to be given up", 1)
    c.raw_send(b"")
    final("raw write: given up after 100 bytes: the count so far", 100)
    r = raw_write(fid, 65000, 300, b"", 1)
    c.raw_send(new[65000:65120])
    final("raw write: fewer bytes than announced", 120)
    words = struct.pack("<HHHIIHIHH", 0x7777, 1000, 0, 0, 0, 1, 0, 100, 60)
    c.send(0x1d, words, b"\0" + bytes(100))
    r = c.recv()
    T.check(r.cmd in (0x20, 0x1d), "raw write: a bad FID is answered by write complete or write raw", str(r))
    T.error(r, [(1, 6)], "raw write: a bad FID is an error at once")
    e = c.call(0x2b, struct.pack("<H", 1), b"still here")
    T.same(e.data, b"still here", "raw write: the stream is in step after it")
    want = new[:63200] + body[63200:64000] + new[64000:64100] + body[64100:65000]
    want += new[65000:65120] + body[65120:]
    close(c, fid)
    T.check(get(c, "\\LDAY\\RAW.DAT") == want, "raw write: the file is right in every byte")


def small_locks(c, d):
    put(c, "\\LDAY\\LOCK.DAT", bytes(range(200)))
    f, g = open_x(c, "\\LDAY\\LOCK.DAT").w(2), open_x(d, "\\LDAY\\LOCK.DAT").w(2)
    r = c.call(0x13, struct.pack("<HHIH", f, 20, 100, 20))
    T.fine(r, "lock and read", 5)
    T.same((r.w(0), r.data[1:]), (20, struct.pack("<H", 20) + bytes(range(100, 120))),
           "lock and read: the data")
    T.error(d.call(0x13, struct.pack("<HHIH", g, 20, 110, 20)), [(1, 33)],
            "lock and read: the other gets ERRDOS/33")
    T.error(read_x(d, g, 5, 118)[0], [(1, 33)], "read into the lock is ERRDOS/33")
    r = c.call(0x14, struct.pack("<HHIH", f, 20, 100, 0), block(b"z" * 20))
    T.fine(r, "write and unlock", 1)
    T.same(r.w(0), 20, "write and unlock: the count")
    T.same(read_x(d, g, 20, 100)[1], b"z" * 20, "write and unlock: the other reads the new data")
    T.error(c.call(0x14, struct.pack("<HHIH", f, 20, 100, 0), block(b"y" * 20)), [(1, 158)],
            "write and unlock without the lock is ERRDOS/158")
    close(c, f)
    close(d, g)


def locking(c, d):
    f, g = open_x(c, "\\LDAY\\LOCK.DAT").w(2), open_x(d, "\\LDAY\\LOCK.DAT").w(2)
    r = lock_x(c, f, 0, 0, [], [(1, 0, 10), (1, 20, 10)])
    T.fine(r, "locking: two ranges", 2)
    T.error(lock_x(d, g, 0, 0, [], [(1, 5, 10)]), [(1, 33)], "locking: the other gets ERRDOS/33")
    T.error(lock_x(d, g, 0, 0, [], [(1, 50, 10), (1, 25, 1)]), [(1, 33)],
            "locking: free range, then a taken one")
    T.fine(lock_x(c, f, 0, 0, [], [(1, 50, 10)]), "locking: the free range was rolled back", 2)
    T.error(read_x(c, f, 5, 0, pid=9)[0], [(1, 33)],
            "locking: another PID of the same machine gets ERRDOS/33")
    T.same(read_x(c, f, 5, 0)[1], bytes(range(5)), "locking: the owner reads")
    began = time.time()
    r = lock_x(d, g, 0, 700, [], [(1, 0, 10)])
    took = time.time() - began
    T.error(r, [(1, 33)], "locking: a timeout of 700 ms ends in ERRDOS/33")
    T.check(0.6 <= took <= 2.5, "locking: after about that time", "%.2f s" % took)
    mid = lock_x(d, g, 0, 20000, [], [(1, 0, 10)], True)
    T.check(not d.pending(0.4), "locking: a long timeout waits", "something came")
    e = d.call(0x2b, struct.pack("<H", 1), b"meanwhile")
    T.same(e.data, b"meanwhile", "locking: other requests are served while it waits")
    began = time.time()
    T.fine(lock_x(c, f, 0, 0, [(1, 0, 10)], []), "locking: unlock", 2)
    r = d.recv()
    T.check(r.mid == mid and r.err == (0, 0), "locking: the waiter has its lock", str(r))
    T.check(time.time() - began < 2, "locking: soon after the unlock", "%.2f s" % (time.time() - began))
    T.error(lock_x(c, f, 0, 0, [], [(1, 0, 1)]), [(1, 33)], "locking: and the first is refused")
    mid = lock_x(c, f, 0, 0xffffffff, [], [(1, 0, 1)], True)
    T.check(not c.pending(0.3), "locking: waiting for ever", "something came")
    close(d, g)
    r = c.recv()
    T.check(r.mid == mid and r.err == (0, 0), "locking: the other's close lets it through", str(r))
    g = open_x(d, "\\LDAY\\LOCK.DAT").w(2)
    mid = lock_x(d, g, 0, 20000, [], [(1, 20, 10)], True)
    d.pending(0.2)
    can = lock_x(d, g, 8, 0, [], [(1, 20, 10)], True)
    got = {}
    for _ in range(2):
        r = d.recv()
        got[r.mid] = r.err
    T.same(got, {mid: (1, 33), can: (0, 0)}, "locking: cancel ends the waiter with ERRDOS/33")
    T.error(lock_x(d, g, 8, 0, [], [(1, 20, 10)]), [(1, 173)], "locking: cancel of nothing is ERRDOS/173")
    T.error(lock_x(d, g, 4, 0, [], [(1, 90, 10)]), [(1, 174)], "locking: change of type is ERRDOS/174")
    T.fine(lock_x(c, f, 1, 0, [], [(1, 150, 10)]), "locking: shared", 2)
    T.fine(lock_x(d, g, 1, 0, [], [(1, 150, 10)]), "locking: shared by two", 2)
    T.error(write_x(d, g, b"x", 150), [(1, 33)], "locking: nobody writes into a shared lock")
    T.error(lock_x(d, g, 0, 0, [(1, 151, 9)], []), [(1, 158)],
            "locking: unlock of another range is ERRDOS/158")
    close(c, f)
    close(d, g)


def oplock(c, d):
    put(c, "\\LDAY\\OPL.DAT", b"old")

    def hold():
        words = struct.pack("<HHHHIHIII", 3, RW | DENY_NONE, 0x16, 0, 0, 0x01, 0, 0, 0)
        return c.chain([(0x2d, words, oem("\\LDAY\\OPL.DAT"))])
    r = hold()
    T.same((r.err, r.w(11)), ((0, 0), 0x8001), "oplock: open asks for it and gets it")
    fid = r.w(2)
    mid = d.send(0x2d, struct.pack("<BBH", 0xff, 0, 0) + open_words(RW | DENY_NONE, 0x01),
                 oem("\\LDAY\\OPL.DAT"))
    b = c.recv()
    T.same((b.cmd, b.mid, b.tid, b.err, len(b.raw)), (0x24, 0xffff, c.tid, (0, 0), 51), "oplock: the break")
    T.same((b.flags & 0x80, b.words), (0, struct.pack("<BBHHBBIHH", 0xff, 0, 0, fid, 2, 0, 0, 0, 0)),
           "oplock: the break: a request, to no oplock")
    T.check(not d.pending(0.3), "oplock: the other's open waits")
    T.same(write_x(c, fid, b"new", 0).err, (0, 0), "oplock: the holder writes its data back first")
    lock_x(c, fid, 2, 0, [], [], True)
    r = d.recv()
    T.check(r.mid == mid and r.err == (0, 0), "oplock: after the acknowledgement the other has the file",
            str(r))
    T.same(read_x(d, r.w(2), 10, 0)[1], b"new", "oplock: and sees the data")
    e = c.call(0x2b, struct.pack("<H", 1), b"x")
    T.same(e.data, b"x", "oplock: a bare acknowledgement has no answer")
    close(d, r.w(2))
    close(c, fid)
    fid = hold().w(2)
    mid = d.send(0x2d, struct.pack("<BBH", 0xff, 0, 0) + open_words(RW | DENY_NONE, 0x01),
                 oem("\\LDAY\\OPL.DAT"))
    b = c.recv()
    T.fine(close(c, fid), "oplock: a break answered by close", 0)
    r = d.recv()
    T.check(r.mid == mid and r.err == (0, 0), "oplock: after the close the other has the file", str(r))
    close(d, r.w(2))


def listing(c):
    mkdir(c, "\\LMANY")
    want = ["file number %04d.text" % i for i in range(FILES)]
    for n in want:
        r = open_x(c, "\\LMANY\\" + n, function=0x10)
        if r.err != (0, 0):
            raise Broken("create %s: %s" % (n, r))
        close(c, r.w(2))
    for level in (1, 2):
        r, got = find(c, "\\LMANY\\*", level)
        n = [e["name"] for e in got]
        T.same(n[:2], [".", ".."], "find level %d: . and .. come first" % level)
        T.check(sorted(n[2:]) == want, "find level %d: each of %d names once, by resume keys" % (level,
                                                                                                 FILES),
                "%d names, %d of them different" % (len(n) - 2, len(set(n[2:]))))
        keys = [e["key"] for e in got]
        T.check(keys[0] != keys[1] and 0 not in keys[:2], "find level %d: keys of . and .. differ" % level,
                "%08x %08x" % (keys[0], keys[1]))
        T.check(got[0]["attr"] & 0x10 and not got[2]["attr"] & 0x10, "find level %d: the attributes" % level)
        T.check(got[2]["write"] and abs(got[2]["write"] - local(c)) < 60,
                "find level %d: the local time" % level)
    T.check(all(e["ea"] == 4 for e in got[2:]), "find level 2: the EA size of a file without EAs is 4",
            "%d" % got[2]["ea"])
    r, got = find(c, "\\LMANY\\*.*", 1, count=37, flags=0, go_on=True)
    T.check(sorted(e["name"] for e in got)[2:] == want, "find *.*: 37 at a time, continued from the last",
            "%d" % len(got))
    r, got = find(c, "\\LMANY\\*.text", 1, 0, 100, 4 | 2, maxd=1000)
    T.check(sorted(e["name"] for e in got) == want, "find *.text: with a MaxDataCount of 1000",
            "%d" % len(got))
    T.same(sorted(e["name"] for e in find(c, "\\LMANY\\file?number?00?7.text", 1)[1]),
           [want[i] for i in range(7, 100, 10)], "find with question marks")
    r, p, d = c.trans2(1, struct.pack("<HHHHI", 0x16, 10, 2, 1, 0) + oem("\\LMANY\\" + want[7]))
    T.fine(r, "find of one name")
    T.same(struct.unpack_from("<HH", p, 2), (1, 1), "find of one name: count 1, end of search")
    T.error(find(c, "\\LMANY\\*.none", 1)[0], [(1, 18)], "find with no match is ERRDOS/18")
    T.error(find(c, "\\NODIR\\*", 1)[0], [(1, 3)], "find in no directory is ERRDOS/3")
    T.error(find(c, "\\LMANY\\*", 99)[0], [(1, 124)], "find with an unknown level is ERRDOS/124")
    r, p, d = c.trans2(1, struct.pack("<HHHHI", 0x16, 5, 4, 1, 0) + oem("\\LMANY\\*"))
    sid = struct.unpack_from("<H", p)[0]
    T.fine(c.call(0x34, struct.pack("<H", sid)), "find close", 0)
    T.check(c.largest <= BUFFER, "no reply larger than the client's buffer", "%d" % c.largest)
    T.fine(delete(c, "\\LMANY\\*.*"), "delete *.*", 0)
    T.fine(c.call(0x01, b"", path("\\LMANY")), "rmdir of the emptied directory", 0)


def old_find(c):
    """FIND, FIND_UNIQUE and FIND_CLOSE of LANMAN1."""
    for i in range(30):
        put(c, "\\LDAY\\FF%02d.TXT" % i)
    r = c.call(0x82, struct.pack("<HH", 12, 0), path("\\LDAY\\FF*.TXT") + struct.pack("<BH", 5, 0))
    T.fine(r, "old find", 1)
    names, key = [], b""
    while r.err == (0, 0) and len(r.words) == 2 and r.w(0):
        for i in range(r.w(0)):
            e = r.data[3 + 43 * i:46 + 43 * i]
            names, key = names + [text(e[30:43])], e[:21]
        r = c.call(0x82, struct.pack("<HH", 12, 0), path("") + struct.pack("<BH", 5, 21) + key)
    T.same(sorted(names), ["FF%02d.TXT" % i for i in range(30)], "old find: 30 names, 12 at a time")
    r = c.call(0x84, struct.pack("<HH", 0, 0), path("") + struct.pack("<BH", 5, 21) + key)
    T.fine(r, "old find: close", 1)
    r = c.call(0x83, struct.pack("<HH", 5, 0), path("\\LDAY\\FF07.TXT") + struct.pack("<BH", 5, 0))
    T.check(r.err == (0, 0) and r.w(0) == 1 and text(r.data[33:46]) == "FF07.TXT", "old find: unique", str(r))
    delete(c, "\\LDAY\\FF*.TXT")


def copy_move(c):
    one, two = b"one" * 2000, b"two" * 50
    put(c, "\\LDAY\\ONE.DAT", one)
    put(c, "\\LDAY\\TWO.DAT", two)
    mkdir(c, "\\LDAY\\TO")

    def both(cmd, function, flags, old, new):
        return c.call(cmd, struct.pack("<HHH", 0xffff, function, flags), path(old) + path(new))

    def count(r, n, name):
        T.check(r.err == (0, 0) and len(r.words) == 2 and r.w(0) == n, name,
                "%s count %s" % (r, r.w(0) if len(r.words) >= 2 else None))
    count(both(0x29, 0x10, 1, "\\LDAY\\ONE.DAT", "\\LDAY\\COPY.DAT"), 1, "copy: one file, count 1")
    T.check(get(c, "\\LDAY\\COPY.DAT") == one, "copy: the content")
    T.check(get(c, "\\LDAY\\ONE.DAT") == one, "copy: the source is still there")
    r = both(0x29, 0x10, 1, "\\LDAY\\TWO.DAT", "\\LDAY\\COPY.DAT")
    T.check(r.err in ((1, 80), (1, 183)), "copy: create only, onto a file", str(r))
    T.check(get(c, "\\LDAY\\COPY.DAT") == one, "copy: refused, the target is as it was")
    count(both(0x29, 0x12, 1, "\\LDAY\\TWO.DAT", "\\LDAY\\COPY.DAT"), 1, "copy: truncating")
    T.check(get(c, "\\LDAY\\COPY.DAT") == two, "copy: truncating: the content")
    count(both(0x29, 0x11, 1, "\\LDAY\\ONE.DAT", "\\LDAY\\COPY.DAT"), 1, "copy: appending")
    T.check(get(c, "\\LDAY\\COPY.DAT") == two + one, "copy: appending: the content")
    all_ = sorted(e["name"] for e in find(c, "\\LDAY\\*.DAT", 1, 0)[1])
    count(both(0x29, 0x12, 2, "\\LDAY\\*.DAT", "\\LDAY\\TO"), len(all_),
          "copy: *.DAT into a directory, count")
    T.same(sorted(e["name"] for e in find(c, "\\LDAY\\TO\\*", 1, 0)[1]), all_, "copy: *.DAT: the names")
    T.same((get(c, "\\LDAY\\TO\\TWO.DAT"), get(c, "\\LDAY\\TO\\ONE.DAT")), (two, one),
           "copy: *.DAT: the contents")
    r = both(0x29, 0x12, 1, "\\LDAY\\NONE.DAT", "\\LDAY\\N2.DAT")
    T.check(r.err == (1, 2), "copy of nothing is ERRDOS/2", str(r))
    count(both(0x2a, 0x10, 1, "\\LDAY\\COPY.DAT", "\\LDAY\\MOVED.DAT"), 1, "move: one file, count 1")
    T.same((get(c, "\\LDAY\\MOVED.DAT") == two + one, there(c, "\\LDAY\\COPY.DAT")), (True, False),
           "move: it moved")
    delete(c, "\\LDAY\\TO\\*.*")
    count(both(0x2a, 0x10, 2, "\\LDAY\\MOVED.DAT", "\\LDAY\\TO"), 1, "move: into a directory")
    T.check(there(c, "\\LDAY\\TO\\MOVED.DAT") and not there(c, "\\LDAY\\MOVED.DAT"),
            "move: into a directory: there")
    r = both(0x2a, 0x10, 1, "\\LDAY\\ONE.DAT", "\\LDAY\\TWO.DAT")
    T.check(r.err in ((1, 80), (1, 183)), "move: create only, onto a file", str(r))
    delete(c, "\\LDAY\\TO\\*.*")
    T.fine(c.call(0x01, b"", path("\\LDAY\\TO")), "copy and move: nothing is left over", 0)


def information(c):
    put(c, "\\LDAY\\INFO.DAT", b"0123456789")
    name = "\\LDAY\\INFO.DAT"
    when = 1000000000
    pair = struct.pack("<HH", *to_dos(when))
    r, p, d = path_info(c, name, 1)
    T.fine(r, "path info level 1")
    T.same((len(p), len(d)), (2, 22), "path info level 1: 2 and 22 bytes")
    T.same(struct.unpack_from("<I", d, 12)[0], 10, "path info level 1: the size")
    r = set_path(c, name, 1, bytes(8) + pair + bytes(10))
    T.fine(r, "set path level 1: the write time")
    _, _, d2 = path_info(c, name, 1)
    T.same((d2[8:12], d2[12:16]), (pair, d[12:16]),
           "set path level 1: the time is the file's, the size is not set")
    set_path(c, name, 1, bytes(22))
    T.same(path_info(c, name, 1)[2][8:12], pair, "set path level 1: zero pairs keep the times")
    r, p, d = path_info(c, name, 2)
    T.same((r.err, len(d), d[22:26]), ((0, 0), 26, struct.pack("<I", 4)),
           "path info level 2: 26 bytes, EA size 4")
    r, p, d = path_info(c, name, 6)
    T.check(r.err == (0, 0) and not d, "path info level 6: a valid name", "%s, %d bytes" % (r, len(d)))
    T.error(path_info(c, name, 99)[0], [(1, 124)], "path info: an unknown level is ERRDOS/124")
    T.error(path_info(c, "\\LDAY\\NONE", 1)[0], [(1, 2)], "path info of nothing is ERRDOS/2")
    fid = open_x(c, name).w(2)
    r, p, d = c.trans2(7, struct.pack("<HH", fid, 1))
    T.same((r.err, d[8:16]), ((0, 0), pair + struct.pack("<I", 10)), "file info level 1: time and size")
    T.same(c.call(0x08, b"", path(name)).d(1), when, "get attributes: the same local time as seconds")
    T.error(c.trans2(7, struct.pack("<HH", 0x7777, 1))[0], [(1, 6)], "file info of a bad FID is ERRDOS/6")
    r = c.call(0x23, struct.pack("<H", fid))
    T.fine(r, "information 2: get", 11)
    T.same((r.words[8:12], r.d(6), r.w(10) & ~0x20), (pair, 10, 0),
           "information 2: write time, size, attributes")
    new = struct.pack("<HH", *to_dos(when + 86400))
    T.fine(c.call(0x22, struct.pack("<H", fid) + bytes(8) + new), "information 2: set", 0)
    T.same(c.call(0x23, struct.pack("<H", fid)).words[8:12], new, "information 2: the new write time")
    r = c.trans2(8, struct.pack("<HHH", fid, 1, 0), bytes(8) + pair + bytes(10))[0]
    T.fine(r, "set file level 1")
    T.same(c.call(0x23, struct.pack("<H", fid)).words[8:12], pair, "set file level 1: the write time")
    close(c, fid)
    T.same(path_info(c, name, 1)[2][8:12], pair, "the time set stays after close")
    r, p, d = c.trans2(3, struct.pack("<H", 1))
    T.same((r.err, len(d)), ((0, 0), 18), "file system level 1: 18 bytes")
    _, spu, total, free, bps = struct.unpack_from("<IIIIH", d)
    T.check(spu and total and bps and free <= total, "file system level 1: no factor is 0, free is not more",
            "%d %d %d %d" % (spu, total, free, bps))
    r, p, d = c.trans2(3, struct.pack("<H", 2))
    T.check(r.err == (0, 0) and len(d) >= 5 and d[5:5 + d[4]].rstrip(b"\0").isascii() and 5 + d[4] <= len(d),
            "file system level 2: serial and label", "%s %r" % (r, d))
    r = c.call(0x80)
    T.check(r.err == (0, 0) and len(r.words) == 10 and r.w(3) <= r.w(0), "disk space", str(r))


def attributes_ea(c):
    name = "\\LDAY\\EA.DAT"
    put(c, name, b"data")
    r, p, d = path_info(c, name, 4)
    T.same((r.err, d), ((0, 0), struct.pack("<I", 4)), "EAs: none is an empty list of length 4")
    r = set_path(c, name, 2, feas([(".TYPE", b"\xfd\xff\x04\0Text"), ("foo", b"bar")]))
    if not T.fine(r, "EAs: set two"):
        return
    r, p, d = path_info(c, name, 4)
    T.fine(r, "EAs: get all")
    T.same(fea_dict(d), {".TYPE": b"\xfd\xff\x04\0Text", "FOO": b"bar"}, "EAs: both are there")
    r, p, d4 = path_info(c, name, 2)
    T.same(struct.unpack_from("<I", d4, 22)[0], len(d), "EAs: level 2 has the length of the list")
    r, p, d = path_info(c, name, 3, geas(["FOO", "MISSING"]))
    T.fine(r, "EAs: get from a list")
    T.same(fea_dict(d), {"FOO": b"bar", "MISSING": b""}, "EAs: the missing one has an empty value")
    r, got = find(c, name, 3, data=geas(["foo"]))
    T.check(r.err == (0, 0) and got and got[0]["eas"] == {"FOO": b"bar"}, "EAs: find level 3",
            "%s %r" % (r, got and got[0]["eas"]))
    r, got = find(c, name, 2)
    T.same(got and got[0]["ea"], struct.unpack_from("<I", d4, 22)[0], "EAs: find level 2 says the same size")
    fid = open_x(c, name).w(2)
    r, p, d = c.trans2(7, struct.pack("<HH", fid, 4))
    T.same(len(fea_dict(d)), 2, "EAs: get all by FID")
    r = c.trans2(8, struct.pack("<HHH", fid, 2, 0), feas([("foo", b"")]))[0]
    T.fine(r, "EAs: an empty value deletes, by FID")
    T.same(sorted(fea_dict(path_info(c, name, 4)[2])), [".TYPE"], "EAs: one is left")
    close(c, fid)
    big = feas([(".LONG", bytes(i % 251 for i in range(2500)))])
    interim, r = c.trans2_in_pieces(6, struct.pack("<HI", 2, 0) + oem(name), big, 1000)
    T.fine(interim, "EAs: set in three pieces: the interim answer", 0)
    T.fine(r, "EAs: set in three pieces: the answer", 10)
    T.same(fea_dict(path_info(c, name, 4)[2]).get(".LONG"), big[-2500:],
           "EAs: set in three pieces: it is there")
    set_path(c, name, 2, feas([(".LONG", b"")]))
    r = set_path(c, name, 2, feas([(".TYPE", b"")]))
    T.same(path_info(c, name, 4)[2], struct.pack("<I", 4), "EAs: and none again")
    r, p, d = c.trans2(0x0d, struct.pack("<I", 0) + oem("\\LDAY\\EADIR"), feas([(".ICON", b"x" * 300)]))
    T.fine(r, "EAs: mkdir with one")
    T.same(fea_dict(path_info(c, "\\LDAY\\EADIR", 4)[2]), {".ICON": b"x" * 300}, "EAs: the directory has it")
    c.call(0x01, b"", path("\\LDAY\\EADIR"))
    p = struct.pack("<HHHHIHI10x", 1 | 8, RW | DENY_NONE, 0, 0x20, 0, 0x10, 0) + oem("\\LDAY\\EA2.DAT")
    r, p, d = c.trans2(0, p, feas([("foo", b"bar")]), maxp=30)
    if T.fine(r, "open 2 with an EA"):
        T.same(len(p), 30, "open 2: 30 bytes of parameters")
        fid, _, _, size, access, kind, _, action, _, _, eas = struct.unpack("<HHIIHHHHIHI", p)
        T.same((size, access & 7, kind, action & 0x7fff), (0, 2, 0, 2), "open 2: size, access, type, created")
        T.same(fea_dict(path_info(c, "\\LDAY\\EA2.DAT", 4)[2]), {"FOO": b"bar"},
               "open 2: the file has the EA")
        close(c, fid)


def rap(c, a):
    r = c.chain([tree_block("IPC$", "IPC")])
    T.fine(r, "IPC$: tree connect", 3)
    T.check(r.data.startswith(b"IPC\0"), "IPC$: the service", repr(r.data))
    mine, c.tid = c.tid, r.tid
    try:
        shares(c, a)
        server(c)
    finally:
        T.fine(c.call(0x71), "IPC$: tree disconnect", 0)
        c.tid = mine


def shares(c, a):
    status, conv, p, d = c.rap(0, "WrLeh", "B13BWz", struct.pack("<HH", 1, 8000))
    T.same(status, 0, "RAP NetShareEnum level 1: status")
    count, avail = struct.unpack_from("<HH", p)
    T.same(count, avail, "RAP NetShareEnum level 1: all of them")
    got = {}
    for i in range(count):
        n, kind, remark = d[20 * i:20 * i + 13], *struct.unpack_from("<HI", d, 20 * i + 14)
        got[text(n).upper()] = (kind, text(d[(remark & 0xffff) - conv:]))
    T.same(got.get(a.share.upper(), (None,))[0], 0, "RAP NetShareEnum: the disk share")
    T.check(got.get(a.share.upper(), (0, ""))[1].isascii(), "RAP NetShareEnum: its remark", repr(got))
    T.same(got.get("IPC$", (None,))[0], 3, "RAP NetShareEnum: IPC$ is of type 3")
    if a.printer:
        T.same(got.get(a.printer.upper(), (None,))[0], 1, "RAP NetShareEnum: the printer is of type 1")
    status, conv, p, d = c.rap(0, "WrLeh", "B13", struct.pack("<HH", 0, 8000))
    T.same((status, sorted(text(d[13 * i:13 * i + 13]).upper() for i in range(struct.unpack_from("<H",
                                                                                                 p)[0]))),
           (0, sorted(got)), "RAP NetShareEnum level 0: the same names")
    status, conv, p, d = c.rap(0, "WrLeh", "B13BWz", struct.pack("<HH", 1, 45), maxd=45)
    count, more = struct.unpack_from("<HH", p)
    T.same((status, more), (234, avail),
           "RAP NetShareEnum, small buffer: ERROR_MORE_DATA and all that there are")
    T.check(count < avail and len(d) <= 45, "RAP NetShareEnum, small buffer: fewer",
            "%d in %d" % (count, len(d)))
    status, conv, p, d = c.rap(1, "zWrLh", "B13BWz", oem(a.share.upper()) + struct.pack("<HH", 1, 8000))
    T.same((status, text(d[:13]).upper()), (0, a.share.upper()), "RAP NetShareGetInfo level 1")
    status = c.rap(1, "zWrLh", "B13BWz", oem("NOSHARE") + struct.pack("<HH", 1, 8000))[0]
    T.same(status, 2310, "RAP NetShareGetInfo of nothing: NERR_NetNameNotFound")


def server(c):
    status, conv, p, d = c.rap(13, "WrLh", "B16", struct.pack("<HH", 0, 8000))
    name = text(d[:16])
    T.check(status == 0 and name and name == name.upper(), "RAP NetServerGetInfo level 0: the name",
            "%d %r" % (status, d))
    status, conv, p, d = c.rap(13, "WrLh", "B16BBDz", struct.pack("<HH", 1, 8000))
    T.same((status, text(d[:16])), (0, name), "RAP NetServerGetInfo level 1: the same name")
    major, minor, kind, comment = struct.unpack_from("<BBII", d, 16)
    T.check(kind & 2, "RAP NetServerGetInfo: it says it is a server", "%08x" % kind)
    T.check(26 <= (comment & 0xffff) - conv < len(d), "RAP NetServerGetInfo: the comment lies in the data",
            "%08x converter %04x, %d bytes" % (comment, conv, len(d)))
    T.same(struct.unpack_from("<H", p)[0], len(d), "RAP NetServerGetInfo: bytes available")
    T.same(c.rap(13, "WrLh", "B16", struct.pack("<HH", 77, 8000))[0] in (50, 124), True,
           "RAP NetServerGetInfo: an unknown level is 124, or 50")
    status, conv, p, d = c.rap(63, "WrLh", "zzzBBzz", struct.pack("<HH", 10, 8000))
    at = [(struct.unpack_from("<I", d, i)[0] & 0xffff) - conv for i in (0, 8)]
    T.same((status, text(d[at[0]:])), (0, name), "RAP NetWkstaGetInfo level 10: the computer")
    status, conv, p, d = c.rap(91, "rL", "DDBBBBWWBBWB", struct.pack("<H", 100))
    T.same((status, len(d)), (0, 21), "RAP NetRemoteTOD: 21 bytes")
    T.check(abs(struct.unpack_from("<I", d)[0] - local(c)) < 5, "RAP NetRemoteTOD: the local time",
            "%d s off" % (struct.unpack_from("<I", d)[0] - local(c)))
    T.same(struct.unpack_from("<h", d, 12)[0], struct.unpack_from("<h", c.hello.words, 20)[0],
           "RAP NetRemoteTOD: the zone of the negotiate reply")
    T.same(c.rap(250, "WrLh", "B16", struct.pack("<HH", 0, 100))[0], 50,
           "RAP: an unknown call is not supported")


def printing(c, a):
    r = c.chain([tree_block(a.printer, "LPT1:")])
    if not T.fine(r, "printer: tree connect", 3):
        return
    T.check(r.data.startswith(b"LPT1:\0"), "printer: the service", repr(r.data))
    mine, c.tid = c.tid, r.tid
    try:
        r = c.call(0xc0, struct.pack("<HH", 0, 1), path("LANJOB"))
        T.fine(r, "printer: open", 1)
        fid = r.w(0)
        r = c.call(0x0b, struct.pack("<HHIH", fid, 16, 0, 0), block(b"lanman page one\n"))
        T.fine(r, "printer: core write", 1)
        T.fine(write_x(c, fid, b"lanman page two\f", 16), "printer: write", 6)
        r = c.call(0x27, struct.pack("<HHH4HIHHHHH", fid, 0x53, 0x60, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0)[:28])
        if T.fine(r, "printer: IOCTL for the job", 8):
            n, at = r.w(5), r.w(6)
            data = r.raw[at:at + n]
            T.same(n, 32, "printer: IOCTL: 32 bytes")
            T.check(struct.unpack_from("<H", data)[0], "printer: IOCTL: a job id", data.hex())
            T.same(text(data[18:31]).upper(), a.printer.upper(), "printer: IOCTL: the queue's name")
        T.fine(c.call(0xc2, struct.pack("<H", fid)), "printer: close", 0)
        r = c.call(0xc3, struct.pack("<hH", 20, 0))
        T.fine(r, "printer: the queue", 2)
        r = open_x(c, "\\SECOND.PRN", 0x41, 0x12)
        T.fine(r, "printer: a job by open", 15)
        T.same(r.w(9), 3, "printer: a job by open: the resource is a printer")
        T.fine(write_x(c, r.w(2), b"lanman second job\f", 0), "printer: a job by open: write", 6)
        T.fine(close(c, r.w(2)), "printer: a job by open: close", 0)
    finally:
        T.fine(c.call(0x71), "printer: tree disconnect", 0)
        c.tid = mine


def evening(c):
    c.send(0x2b, struct.pack("<H", 3), b"tick")
    T.same([(r.w(0), r.data) for r in (c.recv(), c.recv(), c.recv())], [(i, b"tick") for i in (1, 2, 3)],
           "echo: three answers")
    T.fine(c.call(0x11), "process exit", 0)
    T.fine(delete(c, "\\LDAY\\*.*", 6), "evening: delete *.*", 0)
    T.fine(c.call(0x01, b"", path("\\LDAY")), "evening: rmdir", 0)
    r = c.chain([(0x74, b"", b"")])
    T.fine(r, "logoff", 2)
    T.error(c.chain([(0x74, b"", b"")]), [(2, 91)], "logoff twice is ERRSRV/91")
    T.error(c.call(0x10, b"", path("\\")), [(2, 91)], "after logoff the tree cannot be used")
    T.fine(c.call(0x2b, struct.pack("<H", 1), b"x"), "after logoff the connection is there", 1)
    T.same(c.odd, [], "the whole day: DOS errors and OEM strings only")
    c.close()


class Args:
    def __init__(self, v):
        if len(v) not in (6, 7):
            sys.exit("usage: lanman_day.py HOST PORT SHARE USER PASS [PRINTSHARE]")
        self.host, self.port, self.share, self.user, self.password = v[1], int(v[2]), v[3], v[4], v[5]
        self.printer = v[6] if len(v) == 7 else ""


def main():
    a = Args(sys.argv)
    T.section("arrival", arrival, a)
    T.section("chained", chained, a)
    try:
        c, d = begin(a), begin(a)
    except (Broken, OSError) as e:
        T.check(False, "the day begins", str(e))
        return T.end()
    T.section("files", files, c)
    T.section("raw", raw, c)
    T.section("small locks", small_locks, c, d)
    T.section("locking", locking, c, d)
    T.section("oplock", oplock, c, d)
    for f in (listing, old_find, copy_move, information, attributes_ea):
        T.section(f.__name__, f, c)
    T.section("rap", rap, c, a)
    if a.printer:
        T.section("printing", printing, c, a)
    T.section("evening", evening, c)
    T.same(d.odd, [], "second machine: DOS errors and OEM strings only")
    return T.end()


sys.exit(main())
