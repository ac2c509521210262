"""The shim as a pinentry, and as an answer to systemd."""

import os
import socket

from fake_keeper import PATIENCE, ShimTestCase


class PinentryTests(ShimTestCase):
    """Input from gpg-agent, and output to it."""

    def conversation(self):
        ours, theirs = socket.socketpair()
        self.addCleanup(ours.close)
        ours.settimeout(PATIENCE)
        number = str(theirs.fileno())
        process, connection, messages = self.keep(number, number, name="pinentry", pass_fds=[theirs.fileno()])
        theirs.close()
        self.assertEqual(messages[0], ("shim", b"pinentry"))
        return process, connection, ours, number

    def test_what_is_said_is_passed_on_as_it_arrives_while_answers_are_written(self):
        process, connection, agent, number = self.conversation()
        for turn in range(3):
            agent.sendall(b"GETPIN %d\n" % turn)
            self.assertEqual(connection.read(), ("input", b"GETPIN %d\n" % turn))
            connection.send("output", f"{number} OK {turn}\n")
            self.assertEqual(agent.recv(100), b"OK %d\n" % turn)
        agent.shutdown(socket.SHUT_WR)
        self.assertEqual(connection.read(), ("end", b""))
        connection.send("exit", "0")
        self.ended(process, 0)

    def test_an_agent_that_has_left_needs_no_goodbye(self):
        process, connection, agent, number = self.conversation()
        agent.close()
        self.assertEqual(connection.read(), ("end", b""))
        connection.send("output", f"{number} OK closing connection\n")
        self.ended(process, 0)

    def test_a_keeper_that_goes_away_ends_the_conversation(self):
        process, connection, agent, _ = self.conversation()
        connection.close()
        self.ended(process, 255, b"pinentry: the question was lost: connection closed\n")
        self.assertEqual(agent.recv(100), b"")


class RequestTests(ShimTestCase):
    """A request of systemd."""

    def test_the_answer_is_sent_to_the_socket(self):
        answers = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(answers.close)
        answers.settimeout(PATIENCE)
        path = self.directory / "sck.1"
        answers.bind(str(path))
        (self.directory / "ask.1").write_text("[Ask]\n")
        process, connection, _ = self.keep(str(self.directory / "ask.1"), name="password-request")
        connection.send("datagram", f"{path}\n+a\nb")
        self.assertEqual(answers.recv(100), b"+a\nb")
        connection.send("exit", "0")
        self.ended(process, 0)

    def test_it_ends_when_the_file_is_gone(self):
        file = self.directory / "ask.1"
        file.write_text("[Ask]\n")
        process, _, _ = self.keep(str(file), name="password-request")
        os.unlink(file)
        self.ended(process, 0)

    def test_nobody_may_listen_any_more(self):
        (self.directory / "ask.1").write_text("[Ask]\n")
        process, connection, _ = self.keep(str(self.directory / "ask.1"), name="password-request")
        connection.send("datagram", f"{self.directory}/nobody\n-")
        connection.send("exit", "0")
        self.ended(process, 0)

    def test_a_path_that_is_too_long_is_refused(self):
        (self.directory / "ask.1").write_text("[Ask]\n")
        process, connection, _ = self.keep(str(self.directory / "ask.1"), name="password-request")
        connection.send("datagram", "/" + "x" * 200 + "\n-")
        self.ended(process, 255, b"password-request: received a malformed message\n")
