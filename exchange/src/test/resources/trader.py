"""A trader in Python, standard library only: logs on, offers, buys, cancels, and checks every answer.

usage: trader.py PORT NAME TOKEN [CERTIFICATE]; docs/protocols/binary.md has the records. With the certificate of the
exchange, a PEM file, it speaks TLS.
"""
import socket
import ssl
import struct
import sys

LOGON, LOGOUT, HEARTBEAT, LOGON_ACCEPTED, SESSION_END, ANSWER, CANCEL_ALL = 16, 17, 18, 20, 21, 22, 23
REQUEST = 7
PLACE, CANCEL = 1, 2
ACCEPTED, REJECTED, EXECUTED, CANCELLED, DONE = 1, 2, 3, 4, 7
BID, ASK, GTC = 0, 1, 0
LENGTHS = {ANSWER: 104, LOGON_ACCEPTED: 56, HEARTBEAT: 8, SESSION_END: 8}


class Trader:
    def __init__(self, port, name, token, certificate):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        if certificate:
            context = ssl.create_default_context(cafile=certificate)
            self.socket = context.wrap_socket(self.socket, server_hostname="localhost")
        self.request = 0
        self.sequence = 0
        self.socket.sendall(struct.pack("<BBB5x16s32sqi12x", LOGON, 1, 0, name, token, 1, 0))
        accepted = self.read()
        kind, _, first, following, _, self.request, _, self.user = struct.unpack("<BB6xqqqqqi4x", accepted)
        assert kind == LOGON_ACCEPTED and first == 1 == following, accepted

    def exactly(self, length):
        data = b""
        while len(data) < length:
            part = self.socket.recv(length - len(data))
            assert part, "the exchange closed the connection"
            data += part
        return data

    def read(self):
        while True:
            kind = self.exactly(1)
            record = kind + self.exactly(LENGTHS[kind[0]] - 1)
            if kind[0] != HEARTBEAT:
                return record

    def send(self, command, symbol, order, side=0, price=0, size=0):
        self.request += 1
        self.socket.sendall(struct.pack("<BBBBBBHiIqqqqqqqq", REQUEST, 1, command, GTC, side, 0, 0, symbol, 0,
                                        order, 0, price, size, price, 0, 0, self.request))

    def answer(self):
        (kind, version, what, side, reason, flags, _, symbol, user, sequence, request, order, reference, price, size,
         left, contra, trade, record, time) = struct.unpack("<BBBBBBHiIqqqqqqqqqqq", self.read())
        self.sequence += 1
        assert (kind, version, user, sequence) == (ANSWER, 1, 0, self.sequence), (kind, version, user, sequence)
        assert time > 0 and record > 0
        return what, reason, request, order, price, size, left, trade


def main():
    trader = Trader(int(sys.argv[1]), sys.argv[2].encode(), sys.argv[3].encode(), (sys.argv + [None])[4])
    trader.send(PLACE, 1, 1, ASK, 100, 10)
    assert trader.answer() == (ACCEPTED, 0, 1, 1, 100, 10, 10, 0)
    trader.send(PLACE, 1, 2, BID, 101, 4)
    assert trader.answer() == (ACCEPTED, 0, 2, 2, 101, 4, 4, 0)
    assert trader.answer() == (EXECUTED, 0, 2, 2, 100, 4, 0, 1)
    assert trader.answer() == (EXECUTED, 0, 0, 1, 100, 4, 6, 1)
    trader.send(PLACE, 1, 1, BID, 1, 1)
    assert trader.answer()[:4] == (REJECTED, 7, 3, 1)
    trader.send(CANCEL, 1, 1)
    assert trader.answer() == (CANCELLED, 1, 4, 1, 100, 6, 0, 0)
    trader.socket.sendall(struct.pack("<BB2xiq", CANCEL_ALL, 1, -1, 5))
    assert trader.answer()[:3] == (DONE, 0, 5)
    trader.socket.sendall(struct.pack("<BB6x", LOGOUT, 1))
    assert trader.read() == struct.pack("<BBB5x", SESSION_END, 1, 0)
    print("6 commands, %d answers" % trader.sequence)


main()
