"""Looks and steps: the command runs once the engine says so, and its output, status and secrets go where they belong."""

import os
import resource
import select
import signal
import unittest

from fake_engine import PATIENCE, Engine, finish


class StepTests(unittest.TestCase):
    def performed(self, script, *, secrets=(), attempt=1, key="key", environment=None):
        """What is reported of a step that is let begin; and the first message."""
        with Engine() as engine:
            process = engine.start(script, environment=environment or {})
            connection = engine.accept()
            connection.go(key, attempt, secrets)
            report = connection.read()
            self.assertEqual((report.pop("run"), report.pop("entry")), (7, 0))
            result = report.get("done") or report["error"]
            connection.done(result["output"], result["status"])
            output, error, status = finish(process)
            self.assertEqual((output, status), (result["output"], result["status"]))
            self.error = error
            return report, connection.message

    def test_a_step_reports_what_its_command_prints(self):
        report, message = self.performed("ask step brew --busy 'Brewing coffee' -- printf 'one\ntwo\\n'")
        self.assertEqual(message, {"run": 7, "entry": 0, "step": "brew", "busy": "Brewing coffee"})
        self.assertEqual(report, {"done": {"status": 0, "output": "one\ntwo\n"}})

    def test_a_look_has_no_input(self):
        report, message = self.performed("echo input | ask look scan -- cat")
        self.assertEqual(message, {"run": 7, "entry": 0, "look": "scan"})
        self.assertEqual(report, {"done": {"status": 0, "output": ""}})

    def test_options_reach_the_engine(self):
        _, message = self.performed("ask step a --once --undo 'rm x' -- true")
        self.assertEqual(message, {"run": 7, "entry": 0, "step": "a", "undo": "rm x", "once": True})

    def test_a_command_that_fails_is_an_error_with_its_last_words(self):
        report, _ = self.performed("ask step a -- sh -c 'echo half; echo first >&2; echo \"no  disk \" >&2; echo >&2; exit 4'")
        self.assertEqual(report, {"error": {"type": "exit", "message": "no  disk", "status": 4, "output": "half\n"}})
        self.assertEqual(self.error, "first\nno  disk \n\n")
        report, _ = self.performed("ask look a -- sh -c 'exit 3'")
        self.assertEqual(report, {"error": {"type": "exit", "message": "exit status 3", "status": 3, "output": ""}})
        report, _ = self.performed("ask step a -- sh -c 'kill -TERM $$'")
        self.assertEqual(report, {"error": {"type": "exit", "message": "ended by the signal TERM", "status": 143, "output": ""}})

    def test_a_command_that_does_not_exist_says_so(self):
        report, _ = self.performed("ask step a -- no-such-command")
        self.assertEqual(report["error"]["status"], 127)
        self.assertEqual(report["error"]["message"], "no-such-command: No such file or directory")
        report, _ = self.performed("ask step a -- /")
        self.assertEqual(report["error"]["status"], 126)

    def test_the_command_knows_its_key_and_attempt_and_nothing_of_the_replay_file(self):
        command = "sh -c 'echo $COORDINATOR_KEY $COORDINATOR_ATTEMPT ${COORDINATOR_LOG-none}'"
        report, _ = self.performed(f"ask step a -- {command}", key="visit_1/a", attempt=3)
        self.assertEqual(report["done"]["output"], "visit_1/a 3 none\n")
        report, _ = self.performed("ask step a -- sh -c 'test -e /dev/fd/$LOG; echo $?'", environment={"LOG": "0"})
        self.assertEqual(report["done"]["output"], "0\n")

    def test_a_command_is_tried_again_as_often_as_is_said(self):
        script = "ask step a --attempts 3 -- sh -c 'echo $COORDINATOR_ATTEMPT >>tries; cat tries; test $(wc -l <tries) -ge %d'"
        report, _ = self.performed(script % 2)
        self.assertEqual(report["done"]["output"], "1\n2\n")
        report, _ = self.performed(script % 9, attempt=5)
        self.assertEqual((report["error"]["status"], report["error"]["output"]), (1, "5\n6\n7\n"))

    def test_what_is_not_text_is_made_text(self):
        report, _ = self.performed(r"ask look a -- printf 'caf\351\000 \303\244 \360\237\230\200 \001'")
        self.assertEqual(report["done"]["output"], "caf� ä 😀 \x01")

    def test_64_kib_are_recorded_and_one_byte_more_is_an_error(self):
        report, _ = self.performed("ask look a -- head -c 65536 /dev/zero | tr '\\0' x")
        self.assertEqual(report, {"done": {"status": 0, "output": ""}})  # NULs are left out, as in shells
        report, _ = self.performed("ask step a -- sh -c 'head -c 65536 /dev/zero | tr \"\\0\" x'")
        self.assertEqual(report["done"]["output"], "x" * 65536)
        report, _ = self.performed("ask step a -- sh -c 'head -c 65537 /dev/zero | tr \"\\0\" x; echo done >marker'")
        self.assertEqual(report, {"error": {"type": "too-long", "message": "the output has more than 64 KiB", "status": 1, "output": ""}})

    def test_a_gigabyte_of_output_is_neither_kept_nor_waited_for_by_a_look(self):
        for script in ("ask look a -- yes", "ask step a -- head -c 1G /dev/zero"):
            report, _ = self.performed(script)
            self.assertEqual((report["error"]["type"], report["error"]["output"]), ("too-long", ""))

    def test_what_a_command_leaves_behind_is_not_waited_for(self):
        report, _ = self.performed("ask step a -- sh -c 'sleep 1000000 & echo started'")
        self.assertEqual(report, {"done": {"status": 0, "output": "started\n"}})

    def test_closed_files_and_ignored_signals_of_the_script_do_no_harm(self):
        report, _ = self.performed("trap '' CHLD; ask step a -- sh -c 'cat; echo out; echo err >&2; exit 5'", environment={"A": "b"})
        self.assertEqual(report["error"], {"type": "exit", "message": "err", "status": 5, "output": "out\n"})
        with Engine() as engine:
            process = engine.start("ask step a -- sh -c 'cat; echo out; echo err >&2; exit 5' <&- >&- 2>&-")
            connection = engine.accept()
            connection.go()
            self.assertEqual(connection.read()["error"], {"type": "exit", "message": "err", "status": 5, "output": "out\n"})
            connection.done("out\n", 5)
            self.assertEqual(finish(process), ("", "", 5))

    def test_a_command_cannot_ask_anything_itself(self):
        with Engine() as engine:
            process = engine.start("ask step a -- ask menu b B x=X; echo ran on")
            step = engine.accept()
            step.go()
            crash = engine.accept()
            self.assertIn("cannot ask anything itself", crash.message["crash"]["message"])
            crash.stop()
            output, error, status = finish(process)
            self.assertEqual((output, status), ("", -9))
            self.assertIn("cannot ask anything itself", error)

    def test_a_command_that_asks_ends_the_run_no_sooner_than_its_message_is_passed_on(self):
        with Engine() as engine:
            os.mkfifo(engine.directory / "fifo")
            process = engine.start("ask step a -- sh -c 'read line <fifo; ask menu b B x=X; touch ran-on'; touch ran-on")
            step = engine.accept()
            step.go()
            with open(engine.directory / "fifo", "w") as fifo:
                # The process of the step is slower than its command.
                os.kill(step.peer, signal.SIGSTOP)
                fifo.write("on\n")
            engine.accept().stop()
            output, error, status = finish(process)
            self.assertEqual((output, status), ("", -9))
            self.assertIn("cannot ask anything itself", error)
            engine.wait_for_group(process)
            self.assertFalse((engine.directory / "ran-on").exists())

    def test_what_a_command_has_said_is_passed_on_before_its_run_ends(self):
        script = "echo first >&2; printf second >&2; cat >/dev/null; trap \"echo third >&2; exit\" TERM; echo >ready; while :; do sleep 1000000 & wait; done"
        for options, secrets, expected in (("", [], "first\nsecondthird\n"), ("--progress", [], "first\nsecondthird\n"),
                                           ("--stdin pin", [b"second"], "first\n(secret)third\n")):
            with self.subTest(options), Engine() as engine:
                os.mkfifo(engine.directory / "ready")
                process = engine.start(f"ask step a {options} -- sh -c '{script}'; echo ran on")
                step = engine.accept()
                step.go(secrets=secrets)
                (engine.directory / "ready").read_text()
                step.stop()
                self.assertEqual(finish(process), ("", expected, -9))

    def test_nobody_reads_what_a_command_says(self):
        """A full pipe holds neither the end of the command nor the end of the run up."""
        script = "head -c 200000 /dev/zero >&2; echo never"
        reading, writing = os.pipe()
        with Engine() as engine, open(reading, "rb"), open(writing, "wb") as full:
            process = engine.start(f"ask step a -- sh -c '{script}' 2>&{full.fileno()}", files=[full.fileno()])
            step = engine.accept()
            step.go()
            self.assertTrue(select.select([reading], [], [], PATIENCE)[0])
            step.stop()
            self.assertEqual(finish(process), ("", "", -9))
            engine.wait_for_group(process)

    def test_wrong_usage(self):
        for script, reason in (
            ("ask step a", "follows '--'"), ("ask step a --", "follows '--'"), ("ask step -- true", "name is missing"),
            ("ask step a true", "follows '--'"), ("ask step a --once --attempts 2 -- true", "exclude"), ("ask step a --attempts 0 -- true", "1 to 100"),
            ("ask step a --undo '' -- true", "shell command"), ("ask look a --stdin b -- true", "no option '--stdin'"),
            ("ask step a --stdin 'b c' -- true", "'b c'"),
        ):
            with self.subTest(script), Engine() as engine:
                process = engine.start(script)
                connection = engine.accept()
                self.assertEqual(connection.message["crash"]["type"], "usage")
                connection.send(b"done 2 0\n")
                output, error, status = finish(process)
                self.assertEqual((output, status), ("", 2))
                self.assertIn(reason, error)


