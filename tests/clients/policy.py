"""Who gets in, who waits, and what `smb1ctl why` says about it: clients of several loopback addresses.
usage: policy.py PORT USER PASSWORD SMB1CTL SMBCONF AUDITLOG"""
import json
import os
import socket
import struct
import subprocess
import sys
import threading
import time
import smb1wire
from smb1wire import Conn, Tally, Broken, lm_response, oem

PORT, USER, PASSWORD, CTL, CONF = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5]
AUDIT = sys.argv[6]
T = Tally()
plain_connect = socket.create_connection


def conn(source):
    def bound(address, timeout=30):
        return plain_connect(address, timeout, (source, 0))
    smb1wire.socket.create_connection = bound
    try:
        return Conn("127.0.0.1", PORT, "*SMBSERVER", "POLICY")
    finally:
        smb1wire.socket.create_connection = plain_connect


def login(c, user, password):
    """By LM response alone, in the LANMAN form.  DOS class and code."""
    r = c.negotiate(["LANMAN1.0"])
    challenge = r.data[:8]
    pw = lm_response(password, challenge)
    words = struct.pack("<BBHHHHIHI", 0xff, 0, 0, 4000, 2, 1, 0, len(pw), 0)
    return c.call(0x73, words, pw + oem(user) + oem("WORKGROUP")).err


def try_login(source, user, password):
    """Its outcome and how long it took."""
    start = time.time()
    c = conn(source)
    err = login(c, user, password)
    c.close()
    return err, time.time() - start


def why(arg=""):
    return subprocess.run([CTL, "-s", CONF, "why"] + ([arg] if arg else []), capture_output=True, text=True).stdout


def line_of(name):
    return next(i + 1 for i, l in enumerate(open(CONF)) if l.strip().startswith(name + " ="))


def clients():
    T.same(try_login("127.0.0.3", USER, PASSWORD)[0], (0, 0), "LM from the client that may")
    T.check(try_login("127.0.0.4", USER, PASSWORD)[0] != (0, 0), "LM from another is refused")
    said = why("127.0.0.4")
    T.check("rule: lanman auth = No" in said, "the rule is told", said)
    T.check("smb1d: lanman clients" in said, "and what would allow it", said)
    T.check("127.0.0.3" not in said, "nothing about others", said)


def fence():
    c = conn("127.0.0.1")
    T.same(c.negotiate(["PC NETWORK PROGRAM 1.0"]).w(0), 0xffff, "a dialect behind the fence")
    c.close()
    time.sleep(0.2)
    said = why("127.0.0.1")
    T.check("server min protocol = LANMAN1 (%s:%d)" % (CONF, line_of("server min protocol")) in said,
            "file and line of the fence", said)


def host():
    try:
        login(conn("127.0.0.9"), USER, PASSWORD)
        T.check(False, "a denied address gets nothing")
    except (Broken, OSError):
        T.check(True, "a denied address gets nothing")
    said = why("127.0.0.9")
    T.check("hosts deny = 127.0.0.9 (%s:%d)" % (CONF, line_of("hosts deny")) in said, "and is told about", said)


