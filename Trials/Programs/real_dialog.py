"""Runs a real whiptail or dialog on a separate terminal, and types."""

import fcntl
import os
import pty
import select
import signal
import struct
import tempfile
import termios
import time

ROOM = (24, 80)
WAIT = None  # among keys: wait until the program has drawn everything


class Played:
    """The outcome of a call."""

    def __init__(self, status, outputs, problem=None):
        self.status, self.outputs, self.problem = status, outputs, problem

    def same_as(self, outcome):
        """Whether the Swift code has the same result; it does not draw on the standard output."""
        ours = {key: value for key, value in outcome["outputs"].items() if value}
        return self.problem is None and outcome.get("problem") is None and self.status == outcome["status"] \
            and {key: value for key, value in self.outputs.items() if value} == ours


def _start(case, directory, pipes):
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *ROOM, 0, 0))
    name = case["program"]
    environment = {"PATH": os.environ["PATH"], "TERM": "linux", "LANG": "C.UTF-8", "ESCDELAY": "50", "HOME": directory}
    environment.update(case.get("shim", {}))
    environment.update({key: value.encode("latin-1") for key, value in case.get("environment", {}).items()})
    arguments = [name.encode()] + [word.encode("latin-1") for word in case["arguments"]]
    child = os.fork()
    if child != 0:
        os.close(slave)
        return child, master
    try:
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        standard_input = slave
        if "stdin" in case:
            reading, writing = os.pipe()
            os.write(writing, case["stdin"].encode("latin-1"))
            os.close(writing)
            standard_input = reading
        moved = {descriptor: fcntl.fcntl(source, fcntl.F_DUPFD, 50) for descriptor, source in pipes.items()}
        terminal = fcntl.fcntl(slave, fcntl.F_DUPFD, 50)
        os.dup2(standard_input, 0)
        os.dup2(terminal, 1)
        for descriptor, source in moved.items():
            os.dup2(source, descriptor)
        os.closerange(10, 256)
        os.chdir(directory)
        os.execvpe(name, arguments, environment)
    finally:
        os._exit(126)


def play(case, pace=0.05, limit=10):
    """Plays a case: its arguments, then its keys. Returns its output on all descriptors except the terminal's."""
    with tempfile.TemporaryDirectory() as directory:
        for name, content in case.get("files", {}).items():
            if not name.startswith("&"):
                with open(os.path.join(directory, name), "wb") as file:
                    file.write(content.encode("latin-1"))
        # Help and results for --stdout go to the standard output; otherwise, boxes are drawn on it.
        descriptors = [2, 3] + ([1] if case.get("reads_stdout") else [])
        pipes = {descriptor: os.pipe() for descriptor in descriptors}
        child, master = _start(case, directory, {descriptor: ends[1] for descriptor, ends in pipes.items()})
        for reading, writing in pipes.values():
            os.close(writing)
        try:
            return _converse(case, child, master, {descriptor: ends[0] for descriptor, ends in pipes.items()}, pace, limit)
        finally:
            os.close(master)
            for reading, _ in pipes.values():
                os.close(reading)


def _converse(case, child, master, readers, pace, limit):
    collected = {descriptor: b"" for descriptor in readers}
    open_files = {reading: descriptor for descriptor, reading in readers.items()}
    keys = list(case["keys"])
    deadline = time.monotonic() + limit
    has_drawn, terminal_open = False, True
    while open_files:
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return Played(-1, {}, "the program waits")
        watched = list(open_files) + ([master] if terminal_open else [])
        ready = select.select(watched, [], [], pace if keys else 0.5)[0]
        for file in ready:
            try:
                data = os.read(file, 65536)
            except OSError:
                data = b""
            if file == master:
                has_drawn = has_drawn or bool(data)
                terminal_open = bool(data)
            elif data:
                collected[open_files[file]] += data
            else:
                del open_files[file]
        if not ready and keys and has_drawn:
            key = keys.pop(0)
            if key is WAIT:
                continue
            os.write(master, key.encode("latin-1"))
    _, status = os.waitpid(child, 0)
    outputs = {str(descriptor): data.decode("latin-1") for descriptor, data in collected.items()}
    return Played(os.waitstatus_to_exitcode(status), outputs)
