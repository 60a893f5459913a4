"""Who gets in, who waits, and what `smb1ctl why` says about it: clients of several loopback addresses.
usage: policy.py PORT USER PASSWORD SMB1CTL SMBCONF"""
import socket
import struct
import subprocess
import sys
import threading
import time
import smb1wire
from smb1wire import Conn, Tally, Broken, lm_response, oem

PORT, USER, PASSWORD, CTL, CONF = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5]
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


for name, part in (("by client", clients), ("fence", fence), ("host", host), ("slow", slow), ("flood", flood),
                   ("silent", silent)):
    T.section(name, part)
sys.exit(T.end())
