"""Runs keepers of programs in a separate directory, and communicates with them like the engine."""

import json
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time

SECONDS = 30


class Client:
    """A connection like the engine's."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(SECONDS)
        self.socket.connect(str(path))
        self.file = self.socket.makefile("rb")
        self.progress = []
        self.hello = self.read()
        self.sequence = 0
        # Whether a watch is open, and replies to it that arrived before another awaited reply.
        self.watching, self.answers = False, []

    def close(self):
        self.file.close()
        self.socket.close()

    def read(self):
        """Returns the next message; None at the end."""
        line = self.file.readline()
        return json.loads(line) if line else None

    def send(self, **message):
        self.socket.sendall(json.dumps(message).encode() + b"\n")

    def ask(self, **message):
        """Sends a request that is not a watch; returns its answer. An open watch may be answered first."""
        self.send(**message)
        while True:
            reply = self.next()
            if reply is None or "sequence" not in reply:
                return reply
            self.answers.append(reply)

    def next(self):
        """Returns the next message other than progress; None at the end."""
        while True:
            message = self.read()
            if message is None or "progress" not in message:
                return message
            self.progress.append(message["progress"])

    def begin_watch(self):
        """Requests changes since this client's last state, unless it has requested them already."""
        if not self.watching:
            self.send(watch=self.sequence)
        self.watching = True

    def watch(self):
        """Returns the changes since this client's last state."""
        self.begin_watch()
        reply = self.answers.pop(0) if self.answers else self.next()
        if reply is None:
            raise ConnectionError("the keeper has gone")
        self.watching = False
        self.sequence = reply["sequence"]
        return reply

    def until(self, key):
        while True:
            reply = self.watch()
            if key in reply:
                return reply
            if "ended" in reply:
                raise AssertionError(f"the program has ended: {reply}")

    def until_progress(self, fits):
        """Waits for matching progress, and returns it. The watch stays open."""
        while True:
            self.begin_watch()
            message = self.read()
            if "working" in message:
                self.watching = False
                self.sequence = message["sequence"]
            progress = message["working"] if "working" in message else message["progress"]
            if fits(progress):
                self.begin_watch()
                return progress

    def until_printed(self, line):
        """Waits until the program has printed a line. The watch stays open."""
        self.until_progress(lambda progress: line in progress["lines"])

    def question(self):
        return self.until("question")["question"]

    def end(self):
        return self.until("ended")

    def answer(self, question, event, payload=None, secrets=None):
        return self.ask(answer=question["id"], event=event, payload=payload or {}, secrets=secrets or {})


class Keeper:
    """A keeper in a separate process."""

    def __init__(self, world, arguments, name="program", options=(), user=None, group=None, extra_groups=None, **environment):
        self.world, self.name = world, name
        self.clients = []
        # In a separate session, as coordinatorctl starts it.
        self.process = subprocess.Popen(
            [world.keeper, "--name", name, *options, "--", *(argument if isinstance(argument, bytes) else str(argument) for argument in arguments)], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=world.environment | environment, start_new_session=True,
            cwd=world.root, user=user, group=group, extra_groups=extra_groups)
        self.path = self.process.stdout.readline().decode().strip()

    def client(self):
        client = Client(self.path)
        self.clients.append(client)
        return client

    @property
    def directory(self):
        return pathlib.Path(self.path).parent

    def wait(self):
        """Waits for the keeper's end; returns its exit status and its complaints."""
        _, complaints = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, complaints.decode()

    def close(self):
        for client in self.clients:
            client.close()
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


class World:
    """A directory for the files of keepers and programs."""

    def __init__(self, binaries):
        self.keeper = str(pathlib.Path(binaries).resolve() / "coordinator-keeper")
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="keeper-trial."))
        self.runtime = self.root / "run"
        self.runtime.mkdir(mode=0o700)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("DEBCONF", "DEBIAN", "DIALOG"))}
        self.environment = kept | {"XDG_RUNTIME_DIR": str(self.runtime), "OUT": str(self.root)}
        self.keepers = []

    def close(self):
        for keeper in self.keepers:
            keeper.close()
        shutil.rmtree(self.root, ignore_errors=True)

    def start(self, *arguments, **options):
        keeper = Keeper(self, arguments, **options)
        self.keepers.append(keeper)
        return keeper

    def script(self, text, **options):
        """Runs lines of sh."""
        path = self.root / f"{options.get('name', 'program')}.sh"
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return self.start(path, **options)

    def read(self, name):
        return (self.root / name).read_text()


def await_end(process):
    """Waits until a process has ended that is not a child process."""
    try:
        descriptor = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], SECONDS)[0])
    finally:
        os.close(descriptor)


def is_alive(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def memory_contains(process, secret):
    """Whether the writable memory of a process contains these bytes."""
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
        for line in maps:
            place, access = line.split()[:2]
            if not access.startswith("rw"):
                continue
            start, end = (int(number, 16) for number in place.split("-"))
            try:
                memory.seek(start)
                if secret in memory.read(end - start):
                    return True
            except (OSError, ValueError):
                continue
    return False


def kill(process):
    os.kill(process, signal.SIGKILL)


def now():
    return time.monotonic()
