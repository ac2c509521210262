"""Scripts that ask on a terminal, without an engine."""

import fcntl
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import tempfile
import termios

from fake_engine import ASK, PATIENCE

# The caller of the tests may ignore it, as nohup does, and children inherit that.
signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Terminal:
    """A script with a new terminal. Its standard output goes to a file, as in a command substitution."""

    def __init__(self, script, shell="sh", environment=None):
        self.home = tempfile.TemporaryDirectory(prefix="ask-terminal-")
        self.directory = pathlib.Path(self.home.name)
        (self.directory / "ask").symlink_to(ASK)
        self.master, slave = os.openpty()
        self.shown = ""

        def take_terminal():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        with open(self.directory / "output", "wb") as output:
            self.process = subprocess.Popen(
                [shutil.which(shell), "-c", script], stdin=slave, stdout=output, stderr=subprocess.STDOUT, cwd=self.directory, preexec_fn=take_terminal,
                env={"PATH": f"{self.directory}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "ASAN_OPTIONS": "detect_leaks=0", **(environment or {})})
        os.close(slave)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(PATIENCE)
        os.close(self.master)
        self.home.cleanup()

    def wait_for(self, text):
        """Waits until a text is shown, and returns the output up to it."""
        while text not in self.shown:
            assert select.select([self.master], [], [], PATIENCE)[0], f"'{text}' is not shown:\n{self.shown}"
            try:
                self.shown += os.read(self.master, 65536).decode(errors="replace").replace("\r\n", "\n")
            except OSError:
                raise AssertionError(f"'{text}' is not shown:\n{self.shown}\n{(self.directory / 'output').read_text()}") from None
        before, _, self.shown = self.shown.partition(text)
        return before

    def type(self, text):
        os.write(self.master, text.encode())

    def answer(self, prompt, line):
        shown = self.wait_for(prompt)
        self.type(line + "\n")
        return shown

    def end(self):
        status = self.process.wait(PATIENCE)
        # The message of the emulator of `make arm64` for a signal that may dump core.
        output = re.sub(r"^qemu: uncaught target signal .*\n", "", (self.directory / "output").read_text(), flags=re.MULTILINE)
        return output, status

    @property
    def echoes(self):
        return bool(termios.tcgetattr(self.master)[3] & termios.ECHO)
