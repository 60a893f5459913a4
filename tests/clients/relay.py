#!/usr/bin/env python3
"""relay.py LISTEN TARGET FILE: passes connections on and writes every byte, of both directions, to FILE."""
import socket
import sys
import threading


def pump(a, b, out):
    while True:
        try:
            data = a.recv(65536)
        except OSError:
            data = b""
        if not data:
            break
        out.write(data)
        out.flush()
        try:
            b.sendall(data)
        except OSError:
            break
    try:
        b.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def main():
    listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
    out = open(sys.argv[3], "ab")
    while True:
        client, _ = listener.accept()
        server = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
        for a, b in ((client, server), (server, client)):
            threading.Thread(target=pump, args=(a, b, out), daemon=True).start()


main()
