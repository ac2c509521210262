"""A keeper that follows a test's instructions: the other side of coordinator-dialog, according to its connection.h."""

import os
import pathlib
import socket
import subprocess
import tempfile
import unittest

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
SHIM = pathlib.Path(os.environ.get("SHIM", CHECKOUT / ".build-shim/plain")).resolve()
# The tests do not depend on time: this limit only makes a hanging test fail.
PATIENCE = 60


class Connection:
    """The connection of one shim."""

    def __init__(self, connected):
        connected.settimeout(PATIENCE)
        self.socket = connected
        self.file = connected.makefile("rb")

    def read(self):
        """Returns the next message, as a name and its bytes; None at the end of the connection."""
        try:
            line = self.file.readline()
        except ConnectionResetError:
            return None
        if not line:
            return None
        name, length = line.decode().split(" ")
        return name, self.file.read(int(length))

    def call(self):
        """Returns the messages of a call, without `ready`."""
        messages = []
        while (message := self.read()) != ("ready", b""):
            assert message is not None, messages
            messages.append(message)
        return messages

    def send(self, name, content=b""):
        content = content if isinstance(content, bytes) else content.encode()
        self.socket.sendall(b"%s %d\n%s" % (name.encode(), len(content), content))

    def close(self):
        self.file.close()
        self.socket.close()


class ShimTestCase(unittest.TestCase):
    """Starts shims, and acts as their keeper."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)
        self.path = self.directory / "socket"
        self.listening = socket.socket(socket.AF_UNIX)
        self.addCleanup(self.listening.close)
        self.listening.settimeout(PATIENCE)
        self.listening.bind(str(self.path))
        self.listening.listen()

    def start(self, *arguments, name="whiptail", environment=None, **options):
        """Starts a shim and returns its process."""
        variables = {"PATH": os.environ["PATH"], "COORDINATOR_PROGRAM": str(self.path)} | (environment or {})
        variables = {key: value for key, value in variables.items() if value is not None}
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": self.directory} | options
        process = subprocess.Popen([SHIM / name, *arguments], env=variables, **options)

        def end():
            process.kill()
            process.communicate()
        self.addCleanup(end)
        return process

    def accept(self):
        connection = Connection(self.listening.accept()[0])
        self.addCleanup(connection.close)
        return connection

    def keep(self, *arguments, **options):
        """Starts a shim and reads its call. Returns the process, the connection and the messages."""
        process = self.start(*arguments, **options)
        connection = self.accept()
        return process, connection, connection.call()

    def ended(self, process, status, error=b"", output=b""):
        """Waits for the end of a shim, and checks it."""
        self.assertEqual(process.communicate(timeout=PATIENCE), (output, error))
        self.assertEqual(process.returncode, status)