class ProgressTests(unittest.TestCase):
    def test_percentages_become_progress_and_are_not_recorded(self):
        script = r"printf 'start\r 5%%\r 5%% again\r 1,234 42.5%% 3kB/s\nmiddle\n'; printf '99 %%\r100%%\n200%%\n' >&2; echo end"
        with Engine() as engine:
            process = engine.start(f"ask step copy --progress -- sh -c '{script.replace(chr(39), chr(34))}'")
            connection = engine.accept()
            connection.go()
            fractions = []
            while "progress" in (message := connection.read()):
                self.assertEqual(message["entry"], 0)
                fractions.append(message["progress"]["fraction"])
            self.assertEqual(message["done"]["output"], "start\rmiddle\nend\n")
            self.assertEqual([part for part in fractions if part < 0.5], [0.05, 0.42])
            self.assertEqual([part for part in fractions if part > 0.5], [0.99, 1])
            connection.done()
            self.assertEqual(finish(process), ("", "200%\n", 0))

    def test_a_command_reports_its_progress_itself(self):
        with Engine() as engine:
            process = engine.start("ask look b -- true; ask step copy -- sh -c 'ask progress 40% \"Copying files\"; echo done'")
            engine.accept().done()
            step = engine.accept()
            step.go()
            progress = engine.accept()
            self.assertEqual(progress.message, {"run": 7, "entry": 1, "progress": {"fraction": 0.4, "text": "Copying files"}})
            self.assertTrue(progress.is_closed())
            self.assertEqual(step.read()["done"], {"status": 0, "output": "done\n"})
            step.done("done\n")
            self.assertEqual(finish(process), ("done\n", "", 0))


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
