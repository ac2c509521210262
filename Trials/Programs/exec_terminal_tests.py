"""exec_terminal_tests.py DIRECTORY: coordinatorctl exec in that directory, on a terminal, with a separate bus and daemon."""

import fcntl
import os
import pathlib
import pty
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import unittest

from program_world import needs, wait_for

BINARIES = pathlib.Path("." if len(sys.argv) < 2 else sys.argv[1]).resolve()
PROGRAM = """#!/bin/sh
whiptail --msgbox "Read this first." 8 40
echo read >read
while :; do sleep 1; done
"""


class Terminal:
    """A terminal that runs a command."""

    def __init__(self, command, environment, directory):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.chdir(directory)
            os.execve(command[0], [str(word) for word in command], environment)
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
        self.output = b""
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        while True:
            try:
                self.output += os.read(self.descriptor, 4096)
            except OSError:
                return

    def types(self, keys):
        os.write(self.descriptor, keys)

    def shows(self, text):
        try:
            wait_for(lambda: text.encode() in self.output)
        except TimeoutError:
            raise AssertionError(f"'{text}' is not shown:\n{self.output.decode(errors='replace')}") from None

    def status(self):
        """Returns the exit status of the command, after its end."""
        status = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        self.process = 0
        return status

    def close(self):
        if self.process:
            os.kill(self.process, signal.SIGTERM)
            self.status()
        self.reader.join()
        os.close(self.descriptor)


class ExecTestCase(unittest.TestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory(prefix="coordinatorctl-exec-")
        self.addCleanup(home.cleanup)
        self.home = pathlib.Path(home.name)
        self.environment = dict(
            os.environ, HOME=home.name, XDG_RUNTIME_DIR=home.name, XDG_STATE_HOME=home.name, XDG_CONFIG_HOME=home.name,
            LC_ALL="C.UTF-8", TERM="xterm", PATH=f"{BINARIES}:{os.environ['PATH']}")
        bus = self.start("dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1")
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        self.start(BINARIES / "coordinatord")
        self.start(BINARIES / "coordinator-scripts", "serve")
        wait_for(lambda: "program" in self.control("flows", check=False).stdout)
        (self.home / "program").write_text(PROGRAM)
        (self.home / "program").chmod(0o755)

    def start(self, *command):
        process = subprocess.Popen(
            [str(word) for word in command], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait, 20)
        self.addCleanup(process.terminate)
        return process

    def control(self, *words, check=True):
        return subprocess.run(
            [BINARIES / "coordinatorctl", *words], env=self.environment, capture_output=True, text=True, check=check, timeout=60,
            cwd=self.home)

    def terminal(self, *words):
        terminal = Terminal([BINARIES / "coordinatorctl", *words], self.environment, self.home)
        self.addCleanup(terminal.close)
        return terminal


class KeyboardTests(ExecTestCase):
    def test_control_c_leaves_the_questions_and_after_that_ends_the_program(self):
        terminal = self.terminal("exec", "--token", "setup", "--", "./program")
        terminal.shows("Read this first.")
        terminal.types(b"\x03")
        terminal.shows("the program goes on")
        # The program continues.
        self.assertIn("Read this first.", self.control("show", "setup").stdout)
        self.control("send", "setup", "ok")
        wait_for((self.home / "read").exists)
        terminal.types(b"\x03")
        self.assertEqual(terminal.status(), 128 + signal.SIGTERM)

    def test_the_keys_of_a_screen_without_a_question_leave_it_as_well(self):
        terminal = self.terminal("exec", "--token", "setup", "--", "sh", "-c", "echo working; exec sleep 1000")
        terminal.shows("working")
        terminal.types(b"\x03")
        terminal.shows("the program goes on")
        self.assertIn("working", self.control("show", "setup").stdout)
        terminal.types(b"\x03")
        self.assertEqual(terminal.status(), 128 + signal.SIGTERM)


class AnswerTests(ExecTestCase):
    def execute(self, answers, *program):
        (self.home / "answers").write_text(answers)
        return self.control("exec", "--answers", "answers", "--", *program, check=False)

    def test_a_file_that_is_wrong_keeps_the_program_from_being_started(self):
        done = self.execute("flow: program\nanswers: {screen: word}\n", "touch", "started")
        self.assertEqual(done.returncode, 1)
        self.assertIn("answers: screen", done.stderr)
        self.assertFalse((self.home / "started").exists())

    def test_an_answer_that_is_missing_ends_the_program(self):
        done = self.execute("flow: program\nanswers: {program: {yesno-sure: yes}}\n", "sh", "-c", "whiptail --yesno Sure 8 40 && whiptail --msgbox Done 8 40")
        self.assertEqual(done.returncode, 5)
        self.assertIn("msgbox-done", done.stderr)

    @needs("debconf")
    def test_packages_are_answered_as_debconf_set_selections_would(self):
        for name in ("config", "templates"):
            shutil.copy(f"/var/cache/debconf/{name}.dat", self.home)
        (self.home / "debconf.conf").write_text(
            "Config: config\nTemplates: templates\n\nName: config\nDriver: File\nFilename: config.dat\n\n"
            "Name: templates\nDriver: File\nFilename: templates.dat\n")
        (self.home / "package").write_text(
            "#!/bin/sh -e\n. /usr/share/debconf/confmodule\ndb_title Debconf\ndb_fset debconf/priority seen false\n"
            "db_input critical debconf/priority || true\ndb_go\ndb_get debconf/priority\necho \"$RET\" >chosen\n")
        (self.home / "package").chmod(0o755)
        self.environment["DEBCONF_SYSTEMRC"] = str(self.home / "debconf.conf")
        # In a language other than that of the file.
        self.environment["LC_ALL"] = "C.UTF-8"
        self.environment["LANGUAGE"] = "de"
        done = self.execute("debconf debconf/priority select medium\n", "debconf", "./package")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.home / "chosen").read_text(), "medium\n")


