"""ask_latency.py ASK: compares coordinator-ask with /bin/true, by ratio. Exits with 1 if it takes more than twice the time.

Replay: 50 recorded answers in one shell, against a loop of 50 /bin/true. Live: one question, against /bin/true and one
round trip on a socket.
"""

import os
import pathlib
import socket
import statistics
import struct
import sys
import tempfile
import time

ROUNDS, COUNT, LIMIT = 101, 50, 2.0
ANSWER = b"done 0 6\nsmall\n"


def fnv(screen):
    value = 0xCBF29CE484222325
    for byte in screen.encode():
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return f"{value:016x}"


SCREEN = ('{"actions":[{"id":"small","role":"normal","title":"Small"},{"id":"large","role":"normal","title":"Large"}],'
          '"kind":"menu","title":"How large?"}')
MENU = ["menu", "size", "How large?", "small=Small", "large=Large"]


def serve(listener):
    """An engine in a separate process, which answers at once."""
    while True:
        connected = listener.accept()[0]
        while not connected.recv(65536).endswith(b"\n"):
            pass
        connected.sendall(ANSWER)
        connected.close()


def spawn(words, environment, quiet):
    """Returns the duration of a process, in seconds."""
    begin = time.perf_counter()
    process = os.posix_spawn(words[0], words, environment, file_actions=[(os.POSIX_SPAWN_DUP2, quiet, 1)])
    status = os.waitpid(process, 0)[1]
    took = time.perf_counter() - begin
    assert status == 0, f"{words} ends with the status {status}"
    return took


def round_trip(path):
    begin = time.perf_counter()
    with socket.socket(socket.AF_UNIX) as connected:
        connected.connect(path)
        connected.sendall(b'{"run":7,"entry":0,"ask":"size","screen":%s}\n' % SCREEN.encode())
        while connected.recv(65536):
            pass
    return time.perf_counter() - begin


class Trial:
    def __init__(self, ask, home):
        self.ask = str(pathlib.Path(ask).resolve())
        self.path = f"{home}/engine"
        self.quiet = os.open(os.devnull, os.O_WRONLY)
        self.log = os.memfd_create("replay", 0)
        record = f"ask size {fnv(SCREEN)} 0 6\nsmall\n\n".encode()
        os.pwrite(self.log, record * COUNT, 32)
        self.environment = {"PATH": "/usr/bin:/bin", "COORDINATOR_SOCKET": self.path, "COORDINATOR_RUN": "7", "COORDINATOR_LOG": str(self.log)}
        words = " ".join(f"'{word}'" for word in MENU)
        loop = "i=0; while [ $i -lt %d ]; do %s; i=$((i + 1)); done"
        self.replaying = ["/bin/sh", "-c", loop % (COUNT, f"'{self.ask}' {words}")]
        self.doing_nothing = ["/bin/sh", "-c", loop % (COUNT, "/bin/true")]
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(self.path)
        listener.listen()
        self.server = os.fork()
        if self.server == 0:
            serve(listener)

    def rewind(self, position):
        os.pwrite(self.log, b"ask-log1" + struct.pack("<QI", position, 0) + bytes(12), 0)

    def replay(self):
        self.rewind(32)
        os.set_inheritable(self.log, True)
        took = spawn(self.replaying, self.environment, self.quiet)
        assert struct.unpack("<I", os.pread(self.log, 4, 16))[0] == COUNT, "not everything was replayed"
        return took, spawn(self.doing_nothing, self.environment, self.quiet)

    def live(self):
        self.rewind(2**64 - 1)
        os.set_inheritable(self.log, True)
        took = spawn([self.ask, *MENU], self.environment, self.quiet)
        return took, spawn(["/bin/true"], self.environment, self.quiet) + round_trip(self.path)


def compare(name, once):
    """Runs both sides in turn, so that the load of the machine affects both, and compares their medians."""
    pairs = [once() for _ in range(ROUNDS)]
    mine, other = (statistics.median(side) for side in zip(*pairs))
    print(f"{name}: {mine * 1e3:.2f} ms, compared with {other * 1e3:.2f} ms: {mine / other:.2f} times (at most {LIMIT:g})")
    return mine / other <= LIMIT


def main():
    with tempfile.TemporaryDirectory(prefix="ask-latency-") as home:
        trial = Trial(sys.argv[1], home)
        try:
            good = [compare(f"{COUNT} replayed answers in one shell", trial.replay), compare("one live question", trial.live)]
        finally:
            os.kill(trial.server, 9)
            os.waitpid(trial.server, 0)
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
