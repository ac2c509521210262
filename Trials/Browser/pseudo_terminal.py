"""A terminal that only receives output."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time


class PseudoTerminal:
    """A terminal without a display: it stores the output of a program, and measures the time."""

    def __init__(self, command, environment, size=(80, 24)):
        self.begun = time.perf_counter()
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
            os.execve(command[0], [str(word) for word in command], environment)
        self.written = b""

    def read(self, limit):
        """Reads the output within a time; returns False if there is none."""
        if not select.select([self.end], [], [], limit)[0]:
            return False
        try:
            self.written += os.read(self.end, 65536)
        except OSError:  # The program has ended.
            return False
        return True

    def send(self, keys):
        os.write(self.end, keys)

    def settle(self):
        """Reads until there has been no output for a moment. Continuous animations are not waited for."""
        end = time.perf_counter() + 0.5
        while self.read(0.06) and time.perf_counter() < end:
            pass

    def shows(self, text):
        """Returns the time from the start until a text was written."""
        while text.encode() not in self.written:
            assert self.read(10), self.written[-2000:]
        return time.perf_counter() - self.begun

    def press(self, key):
        """Returns the time from a key to the end of the resulting output."""
        while self.read(0.05):
            pass
        begin = last = time.perf_counter()
        self.send(key)
        assert self.read(10)
        last = time.perf_counter()
        while self.read(0.03):
            last = time.perf_counter()
        return last - begin

    def close(self):
        os.kill(self.pid, signal.SIGTERM)
        while self.read(5):
            pass
        os.waitpid(self.pid, 0)
        os.close(self.end)