def slow():
    """A guesser waits longer and longer; others do not."""
    took, others = [], []

    def guess():
        for i in range(9):
            took.append(try_login("127.0.0.2", USER, "wrong%d" % i)[1])
    t = threading.Thread(target=guess)
    t.start()
    while t.is_alive():
        others.append(try_login("127.0.0.3", USER, PASSWORD))
        time.sleep(0.1)
    t.join()
    T.check(max(took[:5]) < 0.5, "the first wrong passwords are answered at once", took)
    T.check(took[8] > 0.35, "later ones are slowed", took)
    err, seconds = try_login("127.0.0.2", USER, PASSWORD) # 0.8 s; the worker asks once more what the porch has asked
    T.check(err == (0, 0) and 0.3 < seconds < 1.5, "the right password waits once, not twice", (err, seconds))
    T.check(all(err == (0, 0) for err, _ in others), "others get in meanwhile", others)
    T.check(sorted(s for _, s in others)[len(others) // 2] < 0.35, "and do not wait", others)
    T.check("times)" in why("127.0.0.2"), "the same refusal is counted", why("127.0.0.2"))


def flood():
    """Three hundred refusals of one address leave those of another where they are."""
    for i in range(300):
        c = conn("127.0.0.5")
        c.negotiate(["FLOOD %d" % i])
        c.close()
    said = why()
    T.check("PC NETWORK PROGRAM 1.0" in said, "a flood pushes out nobody else", said[-300:])
    T.check(why("127.0.0.5").count("\n127.0.0.5") <= 16 and why("127.0.0.5").count("FLOOD") <= 16,
            "and keeps its own bounds", why("127.0.0.5").count("FLOOD"))


def silent():
    c = conn("127.0.0.6")
    start = time.time()
    try:
        c.negotiate(["LANMAN1.0"])
        c.raw_recv()
    except (Broken, OSError):
        pass
    T.check(time.time() - start < 8, "a client that never logs in is let go", time.time() - start)
    time.sleep(0.2)
    T.check("smb1d: login timeout = 2" in why("127.0.0.6"), "and told about", why("127.0.0.6"))


def tree(c, share):
    r = c.call(0x75, struct.pack("<BBHHH", 0xff, 0, 0, 0, 1), b"\0" + oem("\\\\HOST\\" + share) + oem("?????"))
    c.tid = struct.unpack_from("<H", r.raw, 24)[0]
    return r.err


def name(s):
    return b"\x04" + s.encode("cp850") + b"\0"


def enter(share):
    """A logged-in connection with a tree."""
    c = conn("127.0.0.3")
    r = c.negotiate(["LANMAN1.0"])
    pw = lm_response(PASSWORD, r.data[:8])
    words = struct.pack("<BBHHHHIHI", 0xff, 0, 0, 4000, 2, 1, 0, len(pw), 0)
    r = c.call(0x73, words, pw + oem(USER) + oem("WORKGROUP"))
    c.uid = struct.unpack_from("<H", r.raw, 28)[0]
    T.same(tree(c, share), (0, 0), "connect to " + share)
    return c


def day(share, odd):
    c = enter(share)
    r = c.call(0x03, struct.pack("<HI", 0, 0), name(odd))
    fid = r.w(0)
    c.call(0x0b, struct.pack("<HHIH", fid, 3, 0, 3), b"\x01\x03\0abc")
    c.call(0x0a, struct.pack("<HHIH", fid, 3, 0, 3))
    c.call(0x04, struct.pack("<HI", fid, 0))
    c.call(0x02, struct.pack("<HH", 0, 0), name("missing"))
    c.call(0x07, struct.pack("<H", 0x16), name(odd) + name("moved"))
    c.call(0x06, struct.pack("<H", 0x16), name("moved"))
    c.call(0x06, struct.pack("<H", 0x16), name("nothing"))
    c.call(0x71)
    c.close()


def audit():
    day("watched", "q\xfc'x")
    day("renames", "plain")
    lines = [json.loads(l) for l in open(AUDIT, encoding="utf-8")]
    first = [l for l in lines if l["share"] == "watched"]
    ops = [(l["op"], l["path"], l["result"]) for l in first]
    for op in (("connect", "", "OK"), ("create", "q\xfc'x", "OK"), ("open", "q\xfc'x", "OK"), ("read", "q\xfc'x", "OK"),
               ("write", "q\xfc'x", "OK"), ("open", "missing", "OBJECT_NAME_NOT_FOUND"), ("delete", "moved", "OK"),
               ("disconnect", "", "OK")):
        T.check(op in ops, "audit: %s %s" % (op[0], op[2]), ops)
    T.check(any(l["op"] == "rename" and l["to"] == "moved" for l in first), "audit: rename", ops)
    T.check(any(o[0] == "delete" and o[2] != "OK" for o in ops), "audit: a delete that failed", ops)
    T.check(all(l["address"] == "127.0.0.3" and l["user"] == USER and l["time"].endswith("Z") for l in lines),
            "who and when", lines)
    T.same([l["op"] for l in lines if l["share"] == "renames"], ["rename"], "a share's own list")
    old = enter("renames")
    os.rename(AUDIT, AUDIT + ".1")
    subprocess.run([CTL, "-s", CONF, "reload"], capture_output=True)
    day("renames", "again")
    time.sleep(0.2)
    old.call(0x04, struct.pack("<HI", old.call(0x03, struct.pack("<HI", 0, 0), name("one")).w(0), 0))
    old.call(0x07, struct.pack("<H", 0x16), name("one") + name("two"))
    T.same([json.loads(l)["path"] for l in open(AUDIT)], ["again", "one"],
           "after a reload a new file, for connections that were there too")
    old.call(0x06, struct.pack("<H", 0x16), name("two"))


def audit_flood():
    """A client that fills the audit log fills two files of the size the admin gave, whatever it does; no line is lost or torn
    while the file changes, and old connections write into the new one."""
    for f in (AUDIT, AUDIT + ".old"):
        if os.path.exists(f):
            os.unlink(f)
    subprocess.run([CTL, "-s", CONF, "reload"], capture_output=True)
    time.sleep(0.3)
    old, sent, start = enter("renames"), 0, time.time()
    names = [name("%s%d" % ("long name " * 12, i)) for i in (0, 1)]
    old.call(0x04, struct.pack("<HI", old.call(0x03, struct.pack("<HI", 0, 0), names[0]).w(0), 0))
    while time.time() - start < 30 and not os.path.exists(AUDIT + ".old"):
        for i in range(100):
            sent += old.call(0x07, struct.pack("<H", 0x16), names[sent % 2] + names[(sent + 1) % 2]).err == (0, 0)
    T.check(os.path.exists(AUDIT + ".old"), "a large audit log is put aside", sent)
    time.sleep(0.3)
    for i in range(10):
        sent += old.call(0x07, struct.pack("<H", 0x16), names[sent % 2] + names[(sent + 1) % 2]).err == (0, 0)
    lines = [json.loads(l) for f in (AUDIT + ".old", AUDIT) for l in open(f, encoding="utf-8")]
    T.same(sum(l["op"] == "rename" for l in lines), sent, "each operation once, none lost")
    T.check(any(l["op"] == "rename" for l in map(json.loads, open(AUDIT))), "the connection from before writes into the new one")
    fresh = enter("renames")
    fresh.call(0x07, struct.pack("<H", 0x16), names[sent % 2] + name("fresh"))
    T.check('"to":"fresh"' in open(AUDIT).read(), "and one that came later")
    fresh.call(0x06, struct.pack("<H", 0x16), name("fresh"))


def audit_odd_names():
    """Names as no one would write them: each line is valid JSON, and none can be taken for another."""
    c = enter("watched")
    odd = [b"a\"b", b"x,'y'", b"{}[]", b"\x01\x02", b"\x7f", b"nl\x0a", b"\x9b2J", b"\xff\xfe", b"\xb0\xb1\xb2", b"\\u0022", b"q" * 250]
    seen = 0
    for n in odd:
        r = c.call(0x03, struct.pack("<HI", 0, 0), b"\x04" + n + b"\0")
        if r.err == (0, 0):
            seen += 1
            c.call(0x04, struct.pack("<HI", r.w(0), 0))
            c.call(0x06, struct.pack("<H", 0x16), b"\x04" + n + b"\0")
        else:
            c.call(0x06, struct.pack("<H", 0x16), b"\x04" + n + b"\0")
    c.close()
    raw = open(AUDIT, "rb").read()
    lines = [json.loads(l) for l in raw.decode("utf-8").split("\n") if l]
    created = [l["path"] for l in lines if l["share"] == "watched" and l["op"] == "create" and l["result"] == "OK"]
    T.check(seen >= 5 and len(created) == len(set(created)) and len(created) >= seen, "odd names, each once", (seen, created))
    T.check(not any(b < 0x20 and b != 0x0a or b == 0x7f for b in raw), "no control characters in the file")
    T.check(all(set(l) <= {"time", "address", "user", "share", "op", "path", "to", "result", "cut"} for l in lines), "nothing forged")


for name_, part in (("audit", audit), ("odd names", audit_odd_names), ("audit flood", audit_flood), ("by client", clients), ("fence", fence), ("host", host), ("slow", slow), ("flood", flood),
                   ("silent", silent)):
    T.section(name_, part)
sys.exit(T.end())
