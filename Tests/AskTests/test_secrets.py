"""The secret of a step: it goes to its command, and nowhere else."""

import os
import resource
import signal
import unittest

from fake_engine import Engine, finish


class SecretTests(unittest.TestCase):
    def report(self, script, *secrets):
        with Engine() as engine:
            process = engine.start(script)
            connection = engine.accept()
            self.message = connection.message
            connection.go(secrets=secrets)
            report = connection.read()
            connection.done()
            self.error = finish(process)[1]
            return report

    def test_a_secret_is_the_standard_input_of_the_command(self):
        report = self.report("ask step join --stdin passphrase -- sh -c 'test \"$(cat)\" = \"open sesame\"; echo $?'", b"open sesame")
        self.assertEqual(self.message, {"run": 7, "entry": 0, "step": "join", "secrets": ["passphrase"]})
        self.assertEqual(report["done"], {"status": 0, "output": "0\n"})
        for length in (0, 1, 32768):
            report = self.report("ask step join --stdin passphrase -- wc -c", b"x" * length)
            self.assertEqual(report["done"]["output"].split(), [str(length)])

    def test_every_attempt_gets_the_secret(self):
        report = self.report("ask step a --attempts 3 --stdin s -- sh -c 'wc -c >>counts; cat counts; false'", b"12345")
        self.assertEqual(report["error"]["output"].split(), ["5", "5", "5"])

    def test_a_secret_that_the_command_prints_is_not_recorded(self):
        report = self.report("ask step a --stdin s -- sh -c 's=$(cat); echo \"<$s$s>\"; echo \"bad: $s\" >&2; exit 1'", b"open-sesame")
        self.assertEqual(report["error"]["output"], "<(secret)(secret)>\n")
        self.assertEqual(report["error"]["message"], "bad: (secret)")
        self.assertEqual(self.error, "bad: (secret)\n")

    def test_no_part_of_a_secret_stays_where_an_output_is_cut(self):
        for padding in (65536 - 3, 65536 - 10, 65536):
            report = self.report(f"ask step a --stdin s -- sh -c 's=$(cat); head -c {padding} /dev/zero | tr \"\\0\" x; echo \"$s$s\"'", b"open-sesame")
            self.assertEqual((set(report["done"]["output"]), report["done"]["cut"]), ({"x"}, True))
        # The replacement is longer.
        report = self.report("ask step a --stdin s -- sh -c 's=$(cat); yes \"$s\" | head -c 65532'", b"12345")
        self.assertEqual((set(report["done"]["output"].split()), report["done"].get("cut")), ({"(secret)"}, None))

    def test_a_secret_that_is_too_long_is_refused(self):
        with Engine() as engine:
            process = engine.start("ask step a --stdin s -- wc -c")
            connection = engine.accept()
            connection.go(secrets=[b"x" * 32769])
            self.assertEqual(connection.read()["error"]["message"], "the secret has more than 32 KiB")
            connection.done(status=1)
            finish(process)

    def test_without_the_secret_the_command_does_not_run(self):
        report = self.report("ask step a --stdin s -- sh -c 'echo ran'")
        self.assertEqual(report["error"], {"type": "secret", "message": "the secret has not arrived", "status": 1, "output": ""})

    def test_secrets_that_nobody_wants_are_closed(self):
        report = self.report("ask step a -- cat", *[b"secret"] * 12)
        self.assertEqual(report["done"]["output"], "")

    def test_a_crash_leaves_no_core_dump(self):
        with Engine() as engine:
            process = engine.start("ask", "menu", "a", "A", "x=X", preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2))
            engine.accept()
            process.send_signal(signal.SIGSEGV)
            status = os.waitpid(process.pid, 0)[1]
            process.returncode = -1
            self.assertNotEqual(status, 0)
            self.assertFalse(os.WCOREDUMP(status))


if __name__ == "__main__":
    unittest.main()
