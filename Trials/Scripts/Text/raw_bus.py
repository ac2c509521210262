"""A connection to the bus without a library, for messages that libraries refuse to send."""

import os
import re
import socket
import struct

from world import PATIENCE


class RawBus:
    """A client of the bus that sends messages that libraries refuse to send."""

    def __init__(self, address):
        path = re.search(r"unix:(path|abstract)=([^,]*)", address)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("\0" if path[1] == "abstract" else "") + path[2])
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        assert self.socket.recv(1000).startswith(b"OK ")
        self.socket.sendall(b"BEGIN\r\n")
        self.serial = 0
        bus = "org.freedesktop.DBus"
        assert self.call(bus, "/org/freedesktop/DBus", bus, "Hello", "", b"")

    @staticmethod
    def padded(data, to):
        return data + b"\0" * (-len(data) % to)

    @classmethod
    def string(cls, data, value):
        return cls.padded(data, 4) + struct.pack("<I", len(value)) + value + b"\0"

    @classmethod
    def field(cls, data, code, signature, value):
        data = cls.padded(data, 8) + bytes([code, len(signature)]) + signature.encode() + b"\0"
        return data + bytes([len(value)]) + value + b"\0" if signature == "g" else cls.string(data, value)

    @classmethod
    def payload(cls, screen, event, values):
        """Returns the arguments of Delegate: strings may contain any bytes."""
        data = cls.string(struct.pack("<Q", screen), event)
        members = b""
        for key, value in values.items():
            # The array begins at a multiple of eight, so its contents can be encoded separately.
            members = cls.string(cls.padded(members, 8), key.encode()) + b"\x01s\0"
            members = cls.string(members, value)
        data = cls.padded(cls.padded(data, 4) + struct.pack("<I", len(members)), 8) + members
        return cls.padded(cls.padded(data, 4) + struct.pack("<I", 0), 8)

    def call(self, name, path, interface, member, signature, body):
        """Returns whether a call is answered; None if the bus has closed the connection."""
        self.serial += 1
        fields = b""
        for code, kind, value in ((1, "o", path), (2, "s", interface), (3, "s", member), (6, "s", name), (8, "g", signature)):
            if value:
                fields = self.field(fields, code, kind, value.encode())
        head = struct.pack("<cBBBIII", b"l", 1, 0, 1, len(body), self.serial, len(fields))
        try:
            self.socket.sendall(self.padded(head + fields, 8) + body)
            while True:
                head = self.exactly(16)
                kind, length, of_fields = head[1], *struct.unpack("<I4xI", head[4:])
                rest = self.exactly(of_fields + -of_fields % 8 + length)
                # The serial of the call is field 5; its value follows its code and its signature.
                reply = re.search(rb"\x05\x01u\0(....)", rest, re.DOTALL)
                if kind in (2, 3) and reply and struct.unpack("<I", reply[1])[0] == self.serial:
                    return kind == 2
        except (ConnectionError, EOFError):
            return None

    def exactly(self, count):
        data = b""
        while len(data) < count:
            if not (more := self.socket.recv(count - len(data))):
                raise EOFError
            data += more
        return data
