"""The keeper's requests to the shim."""

import fcntl
import os
import pty
import subprocess

from fake_keeper import ShimTestCase


class OutputTests(ShimTestCase):
    """Outputs, and the exit status."""

    def test_outputs_are_written_where_the_keeper_says(self):
        reading, writing = os.pipe()
        self.addCleanup(os.close, reading)
        process, connection, _ = self.keep(pass_fds=[writing])
        os.close(writing)
        connection.send("output", b"2 one\n")
        connection.send("output", b"1 \xff two")
        connection.send("output", b"%d three" % writing)
        connection.send("output", b"2 ")
        connection.send("exit", "7")
        self.ended(process, 7, error=b"one\n", output=b"\xff two")
        self.assertEqual(os.read(reading, 100), b"three")

    def test_a_long_output_waits_for_its_reader(self):
        process, connection, _ = self.keep()
        long = b"x" * 3_000_000
        connection.send("output", b"1 " + long)
        connection.send("exit", "0")
        self.ended(process, 0, output=long)

    def test_an_answer_that_cannot_be_written_is_not_given(self):
        process, connection, _ = self.keep()
        connection.send("output", b"9 answer")
        self.ended(process, 255, b"whiptail: cannot write the answer to descriptor 9: Bad file descriptor\n")
        process, connection, _ = self.keep()
        process.stdout.close()
        connection.send("output", b"1 answer")
        self.assertEqual(process.stderr.read(), b"whiptail: cannot write the answer to descriptor 1: Broken pipe\n")
        self.assertEqual(process.wait(), 255)

    def test_the_answer_cannot_go_to_the_connection(self):
        for descriptor in range(3, 102):
            process, connection, _ = self.keep()
            connection.send("output", b"%d answer" % descriptor)
            self.assertIn(b"Bad file descriptor", process.communicate()[1])
            # The keeper receives the reason.
            reason = f"cannot write the answer to descriptor {descriptor}: Bad file descriptor"
            self.assertEqual(connection.read(), ("trouble", reason.encode()))
            self.assertIsNone(connection.read())


class FileTests(ShimTestCase):
    """Files of the caller."""

    def reply(self, order, content="", **options):
        process, connection, _ = self.keep(**options)
        connection.send(order, content)
        reply = connection.read()
        connection.send("exit", "0")
        self.ended(process, 0)
        return reply

    def test_a_path_is_relative_to_the_directory_of_the_shim(self):
        (self.directory / "file").write_bytes(b"some\0bytes\xff\n")
        self.assertEqual(self.reply("read", "file"), ("content", b"some\0bytes\xff\n"))
        self.assertEqual(self.reply("read-regular", "./file"), ("content", b"some\0bytes\xff\n"))

    def test_what_cannot_be_read_has_a_reason(self):
        os.mkdir(self.directory / "folder")
        self.assertEqual(self.reply("read", "none"), ("failed", b"No such file or directory"))
        self.assertEqual(self.reply("read", "folder"), ("failed", b"Is a directory"))
        self.assertEqual(self.reply("read-regular", "folder")[0], "failed")
        self.assertEqual(self.reply("read-regular", "/dev/null")[0], "failed")
        self.assertEqual(self.reply("read", "/dev/zero"), ("failed", b"File too large"))

    def test_what_is_only_shown_is_cut(self):
        (self.directory / "file").write_bytes(b"some\0bytes\xff\n")
        self.assertEqual(self.reply("read-start", "file"), ("content", b"some\0bytes\xff\n"))
        self.assertEqual(self.reply("read-start", "none")[0], "failed")
        self.assertEqual(self.reply("read-start", "/dev/zero"), ("content", bytes(4 << 20)))

    def test_pipes_and_descriptors_can_be_read(self):
        for order, form in [("read", "/dev/fd/%d"), ("read-descriptor", "%d")]:
            reading, writing = os.pipe()
            os.write(writing, b"from a pipe")
            os.close(writing)
            self.assertEqual(self.reply(order, form % reading, pass_fds=[reading]), ("content", b"from a pipe"))
            os.close(reading)
        self.assertEqual(self.reply("read-descriptor", "8"), ("failed", b"Bad file descriptor"))
        for descriptor in range(100, 103):
            self.assertEqual(self.reply("read-descriptor", str(descriptor)), ("failed", b"Bad file descriptor"))


class InputTests(ShimTestCase):
    """The standard input, as gauges read it."""

    def test_the_input_is_sent_as_it_comes(self):
        process, connection, _ = self.keep("--gauge", stdin=subprocess.PIPE)
        connection.send("input")
        for piece in [b"10\n", b"XXX\n50\n", b"x" * 50_000]:
            process.stdin.write(piece)
            process.stdin.flush()
            received = b""
            while len(received) < len(piece):
                name, content = connection.read()
                self.assertEqual(name, "input")
                received += content
            self.assertEqual(received, piece)
        process.stdin.close()
        self.assertEqual(connection.read(), ("end", b""))
        connection.send("exit", "0")
        self.assertEqual(process.wait(), 0)
        process.stdin = None

    def test_a_terminal_has_no_input(self):
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        self.addCleanup(os.close, slave)
        process, connection, _ = self.keep("--gauge", stdin=slave)
        connection.send("input")
        self.assertEqual(connection.read(), ("end", b""))
        connection.send("exit", "0")
        self.ended(process, 0)

    def test_a_keeper_that_goes_away_is_noticed_while_there_is_no_input(self):
        process, connection, _ = self.keep("--gauge", stdin=subprocess.PIPE)
        connection.send("input")
        connection.close()
        self.assertEqual(process.stderr.read(), b"whiptail: the question was lost: connection closed\n")
        self.assertEqual(process.wait(), 255)

    def test_an_input_that_does_not_block_is_waited_for(self):
        reading, writing = os.pipe()
        self.addCleanup(os.close, reading)
        fcntl.fcntl(reading, fcntl.F_SETFL, os.O_NONBLOCK)
        process, connection, _ = self.keep("--gauge", stdin=reading)
        connection.send("input")
        os.write(writing, b"5\n")
        self.assertEqual(connection.read(), ("input", b"5\n"))
        os.close(writing)
        self.assertEqual(connection.read(), ("end", b""))
        connection.send("exit", "0")
        self.ended(process, 0)
