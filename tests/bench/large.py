#!/usr/bin/env python3
"""Pipelined requests of 1 MiB, as a Linux mount sends them, and a plain TCP stream over the same link beside them.

    large.py HOST PORT SHARE up|down [MEGABYTES] [SIZE] [DEPTH]      guest; the file is large.dat
    large.py --listen PORT                                           the other end of the plain stream
    large.py HOST PORT - up|down [MEGABYTES]                         the plain stream

Prints one line: what, MB/s."""
import os
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "clients"))
sys.dont_write_bytecode = True
from nt1wire import Nt  # noqa: E402
from smb1wire import Broken  # noqa: E402

BLOCK = 1 << 20


def frame(c, cmd, words, size, mid):
    """A request whose data are `size` bytes that the caller sends; they begin at byte 64 where there are any."""
    head = struct.pack("<4sBIBHH8sHHHHH", b"\xffSMB", cmd, 0, 0, 0xc001, 0, b"", 0, c.tid, 1, c.uid, mid)
    body = head + bytes([len(words) // 2]) + words + struct.pack("<H", (size + (size > 0)) & 0xffff) + b"\0" * (size > 0)
    return struct.pack(">I", len(body) + size) + body


def receive(sock, buffer):
    """One frame into the buffer: its length."""
    def fill(view):
        while view:
            n = sock.recv_into(view)
            if n == 0:
                raise Broken("the connection ended")
            view = view[n:]
    fill(memoryview(buffer)[:4])
    size = struct.unpack_from(">I", buffer)[0]
    fill(memoryview(buffer)[:size])
    if struct.unpack_from("<I", buffer, 5)[0]:
        raise Broken("status %08x" % struct.unpack_from("<I", buffer, 5)[0])
    return size


def transfer(c, fid, up, total, size, depth):
    buffer, data = bytearray(size + 4096), bytes(size)
    sent = done = 0
    began = time.monotonic()
    while done < total:
        while sent < total and sent - done < depth * size:
            low, high = size & 0xffff, size >> 16
            if up:
                words = struct.pack("<BBHHIIHHHHHI", 0xff, 0, 0, fid, sent, 0, 0, 0, high, low, 64, 0)
                c.sock.sendmsg([frame(c, 0x2f, words, size, 2)], [], socket.MSG_MORE)
                c.sock.sendall(data)
            else:
                words = struct.pack("<BBHHIHHIHI", 0xff, 0, 0, fid, sent, low, low, high, 0, 0)
                c.sock.sendall(frame(c, 0x2e, words, 0, 2))
            sent += size
        receive(c.sock, buffer)
        at = 37 if up else 43
        moved = struct.unpack_from("<H", buffer, at)[0] | struct.unpack_from("<H", buffer, at + 4)[0] << 16
        if moved != size:
            raise Broken("%d bytes instead of %d" % (moved, size))
        done += size
    return done / (time.monotonic() - began) / 1e6


def smb(host, port, share, up, megabytes, size, depth):
    c = Nt(host, port, share, caps=0xc0d0)  # CAP_LARGE_READX, CAP_LARGE_WRITEX
    r, _, _ = c.trans2(4, struct.pack("<HH", 0, 0x200), struct.pack("<HHQ", 1, 0, 0xc1))  # large reads and writes
    c.must(r, "SET_FS_INFO")
    f = c.open("large.dat")
    if f["status"]:
        raise Broken("open: %08x" % f["status"])
    total = megabytes * 1000000 // size * size
    print("%s %d x %d: %.1f MB/s" % ("up" if up else "down", depth, size, transfer(c, f["fid"], up, total, size, depth)))
    c.close_file(f["fid"])


def listen(port):
    s = socket.create_server(("", port))
    buffer = bytearray(BLOCK)
    while True:
        c, _ = s.accept()
        up, megabytes = struct.unpack("<BI", c.recv(5, socket.MSG_WAITALL))
        left = megabytes * 1000000
        while left > 0 and up:
            n = c.recv_into(buffer)
            left = left - n if n else 0
        while left > 0:
            c.sendall(buffer)
            left -= BLOCK
        if up:
            c.sendall(b"k")
        c.close()


def plain(host, port, up, megabytes):
    c = socket.create_connection((host, port))
    c.sendall(struct.pack("<BI", up, megabytes))
    buffer, n, began = bytearray(BLOCK), 0, time.monotonic()
    while up and n < megabytes * 1000000:
        c.sendall(buffer)
        n += BLOCK
    while True:
        got = c.recv_into(buffer)
        if up or got == 0:
            break
        n += got
    print("%s plain TCP: %.1f MB/s" % ("up" if up else "down", n / (time.monotonic() - began) / 1e6))


def main(a):
    if len(a) == 2 and a[0] == "--listen":
        return listen(int(a[1]))
    if len(a) < 4:
        sys.exit(__doc__)
    more = [int(x) for x in a[4:]]
    megabytes, size, depth = (more + [300, BLOCK, 8][len(more):])[:3]
    if a[2] == "-":
        return plain(a[0], int(a[1]), a[3] == "up", megabytes)
    return smb(a[0], int(a[1]), a[2], a[3] == "up", megabytes, size, depth)


if __name__ == "__main__":
    main(sys.argv[1:])
