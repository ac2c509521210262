"""Lines of JSON on a socket, with file descriptors."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping

from coordinator.codec import JSON

MAX_LINE = 1 << 20
# The capacity of a pipe.
_MAX_SECRET = 1 << 16


class TooLong(ValueError):
    """A message that is longer than a line may be."""


class Lines:
    """The connection to the engine. Any thread may send; one thread receives."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._lock = threading.Lock()
        self._descriptors: deque[int] = deque()

    def send(self, message: Mapping[str, JSON]) -> None:
        """Sends a message. Ignores that the engine has left, which the receiving thread notices."""
        line = json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"
        if len(line) > MAX_LINE:
            raise TooLong(f"a message of {len(line)} bytes: at most {MAX_LINE} are possible")
        with self._lock:
            try:
                self._socket.sendall(line)
            except OSError:
                pass

    def receive(self) -> Iterator[Mapping[str, JSON]]:
        """Yields messages until the connection ends."""
        rest = b""
        while True:
            try:
                data, descriptors, _, _ = socket.recv_fds(self._socket, 1 << 16, 64, socket.MSG_CMSG_CLOEXEC)
            except OSError:
                return
            self._descriptors += descriptors
            if not data:
                return
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                yield json.loads(line)

    def secrets(self, names: list[str]) -> Sealed:
        """Takes the descriptors that came with a message."""
        return Sealed({name: self._descriptors.popleft() for name in names})

    def end(self) -> None:
        """Ends the connection, so that `receive` returns."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Sealed:
    """Secrets that are still in their pipes: to be read once, or closed."""

    def __init__(self, descriptors: Mapping[str, int]) -> None:
        self._descriptors = dict(descriptors)

    def read(self) -> dict[str, bytearray]:
        """Reads the secrets, and closes their pipes."""
        taken, self._descriptors = self._descriptors, {}
        return {name: _read(descriptor) for name, descriptor in taken.items()}

    def close(self) -> None:
        """Closes the pipes of secrets that were not read."""
        taken, self._descriptors = self._descriptors, {}
        for descriptor in taken.values():
            os.close(descriptor)


def _read(descriptor: int) -> bytearray:
    # Not with `read`, whose bytes could not be wiped.
    buffer = bytearray(_MAX_SECRET)
    end = 0
    try:
        with memoryview(buffer) as view:
            while end < len(buffer) and (count := os.readv(descriptor, [view[end:]])):
                end += count
        return buffer[:end]
    finally:
        wipe(buffer)
        os.close(descriptor)


def wipe(value: bytearray) -> None:
    """Overwrites a secret."""
    value[:] = bytes(len(value))


class Throttle:
    """Sends progress at most ten times a second, always including the last report."""

    INTERVAL = 0.1

    def __init__(self, send: Callable[[dict[str, JSON]], None]) -> None:
        self._send = send
        self._lock = threading.Lock()
        self._last = 0.0
        self._waiting: dict[str, JSON] | None = None
        self._is_closed = False

    def report(self, progress: dict[str, JSON]) -> None:
        """Sends progress, now or after the minimum interval."""
        with self._lock:
            wait = self._last + self.INTERVAL - time.monotonic()
            if wait > 0 and not self._is_closed:
                if self._waiting is None:
                    timer = threading.Timer(wait, self.flush)
                    timer.daemon = True
                    timer.start()
                self._waiting = {**(self._waiting or {}), **progress}
                return
            self._waiting = progress
        self.flush()

    def flush(self, *, close: bool = False) -> None:
        """Sends pending progress. `close` discards later progress."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
            self._last = time.monotonic()
            if waiting is not None and not self._is_closed:
                self._send(waiting)
            self._is_closed = self._is_closed or close
