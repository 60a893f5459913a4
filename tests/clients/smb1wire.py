"""The wire of SMB1 as a small old client needs it: session frames, the 32-byte header, AndX chains,
TRANS2 and RAP envelopes, the LM response.  Python standard library only.

Everything a client sends goes through Conn.call(); a Reply keeps the DOS class and code, the words and the
bytes, and the whole message (offsets in replies count from its first byte)."""
import calendar
import datetime
import select
import socket
import struct
import sys
import time


ANDX = (0x24, 0x2d, 0x2e, 0x2f, 0x73, 0x74, 0x75, 0xa2)


class Broken(Exception):
    """The connection ended or said something that is no SMB at all."""


# --- counting ---

class Tally:
    """The ok/not ok lines and their sum."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, good, name, came=""):
        if good:
            self.passed += 1
            print("ok - %s" % name)
        else:
            self.failed += 1
            print("not ok - %s: %s" % (name, came if came != "" else "it did not hold"))
        sys.stdout.flush()
        return bool(good)

    def same(self, got, want, name):
        return self.check(got == want, name, "%r instead of %r" % (got, want))

    def fine(self, r, name, words=None):
        """The reply is a success, and has that many words if a number is given."""
        if r.err != (0, 0):
            return self.check(False, name, str(r))
        return self.check(words is None or len(r.words) == 2 * words, name,
                          "W=%d instead of %s" % (len(r.words) // 2, words))

    def error(self, r, wants, name):
        """The reply is one of these (class, code) pairs, with W=0 and B=0."""
        if r.err not in wants:
            return self.check(False, name, "%s instead of %s" % (r, " or ".join("%d/%d" % w for w in wants)))
        return self.check(not r.words and not r.data, name, "an error with W=%d B=%d"
                          % (len(r.words) // 2, len(r.data)))

    def section(self, name, function, *args):
        """Runs one part of the day; an exception is one failure and the day goes on."""
        try:
            function(*args)
        except (Broken, OSError, struct.error, IndexError, ValueError) as e:
            self.check(False, name, "ended by %s: %s" % (type(e).__name__, e))

    def end(self):
        print("%d passed, %d failed" % (self.passed, self.failed))
        return 0 if self.failed == 0 else 1


# --- names and strings ---

def nbname(name, suffix):
    """A NetBIOS name in second-level encoding, 34 bytes."""
    raw = name.upper()[:15].ljust(15).encode("cp850") + bytes([suffix])
    return b"\x20" + bytes(c for b in raw for c in (65 + (b >> 4), 65 + (b & 15))) + b"\0"


def oem(s):
    return s.encode("cp850") + b"\0"


def path(s):
    """A name behind buffer format 4."""
    return b"\x04" + oem(s)


def block(data):
    """A data block behind buffer format 1."""
    return struct.pack("<BH", 1, len(data)) + data


def text(raw):
    """Bytes up to the first NUL as a string."""
    return raw.split(b"\0")[0].decode("cp850")


def dos_time(date, clock):
    """DATE and TIME words as seconds since 1970 of the server's local clock; None when they are no date."""
    try:
        return calendar.timegm(datetime.datetime((date >> 9) + 1980, (date >> 5) & 15, date & 31, clock >> 11,
                                                 (clock >> 5) & 63, (clock & 31) * 2).timetuple())
    except ValueError:
        return None


def to_dos(seconds):
    """(date, time) words of seconds since 1970."""
    t = time.gmtime(seconds)
    date = (t.tm_year - 1980) << 9 | t.tm_mon << 5 | t.tm_mday
    return date, t.tm_hour << 11 | t.tm_min << 5 | t.tm_sec // 2


# --- messages ---

