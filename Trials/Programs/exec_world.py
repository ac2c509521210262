"""A separate bus, daemon and engine, and programs that `coordinatorctl exec` runs with them."""

import os
import pathlib
import pty
import select
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Scripts"))
# The trials pass the directory of the programs as the first argument.
if len(sys.argv) > 1:
    os.environ.setdefault("COORDINATORD_BINARIES", sys.argv[1])

from keeper_client import is_alive  # noqa: F401, for the trials
from program_world import needs  # noqa: F401
from world import BINARIES, NAME, PATIENCE, Flow, Refused, World  # noqa: F401

# Variables that a program must not inherit from the environment of the trial.
FOREIGN = ("DEBCONF", "DEBIAN", "DIALOG", "SSH_", "SUDO_", "GIT_", "DISPLAY", "COORDINATOR_", "LINES", "COLUMNS")


class ExecWorld(World):
    """A world whose engine shows live programs."""

    def __init__(self):
        super().__init__()
        self.runs = []

    def __enter__(self):
        super().__enter__()
        self.environment = {name: value for name, value in self.environment.items() if not name.startswith(FOREIGN)} | {
            "OUT": str(self.home), "no_proxy": "*"}
        self.start_engine()
        return self

    def __exit__(self, *exception):
        for run in self.runs:
            run.close()
        super().__exit__(*exception)

    @property
    def is_served(self):
        """Whether live programs are served."""
        try:
            return any("program" in one["flows"] and one["state"] == "running" for one in self.manager("ListProviders"))
        except Refused:
            return False

    def until_served(self):
        self.until(lambda: self.is_served, "the flow of programs")

    def kill_engine(self):
        """Kills the engine like kill -9, and waits until the daemon has noticed."""
        self.kill(self.engine)
        self.until(lambda: not self.is_served, "the end of the engine")

    def restart_engine(self):
        self.kill_engine()
        self.start_engine()

    def script(self, name, text, interpreter="/bin/sh"):
        path = self.home / name
        path.write_text(f"#!{interpreter}\n{text}")
        path.chmod(0o755)
        return path

    def exec(self, *program, **options):
        """Runs a program in the background."""
        run = Run(self, program, **options)
        self.runs.append(run)
        return run

    def exec_script(self, text, *arguments, name="program", **options):
        return self.exec(self.script(name, text), *arguments, **options)

    def tool(self, *arguments, **options):
        """Runs coordinatorctl to its end."""
        return subprocess.run([BINARIES / "coordinatorctl", *map(str, arguments)], env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE, **options)


class Run(Flow):
    """A process of `coordinatorctl exec`, and the flow tree that shows its program."""

    def __init__(self, world, program, options=(), command=("exec",), before=(), **environment):
        self.number = len(world.runs)
        self.complaints, self.output = world.home / f"complaints.{self.number}", world.home / f"output.{self.number}"
        with open(self.complaints, "wb") as complaints, open(self.output, "wb") as output:
            self.process = subprocess.Popen(
                [*before, BINARIES / "coordinatorctl", *command, *options, "--", *map(os.fspath, program)], env=world.environment | environment,
                stdin=subprocess.DEVNULL, stdout=output, stderr=complaints, cwd=world.home, start_new_session=True)
        self.found = None
        # The path is looked up on demand: some programs do not start.
        super().__init__(world, None)

    @property
    def path(self):
        if self.found is None:
            self.found = self.world.until(self.find, lambda: f"the flow of {self.process.args}: {self.said}")
        return self.found

    @path.setter
    def path(self, path):
        self.found = path

    def find(self):
        assert self.process.poll() is None or "shown as" in self.said, f"exec has ended: {self.said}"
        words = self.said.partition("shown as ")[2]
        if ":" not in words:
            return None
        return f"/org/coordinatord/Coordinator1/flows/{words.partition(':')[0]}"

    @property
    def said(self):
        """Returns the text that exec has written for people."""
        return self.complaints.read_text(errors="replace")

    @property
    def keeper(self):
        """The id of the keeper's process."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return next(int(child) for file in children for child in file.read_text().split())

    def asks(self, name=None):
        """Waits until the program asks. Returns the screen."""
        def is_asked():
            return self.look() and self.top is not None and "progress" not in self.top and (name is None or self.top["name"] == name)

        self.world.until(is_asked, lambda: f"a question of {self.said} instead of {self.screens[-1:]}, {self.ended()}")
        return self.top

    def asks_next(self, last):
        """Waits until the program shows another question than the answered screen."""
        self.world.until(lambda: self.asks()["id"] != last["id"], lambda: f"another question than {last}")
        return self.top

    def shows_text(self, text):
        """Waits until a text is somewhere on the screen on top."""
        self.world.until(lambda: self.look() and text in str(self.top), lambda: f"{text} instead of {self.top}")
        return self.top

    def ended(self):
        """Returns how the flow has ended; None while it runs."""
        try:
            outcome, result = self.outcome
        except Refused as refused:
            return str(refused)
        return None if outcome == "active" else (outcome, result)

    def wait(self):
        """Waits for the end of exec; returns its exit status."""
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"exec goes on: {self.said}, {self.look() and self.top}\n{self.world.written()}") from None

    def flow_ends(self):
        """Waits for the end of the flow; returns how it has ended."""
        return self.world.until(self.ended, lambda: f"the end of the flow instead of {self.look() and self.top}")

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def has_ended(process, seconds=PATIENCE):
    """Waits until a process has ended, which need not be a child process."""
    try:
        descriptor = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], seconds)[0])
    finally:
        os.close(descriptor)


class ExecTestCase(unittest.TestCase):
    def setUp(self):
        self.world = self.enterContext(ExecWorld())

    def enterContext(self, context):
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def finishes(self, run, status=0):
        """Waits until the program, the flow and exec have ended with a status."""
        self.assertEqual(run.wait(), status, run.said)
        self.assertEqual(run.flow_ends(), ("finished", {"status": status}))

    def read(self, name):
        return (self.world.home / name).read_text()


class TerminalTestCase(ExecTestCase):
    """Runs exec in a terminal."""

    def start(self, text, before=(), options=()):
        program = self.world.script("program", text)
        child, self.terminal = pty.fork()
        if child == 0:
            command = [*before, BINARIES / "coordinatorctl", "exec", "--token", "here", *options, "--", program]
            os.execvpe(command[0], [str(word) for word in command], self.world.environment | {"TERM": "xterm-256color"})
        self.child, self.shown = child, b""
        self.addCleanup(os.close, self.terminal)
        return child

    def read_terminal(self):
        """Reads the available output. Returns False at the end."""
        if not select.select([self.terminal], [], [], 0.05)[0]:
            return True
        try:
            read = os.read(self.terminal, 65536)
        except OSError:
            read = b""
        self.shown += read
        return bool(read)

    def shows(self, text):
        def is_shown():
            goes_on = self.read_terminal()
            return text.encode() in self.shown or not goes_on

        self.world.until(is_shown, lambda: f"{text} instead of {self.shown}")
        self.assertIn(text.encode(), self.shown)

    def ends(self, status):
        self.world.until(lambda: not self.read_terminal(), lambda: f"the end instead of {self.shown}")
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1]), status, self.shown)


def main():
    """Runs the tests of the calling module with the programs in the directory that the first argument names."""
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
