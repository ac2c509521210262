"""The messages of the shim's call, and its end if it has no keeper to ask."""

import fcntl
import os
import pty
import shutil
import struct
import subprocess
import termios

from fake_keeper import SHIM, ShimTestCase


class CallTests(ShimTestCase):
    """The call."""

    def test_all_arguments_are_sent_byte_by_byte(self):
        arguments = [b"--menu", b"", b"two\nlines", b"\xff\xfe", b"--", "\u6c34".encode(), b"x" * 100_000]
        _, _, messages = self.keep(*arguments)
        self.assertEqual(messages[0], ("shim", b"whiptail"))
        self.assertEqual([content for name, content in messages if name == "argument"], arguments)

    def test_only_variables_of_dialog_are_sent(self):
        environment = {"DIALOG_OK": "7", "DIALOGOPTS": "--colors", "DIALOGRC": "/x", "NEWT_COLORS": "x", "HOME": "/root", "XDIALOG": "1"}
        _, _, messages = self.keep(name="dialog", environment=environment)
        self.assertEqual(messages[0], ("shim", b"dialog"))
        self.assertEqual(sorted(content for name, content in messages if name == "variable"), [b"DIALOGOPTS=--colors", b"DIALOG_OK=7"])

    def test_the_descriptors_that_can_be_written_to_are_named(self):
        reading, writing = os.pipe()
        self.addCleanup(os.close, reading)
        self.addCleanup(os.close, writing)
        _, _, messages = self.keep(pass_fds=[reading, writing])
        self.assertEqual(dict(messages)["writable"].decode().split(), ["0", "1", "2", str(writing)])

    def test_the_size_is_that_of_the_terminal(self):
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        self.addCleanup(os.close, slave)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        _, _, messages = self.keep(
            stdin=slave, start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.assertEqual(dict(messages)["size"], b"30 100")

    def test_standard_files_may_be_closed(self):
        process = self.start("x", stdin=None, stdout=None, stderr=None, preexec_fn=lambda: os.closerange(0, 3))
        connection = self.accept()
        connection.call()
        connection.send("output", "2 nobody reads this")
        connection.send("exit", "3")
        self.assertEqual(process.wait(), 3)


class NobodyTests(ShimTestCase):
    """A question that cannot be asked."""

    def test_without_a_socket_the_shim_says_so(self):
        process = self.start("--yesno", "x", "0", "0", environment={"COORDINATOR_PROGRAM": None})
        self.ended(process, 255, b"whiptail: COORDINATOR_PROGRAM is not set; start the program with 'coordinatorctl exec'\n")

    def test_a_socket_that_nobody_listens_on_is_an_error(self):
        path = str(self.directory / "none")
        process = self.start(name="dialog", environment={"COORDINATOR_PROGRAM": path})
        self.ended(process, 255, b"dialog: the question cannot be asked: what keeps the program has ended (No such file or directory)\n")

    def test_a_path_that_is_too_long_is_an_error(self):
        process = self.start(environment={"COORDINATOR_PROGRAM": "/" + "x" * 200})
        self.ended(process, 255, b"whiptail: the path in COORDINATOR_PROGRAM is too long\n")

    def test_a_keeper_that_goes_away_is_never_an_answer(self):
        process, connection, _ = self.keep("--yesno", "x", "0", "0")
        connection.close()
        self.ended(process, 255, b"whiptail: the question was lost: connection closed\n")

    def test_half_a_message_is_never_an_answer(self):
        for half in [b"exit 1\n", b"exit", b"output 10\n2 abc"]:
            process, connection, _ = self.keep()
            connection.socket.sendall(half)
            connection.close()
            self.ended(process, 255, b"whiptail: the question was lost: connection closed\n")

    def test_what_cannot_be_understood_ends_the_shim(self):
        for message in [b"answer 3\nyes", b"exit\n", b" 1\nx", b"exit 99999999999999999999\n", b"exit -1\n", b"exit 0\n", b"exit 3\n256", b"exit 2\n1x", b"x" * 100 + b" 1\n",
                        b"output 3\n2:x", b"output 2\n-1", b"output 1\nx", b"read-descriptor 1\nx"]:
            process, connection, _ = self.keep()
            connection.socket.sendall(message)
            self.ended(process, 255, b"whiptail: received a malformed message\n")

    def test_the_end_of_the_shim_ends_the_connection(self):
        process, connection, _ = self.keep()
        process.terminate()
        self.assertIsNone(connection.read())

    def test_another_name_is_refused(self):
        os.symlink(SHIM / "whiptail", self.directory / "zenity")
        process = self.start(name=self.directory / "zenity")
        self.ended(process, 255, b"zenity: this program must be called 'whiptail', 'dialog', 'askpass', 'pinentry' or 'password-request'\n")

    def test_the_shim_does_not_run_with_the_rights_of_another_user(self):
        if os.geteuid() != 0 or os.statvfs(self.directory).f_flag & os.ST_NOSUID:
            self.skipTest("needs root and a file system with setuid")
        if (SHIM / "whiptail.other").exists():
            self.skipTest("the emulator of another processor has its own rights, not those of the program")
        for owner, group, mode in [(1234, 0, 0o4755), (0, 1234, 0o2755)]:
            copy = self.directory / "whiptail"
            shutil.copy(SHIM / "whiptail", copy)
            os.chown(copy, owner, group)
            os.chmod(copy, mode)
            os.chmod(self.directory, 0o755)
            done = subprocess.run([copy], capture_output=True, check=False, env={"COORDINATOR_PROGRAM": str(self.path)})
            self.assertEqual(done.stderr, b"whiptail: refusing to run setuid or setgid\n")
            self.assertEqual(done.returncode, 255)
