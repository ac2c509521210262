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

    def test_several_secrets_arrive_in_the_order_of_the_options_each_on_a_line(self):
        report = self.report("ask step a --stdin new --stdin old -- od -An -c", b"open sesame", b"", b"spare")
        self.assertEqual(self.message["secrets"], ["new", "old"])
        self.assertEqual(report["done"]["output"].split(), [*"open", *"sesame", "\\n", "\\n"])
        report = self.report("ask step a --attempts 2 --stdin s --stdin s -- sh -c 'cat >>both; cat both; false'", b"12345", b"12345")
        self.assertEqual((self.message["secrets"], report["error"]["output"]), (["s", "s"], "(secret)\n" * 4))

    def test_several_secrets_have_32_kib_together_and_no_line_feeds(self):
        for secrets, fault in (
            ((b"x" * 32765, b"y"), None), ((b"x" * 32765, b"yy"), "the secrets have more than 32 KiB"),
            ((b"x" * 32769, b""), "the secrets have more than 32 KiB"), ((b"x",), "a secret has not arrived"),
            ((b"x\ny", b"z"), "a secret with a line feed cannot be one of several on the standard input"),
        ):
            report = self.report("ask step a --stdin s --stdin t -- wc -c", *secrets)
            self.assertEqual(report.get("error", {}).get("message"), fault)
        report = self.report("ask step a --stdin s -- wc -l", b"x\ny\n")
        self.assertEqual(report["done"]["output"].split(), ["2"])

    def test_a_step_takes_at_most_eight_secrets(self):
        with Engine() as engine:
            process = engine.start("ask", "step", "a", *["--stdin", "s"] * 9, "--", "cat")
            crash = engine.accept()
            self.assertIn("at most 8 secrets", crash.message["crash"]["message"])
            crash.stop()
            finish(process)

    def test_a_secret_on_a_descriptor_is_raw_and_beside_the_standard_input(self):
        script = "ask step a --fd 9=key --stdin pin --fd 3=old -- sh -c 'od -An -c <&9; od -An -c <&3; cat'"
        report = self.report(script, b"12345", b"line\none", b"")
        self.assertEqual(self.message["secrets"], ["pin", "key", "old"])
        self.assertEqual(report["done"]["output"].split(), [*"line", "\\n", *"one", "(secret)"])
        report = self.report("ask step a --fd 4=key -- sh -c 'cat; cat <&4 | wc -c; ls /proc/self/fd | wc -l'", b"x" * 4000)
        # The descriptors of the command are the standard ones, 4 and that of ls.
        self.assertEqual(report["done"]["output"].split(), ["4000", "5"])

    def test_a_descriptor_that_no_shell_can_name_is_refused(self):
        for word, reason in (
            ("2=s", "--fd takes a descriptor from 3 to 9"), ("10=s", "--fd takes a descriptor from 3 to 9"),
            ("3s", "--fd takes a descriptor"), ("3=", "the secret"), ("", "--fd takes a descriptor"),
        ):  # fmt: skip
            with Engine() as engine:
                process = engine.start("ask", "step", "a", "--fd", word, "--", "cat")
                crash = engine.accept()
                self.assertIn(reason, crash.message["crash"]["message"])
                crash.stop()
                finish(process)
        with Engine() as engine:
            process = engine.start("ask", "step", "a", "--fd", "3=s", "--fd", "3=t", "--", "cat")
            crash = engine.accept()
            self.assertIn("two secrets have the descriptor 3", crash.message["crash"]["message"])
            crash.stop()
            finish(process)

    def test_a_secret_result_is_sent_as_it_is_and_only_to_an_engine_that_keeps_it(self):
        with Engine(features="secret-results") as engine:
            process = engine.start("ask step token --secret-result --stdin s -- cat")
            connection = engine.accept()
            self.assertEqual(connection.message, {"run": 7, "entry": 0, "step": "token", "secrets": ["s"], "secret-result": True})
            connection.go(secrets=[b"sesame"])
            self.assertEqual(connection.read()["done"]["output"], "sesame")
            connection.done()
            finish(process)
        with Engine() as engine:
            process = engine.start("ask step token --secret-result -- cat")
            crash = engine.accept()
            self.assertIn("older than --secret-result", crash.message["crash"]["message"])
            crash.stop()
            finish(process)

    def test_what_no_string_holds_is_no_secret_result(self):
        for command, reason in (("printf 'a\\0b'", "without NUL"), ("printf '\\377'", "is UTF-8"), ("true", "printed no secret")):
            with self.subTest(command), Engine(features="secret-results") as engine:
                process = engine.start(f"ask step token --secret-result -- sh -c \"{command}\"")
                connection = engine.accept()
                connection.go()
                report = connection.read()
                self.assertEqual((report["error"]["type"], report["error"]["output"]), ("no-result", ""))
                self.assertIn(reason, report["error"]["message"])
                connection.done(status=1)
                finish(process)

    def test_of_several_secrets_none_is_recorded_also_where_they_overlap(self):
        script = "ask step a --stdin s --stdin t -- sh -c 'read -r s; read -r t; echo \"$t, $s, abcdefgh\"; echo \"$t\" >&2; exit 1'"
        report = self.report(script, b"abcdef", b"efghij")
        self.assertEqual(report["error"]["output"], "(secret), (secret), (secret)gh\n")
        self.assertEqual(report["error"]["message"], "(secret)")
        for one, other in ((b"abcdef", b"abcdefgh"), (b"abcdef", b"defgh"), (b"cdef", b"abcdefgh")):
            report = self.report("ask step a --stdin s --stdin t -- sh -c 'cat >/dev/null; echo abcdefgh.'", one, other)
            self.assertIn(report["done"]["output"], ("(secret).\n",))

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

    def test_the_reason_why_a_secret_is_missing_is_said_and_the_script_goes_on(self):
        with Engine() as engine:
            process = engine.start("ask step a --stdin s -- echo ran || echo \"status $?\"")
            engine.accept().send(b"usage 1 20\nask: 's' is missing\n")
            self.assertEqual(finish(process), ("status 1\n", "ask: 's' is missing\n", 0))

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
