"""An engine that a test controls: the other side of coordinator-ask, as Docs/script-protocol.md describes it."""

import array
import ctypes
import json
import os
import pathlib
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
ASK = pathlib.Path(os.environ.get("ASK", CHECKOUT / ".build/debug/coordinator-ask")).resolve()
# Nothing here depends on time: this only turns a test that would hang into one that fails.
PATIENCE = 60
LIVE = 2**64 - 1
PR_SET_CHILD_SUBREAPER = 36

# Processes that a script leaves behind become children of this process, which then notices their end.
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


class Connection:
    """The connection of one process, with the message that it began with."""

    def __init__(self, connected):
        connected.settimeout(PATIENCE)
        self.socket = connected
        self.input = b""
        self.message = self.read()

    @property
    def peer(self):
        """The process at the other end."""
        return struct.unpack("3i", self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]

    def read(self):
        """The next message; None at the end of the connection."""
        while b"\n" not in self.input:
            received = self.socket.recv(1 << 16)
            if not received:
                assert not self.input, f"half a message: {self.input[:200]}"
                return None
            self.input += received
        line, _, self.input = self.input.partition(b"\n")
        return json.loads(line)

    def send(self, record, descriptors=()):
        if descriptors:
            rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors).tobytes())
            self.socket.sendmsg([record], [rights])
        else:
            self.socket.sendall(record)

    def done(self, output=b"", status=0):
        """Answers an operation with the output of ask, and its exit status."""
        output = output if isinstance(output, bytes) else output.encode()
        self.send(b"done %d %d\n%s" % (status, len(output), output))

    def go(self, key="key", attempt=1, secrets=()):
        """Lets a step begin; each secret goes with it as the reading end of a pipe."""
        ends = []
        for secret in secrets:
            reading, writing = os.pipe()
            os.write(writing, secret)
            os.close(writing)
            ends.append(reading)
        self.send(b"go %d %d\n%s" % (attempt, len(key), key.encode()), ends)
        for end in ends:
            os.close(end)

    def terminate(self):
        """Tells a step that the user has stopped it."""
        self.send(b"terminate 0 0\n")

    def stop(self):
        self.send(b"stop 0 4\nback")

    def close(self):
        self.socket.close()

    def is_closed(self):
        """Waits for the end of the connection."""
        try:
            return self.read() is None
        except ConnectionResetError:
            return True  # it ended before all was read


class Engine:
    """A run: a socket, a replay file, and the processes that use them."""

    def __init__(self, records=(), flow="coffee", number=7, input=None, features="assignments result-keys undo-words"):
        self.home = tempfile.TemporaryDirectory(prefix="ask-")
        self.directory = pathlib.Path(self.home.name)
        (self.directory / "bin").mkdir()
        (self.directory / "bin/ask").symlink_to(ASK)
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(str(self.directory / "engine"))
        self.listener.listen(64)
        self.listener.settimeout(PATIENCE)
        self.log = os.memfd_create("replay")
        self.write_log(b"".join(record(*one) for one in records))
        self.processes, self.connections = [], []
        self.environment = {
            "PATH": f"{self.directory}/bin:/usr/bin:/bin", "HOME": self.home.name, "LC_ALL": "C.UTF-8",
            "ASAN_OPTIONS": "detect_leaks=0", "COORDINATOR_SOCKET": str(self.directory / "engine"), "COORDINATOR_RUN": str(number),
            "COORDINATOR_LOG": str(self.log), "COORDINATOR_FLOW": flow, "COORDINATOR_INPUT": json.dumps(input or {}),
            "COORDINATOR_FEATURES": features,
        }

    def __enter__(self):
        self.others = set(children())
        return self

    def __exit__(self, *_):
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(PATIENCE)
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream:
                    stream.close()
        self.end_orphans()
        for connection in self.connections:
            connection.close()
        self.listener.close()
        os.close(self.log)
        self.home.cleanup()

    def end_orphans(self):
        """Kills what the processes have left behind, which has become children of this process, and what that leaves behind."""
        while orphans := set(children()) - self.others:
            for orphan in orphans:
                os.kill(orphan, signal.SIGKILL)
                os.waitpid(orphan, 0)

    def write_log(self, records, position=32, count=0):
        os.ftruncate(self.log, 0)
        os.pwrite(self.log, b"ask-log1" + struct.pack("<QI", position, count) + bytes(12) + records, 0)

    @property
    def position(self):
        return struct.unpack("<Q", os.pread(self.log, 8, 8))[0]

    @property
    def count(self):
        """The index of the next entry."""
        return struct.unpack("<I", os.pread(self.log, 4, 16))[0]

    def start(self, *command, shell="sh", **options):
        """Starts a script, or the words of one command, in a new session."""
        words = [shutil.which(shell), "-c", command[0]] if len(command) == 1 else [str(word) for word in command]
        process = subprocess.Popen(
            words, env=dict(self.environment, **options.pop("environment", {})), cwd=self.directory, start_new_session=True,
            pass_fds=[self.log, *options.pop("files", [])], stdin=options.pop("stdin", subprocess.DEVNULL), stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        self.processes.append(process)
        return process

    def accept(self):
        connection = Connection(self.listener.accept()[0])
        self.connections.append(connection)
        return connection

    def connections_of(self, process):
        """The connections that come until a process ends."""
        ended = os.pidfd_open(process.pid)
        try:
            while self.listener in select.select([self.listener, ended], [], [], PATIENCE)[0]:
                yield self.accept()
        finally:
            os.close(ended)

    def is_quiet(self):
        """Whether no process has connected, and none will, because all have ended."""
        self.listener.setblocking(False)
        try:
            self.listener.accept()
            return False
        except BlockingIOError:
            return True
        finally:
            self.listener.settimeout(PATIENCE)

    def die(self):
        """Ends the engine's side for good."""
        self.listener.close()

    def wait_for_group(self, process):
        """Waits until no child of this process is left in the group of a script; those that lost their parents become children."""
        # One by one, since waitpid for the whole group would not see the end of a process that leaves it meanwhile.
        while members := [child for child in children() if os.getpgid(child) == process.pid]:
            os.waitpid(members[0], 0)


def children():
    """The children of this process, also those that have ended."""
    return [int(child) for thread in pathlib.Path("/proc/self/task").iterdir() for child in (thread / "children").read_text().split()]


def record(kind, name, digest="-", status=0, output=""):
    output = output if isinstance(output, bytes) else output.encode()
    return f"{kind} {name} {digest} {status} {len(output)}\n".encode() + output + b"\n"


def digest(screen):
    """FNV-1a of the screen as ask writes it, without its default: sorted, without white space, in UTF-8."""
    screen = {key: value for key, value in screen.items() if key != "default"}
    value = 0xCBF29CE484222325
    for byte in json.dumps(screen, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode():
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return f"{value:016x}"


def finish(process):
    """The output of a process, and its exit status."""
    output, error = process.communicate(timeout=PATIENCE)
    return output.decode(), error.decode(), process.returncode


def run_alone(*words, **options):
    """ask without an engine, and without a terminal."""
    environment = {"PATH": "/usr/bin:/bin", "ASAN_OPTIONS": "detect_leaks=0", **options.pop("environment", {})}
    return subprocess.run(
        [str(ASK), *words], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, start_new_session=True,
        timeout=PATIENCE, **options)