class Reply:
    """One message of the server: header fields, words and bytes of its first block, and raw."""

    def __init__(self, raw):
        if len(raw) < 35 or raw[:4] != b"\xffSMB":
            raise Broken("no SMB: %s" % raw[:40].hex())
        self.raw = raw
        self.cmd, cls, _, code, self.flags, self.flags2 = struct.unpack_from("<BBBHBH", raw, 4)
        self.err = (cls, code)
        self.tid, self.pid, self.uid, self.mid = struct.unpack_from("<HHHH", raw, 24)
        self.words, self.data, self.data_at = self.block(32)

    def block(self, at):
        """Words, bytes and offset of the bytes of the block whose word count lies at this offset."""
        n = self.raw[at] * 2
        if at + 3 + n > len(self.raw):
            raise Broken("a block beyond the message")
        count = struct.unpack_from("<H", self.raw, at + 1 + n)[0]
        start = at + 3 + n
        if start + count > len(self.raw):
            raise Broken("B=%d beyond the message" % count)
        return self.raw[at + 1:at + 1 + n], self.raw[start:start + count], start

    def next_block(self, words=None):
        """(command, words, bytes) of the block behind the one with these words (the first if none are
        given); (0xFF, b'', b'') at the end of the chain."""
        words = self.words if words is None else words
        if len(words) < 4 or words[0] == 0xff:
            return 0xff, b"", b""
        w, data, _ = self.block(struct.unpack_from("<H", words, 2)[0])
        return words[0], w, data

    def w(self, n):
        return struct.unpack_from("<H", self.words, 2 * n)[0]

    def d(self, n):
        """The u32 that begins at word n."""
        return struct.unpack_from("<I", self.words, 2 * n)[0]

    def __str__(self):
        return "command %02x error %d/%d W=%d B=%d" % (self.cmd, self.err[0], self.err[1],
                                                       len(self.words) // 2, len(self.data))


class Conn:
    """A connection with its identifiers.  flags2 has neither the NT status nor the Unicode bit: every answer
    must be in DOS errors and OEM strings; odd ones are collected in .odd."""

    def __init__(self, host, port, called, calling, flags2=0, timeout=30):
        self.sock = socket.create_connection((host, port), timeout)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.flags2, self.flags = flags2, 0
        self.tid = self.uid = 0
        self.pid, self.mid = 1, 0
        self.keepalives = 0
        self.odd, self.largest = [], 0
        body = nbname(called, 0x20) + nbname(calling, 0)
        self.sock.sendall(struct.pack(">BBH", 0x81, 0, len(body)) + body)
        self.session = self._exactly(4)

    def _exactly(self, n):
        out = b""
        while len(out) < n:
            got = self.sock.recv(n - len(out))
            if not got:
                raise Broken("the server closed the connection")
            out += got
        return out

    def raw_send(self, body):
        """One session message with whatever body; above 64 KiB the length's bit 16 lies in the flags."""
        self.sock.sendall(struct.pack(">BBH", 0, len(body) >> 16, len(body) & 0xffff) + body)

    def raw_recv(self):
        """The body of the next session message; keepalives are counted and skipped."""
        while True:
            kind, flags, length = struct.unpack(">BBH", self._exactly(4))
            if kind == 0x85:
                self.keepalives += 1
                continue
            if kind != 0:
                raise Broken("session packet %02x" % kind)
            return self._exactly((flags & 1) << 16 | length)

    def message(self, cmd, words=b"", data=b"", **over):
        """The bytes of a request; over: tid, uid, pid, mid, flags, flags2."""
        if "mid" not in over:
            self.mid = self.mid % 60000 + 1
        get = lambda k: over.get(k, getattr(self, k))
        head = b"\xffSMB" + struct.pack("<BIBH12sHHHH", cmd, 0, get("flags"), get("flags2"), b"",
                                        get("tid"), get("pid"), get("uid"), get("mid"))
        return head + struct.pack("<B", len(words) // 2) + words + struct.pack("<H",
                                                                               len(data) & 0xffff) + data

    def send(self, cmd, words=b"", data=b"", **over):
        self.raw_send(self.message(cmd, words, data, **over))
        return over.get("mid", self.mid)

    def recv(self):
        r = Reply(self.raw_recv())
        self.largest = max(self.largest, len(r.raw))
        if r.flags2 & 0xc000:
            self.odd.append("command %02x: Flags2 %04x" % (r.cmd, r.flags2))
        return r

    def call(self, cmd, words=b"", data=b"", **over):
        mid = self.send(cmd, words, data, **over)
        r = self.recv()
        if r.mid != mid or r.cmd != cmd:
            raise Broken("command %02x mid %d answered by command %02x mid %d" % (cmd, mid, r.cmd, r.mid))
        return r

    def negotiate(self, dialects):
        return self.call(0x72, b"", b"".join(b"\x02" + oem(d) for d in dialects))

    def pending(self, seconds):
        """Whether something arrives within this time."""
        return bool(select.select([self.sock], [], [], seconds)[0])

    def chain(self, blocks, **over):
        """AndX blocks [(command, words after the AndX ones, bytes)] in one message; the last may be a
        plain command."""
        words, data, at = [], [], 32
        for i, (cmd, w, b) in enumerate(blocks):
            andx = 4 if cmd in ANDX else 0
            at += 1 + andx + len(w) + 2 + len(b)
            nxt = blocks[i + 1][0] if i + 1 < len(blocks) else 0xff
            words.append(struct.pack("<BBH", nxt, 0, at if nxt != 0xff else 0)[:andx] + w)
            data.append(b)
        tail = b"".join(struct.pack("<B", len(w) // 2) + w + struct.pack("<H", len(d)) + d
                        for w, d in zip(words[1:], data[1:]))
        self.raw_send(self.message(blocks[0][0], words[0], data[0], **over) + tail)
        r = self.recv()
        if r.mid != over.get("mid", self.mid):
            raise Broken("chain answered with mid %d" % r.mid)
        return r

    def close(self):
        self.sock.close()

    # --- transactions ---

    def _trans(self, cmd, setup, name, params, data, maxp, maxd):
        head = 32 + 1 + 28 + 2 * len(setup) + 2
        body = name
        pad = -(head + len(body)) % 4
        body += b"\0" * pad
        poff = head + len(body)
        body += params
        body += b"\0" * (-(head + len(body)) % 4)
        doff = head + len(body)
        body += data
        words = struct.pack("<HHHHBBHIHHHHHBB", len(params), len(data), maxp, maxd, 0, 0, 0, 0, 0,
                            len(params), poff,
                            len(data), doff, len(setup), 0) + b"".join(struct.pack("<H", s) for s in setup)
        mid = self.send(cmd, words, body)
        p, d, first = {}, {}, None
        while True:
            r = self.recv()
            if r.mid != mid or r.cmd != cmd:
                raise Broken("transaction answered by command %02x mid %d" % (r.cmd, r.mid))
            first = first or r
            if len(r.words) < 20:
                return r, b"", b""
            tp, td, _, pc, po, pd, dc, do, dd = struct.unpack_from("<9H", r.words)
            p[pd], d[dd] = r.raw[po:po + pc], r.raw[do:do + dc]
            if sum(map(len, p.values())) >= tp and sum(map(len, d.values())) >= td:
                join = lambda parts: b"".join(parts[k] for k in sorted(parts))
                return first, join(p), join(d)

    def trans2(self, sub, params, data=b"", maxp=10, maxd=8000):
        """(reply, parameters, data) of a TRANSACTION2."""
        return self._trans(0x32, [sub], b"\0", params, data, maxp, maxd)

    def trans2_in_pieces(self, sub, params, data, piece):
        """A TRANSACTION2 whose data goes in pieces: (interim reply, final reply)."""
        def words(first, at, part):
            poff = 32 + 1 + (30 if first else 18) + 2 + 2
            doff = poff + (len(params) + 3 & ~3 if first else 0)
            pc = len(params) if first else 0
            body = b"\0\0" + (params.ljust(doff - poff, b"\0") if first else b"") + part
            if first:
                return struct.pack("<HHHHHHIHHHHHHH", len(params), len(data), 10, 8000, 0, 0, 0, 0, pc, poff,
                                   len(part), doff, 1, sub), body
            return struct.pack("<9H", len(params), len(data), 0, poff, 0, len(part), doff, at, 0xffff), body
        parts = [data[i:i + piece] for i in range(0, len(data), piece)]
        mid = self.send(0x32, *words(True, 0, parts[0]))
        interim = self.recv()
        for i, part in enumerate(parts[1:]):
            self.send(0x33, *words(False, (i + 1) * piece, part), mid=mid)
        return interim, self.recv()

    def rap(self, function, pdesc, ddesc, params, maxd=8000):
        """(status, converter, rest of the parameters, data) of a call on \\PIPE\\LANMAN."""
        r, p, d = self._trans(0x25, [], oem("\\PIPE\\LANMAN"),
                              struct.pack("<H", function) + oem(pdesc) + oem(ddesc) + params, b"", 64, maxd)
        if r.err != (0, 0) or len(p) < 4:
            raise Broken("RAP %d: %s, %d parameter bytes" % (function, r, len(p)))
        status, conv = struct.unpack_from("<HH", p)
        return status, conv, p[4:], d


# --- DES and the LM response ---

def _table(s):
    return [int(x) for x in s.split()]


_IP = [58 - 8 * c + r for r in (0, 2, 4, 6, -1, 1, 3, 5) for c in range(8)]
_PC1 = _table("57 49 41 33 25 17 9 1 58 50 42 34 26 18 10 2 59 51 43 35 27 19 11 3 60 52 44 36 "
              "63 55 47 39 31 23 15 7 62 54 46 38 30 22 14 6 61 53 45 37 29 21 13 5 28 20 12 4")
_PC2 = _table("14 17 11 24 1 5 3 28 15 6 21 10 23 19 12 4 26 8 16 7 27 20 13 2 41 52 31 37 47 55 "
              "30 40 51 45 33 48 44 49 39 56 34 53 46 42 50 36 29 32")
_P = _table("16 7 20 21 29 12 28 17 1 15 23 26 5 18 31 10 2 8 24 14 32 27 3 9 19 13 30 6 22 11 4 25")
_E = [(i * 4 + j - 1) % 32 + 1 for i in range(8) for j in range(6)]
_S = [_table(s) for s in (
    "14 4 13 1 2 15 11 8 3 10 6 12 5 9 0 7 0 15 7 4 14 2 13 1 10 6 12 11 9 5 3 8 "
    "4 1 14 8 13 6 2 11 15 12 9 7 3 10 5 0 15 12 8 2 4 9 1 7 5 11 3 14 10 0 6 13",
    "15 1 8 14 6 11 3 4 9 7 2 13 12 0 5 10 3 13 4 7 15 2 8 14 12 0 1 10 6 9 11 5 "
    "0 14 7 11 10 4 13 1 5 8 12 6 9 3 2 15 13 8 10 1 3 15 4 2 11 6 7 12 0 5 14 9",
    "10 0 9 14 6 3 15 5 1 13 12 7 11 4 2 8 13 7 0 9 3 4 6 10 2 8 5 14 12 11 15 1 "
    "13 6 4 9 8 15 3 0 11 1 2 12 5 10 14 7 1 10 13 0 6 9 8 7 4 15 14 3 11 5 2 12",
    "7 13 14 3 0 6 9 10 1 2 8 5 11 12 4 15 13 8 11 5 6 15 0 3 4 7 2 12 1 10 14 9 "
    "10 6 9 0 12 11 7 13 15 1 3 14 5 2 8 4 3 15 0 6 10 1 13 8 9 4 5 11 12 7 2 14",
    "2 12 4 1 7 10 11 6 8 5 3 15 13 0 14 9 14 11 2 12 4 7 13 1 5 0 15 10 3 9 8 6 "
    "4 2 1 11 10 13 7 8 15 9 12 5 6 3 0 14 11 8 12 7 1 14 2 13 6 15 0 9 10 4 5 3",
    "12 1 10 15 9 2 6 8 0 13 3 4 14 7 5 11 10 15 4 2 7 12 9 5 6 1 13 14 0 11 3 8 "
    "9 14 15 5 2 8 12 3 7 0 4 10 1 13 11 6 4 3 2 12 9 5 15 10 11 14 1 7 6 0 8 13",
    "4 11 2 14 15 0 8 13 3 12 9 7 5 10 6 1 13 0 11 7 4 9 1 10 14 3 5 12 2 15 8 6 "
    "1 4 11 13 12 3 7 14 10 15 6 8 0 5 9 2 6 11 13 8 1 4 10 7 9 5 0 15 14 2 3 12",
    "13 2 8 4 6 15 11 1 10 9 3 14 5 0 12 7 1 15 13 8 10 3 7 4 12 5 6 11 0 14 9 2 "
    "7 11 4 1 9 12 14 2 0 6 10 13 15 3 5 8 2 1 14 7 4 10 8 13 15 12 9 0 3 5 6 11")]


def _bits(data):
    return [b >> i & 1 for b in data for i in range(7, -1, -1)]


def des(key7, data8):
    """One block of DES; the key is 7 bytes, spread to 8 with unused parity bits."""
    k = _bits(key7)
    k = [k[i // 8 * 7 + i % 8] if i % 8 < 7 else 0 for i in range(64)]
    c = [k[i - 1] for i in _PC1]
    d = _bits(data8)
    d = [d[i - 1] for i in _IP]
    left, right = d[:32], d[32:]
    for rnd in range(16):
        n = 1 if rnd in (0, 1, 8, 15) else 2
        c = c[n:28] + c[:n] + c[28 + n:] + c[28:28 + n]
        sub = [c[i - 1] for i in _PC2]
        x = [right[i - 1] ^ b for i, b in zip(_E, sub)]
        out = []
        for s in range(8):
            v = x[6 * s:6 * s + 6]
            n = _S[s][(v[0] << 1 | v[5]) * 16 + (v[1] << 3 | v[2] << 2 | v[3] << 1 | v[4])]
            out += [n >> i & 1 for i in (3, 2, 1, 0)]
        left, right = right, [l ^ out[i - 1] for l, i in zip(left, _P)]
    d = right + left
    out = [0] * 64
    for at, source in enumerate(_IP):
        out[source - 1] = d[at]
    return bytes(int("".join(map(str, out[i:i + 8])), 2) for i in range(0, 64, 8))


def lm_hash(password):
    p = password.upper().encode("cp850")[:14].ljust(14, b"\0")
    return des(p[:7], b"KGS!@#$%") + des(p[7:], b"KGS!@#$%")


def lm_response(password, challenge):
    h = lm_hash(password).ljust(21, b"\0")
    return b"".join(des(h[i:i + 7], challenge) for i in (0, 7, 14))