class EndTests(ExecTestCase):
    def keepers(self):
        return list((self.home / "coordinatord/programs").iterdir())

    def test_nothing_of_a_program_is_left(self):
        for stop in ("send", "dismiss"):
            with self.subTest(stop):
                command = self.start(BINARIES / "coordinatorctl", "exec", "--token", stop, "--", "whiptail", "--msgbox", "Hello", "8", "40")
                wait_for(lambda: "Hello" in self.control("show", stop, check=False).stdout)
                self.control("send", stop, "ok") if stop == "send" else self.control("dismiss", stop)
                self.assertEqual(command.wait(20), 0 if stop == "send" else 128 + signal.SIGTERM)
                # Well before the minute for which the status of an unwatched program is kept.
                wait_for(lambda: not self.keepers())

    def test_what_reads_the_standard_error_does_not_wait_for_the_keeper(self):
        command = subprocess.Popen(
            [BINARIES / "coordinatorctl", "exec", "--token", "long", "--", "sleep", "1000"], env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.home)
        wait_for(lambda: "long" in self.control("tree", check=False).stdout)
        command.kill()
        # The output ends with the last writer.
        self.assertIn(b"shown as long", command.communicate(timeout=20)[0])
        self.control("dismiss", "long")


class CommandLineTests(ExecTestCase):
    def test_what_looks_like_an_option_is_not_taken_for_the_program(self):
        for option in ("--help", "-h"):
            self.assertIn("whiptail", self.control("exec", option).stdout)
        self.assertRegex(self.control("exec", "--version").stdout, r"^\d+\.\d+")
        wrong = self.control("exec", "--frsh", "--", "true", check=False)
        self.assertEqual(wrong.returncode, 64)
        self.assertIn("--frsh", wrong.stderr)

    def test_options_of_the_program_are_the_program_s(self):
        done = self.control("exec", "sh", "-c", 'exit "$#"', "sh", "--help", "--json", "--token", check=False)
        self.assertEqual((done.returncode, done.stdout), (3, ""))

    def test_what_cannot_be_started_is_said_with_the_status_of_a_shell(self):
        (self.home / "no-program").write_text("echo no")
        for program, status in (("no-such-program", 127), ("./no-program", 126), ("/", 126)):
            with self.subTest(program):
                done = self.control("exec", "--", program, check=False)
                self.assertEqual(done.returncode, status)
                self.assertIn(program, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
