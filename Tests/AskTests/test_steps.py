"""Looks and steps: the command runs once the engine starts it."""

import os
import select
import signal
import unittest

from fake_engine import PATIENCE, Engine, finish
from step_case import StepCase


class StepTests(StepCase):
    def test_a_step_reports_what_its_command_prints(self):
        report, message = self.performed("ask step brew --busy 'Brewing coffee' -- printf 'one\ntwo\\n'")
        self.assertEqual(message, {"run": 7, "entry": 0, "step": "brew", "busy": "Brewing coffee"})
        self.assertEqual(report, {"done": {"status": 0, "output": "one\ntwo\n"}})

    def test_a_look_has_no_input(self):
        report, message = self.performed("echo input | ask look scan -- cat")
        self.assertEqual(message, {"run": 7, "entry": 0, "look": "scan"})
        self.assertEqual(report, {"done": {"status": 0, "output": ""}})

    def test_options_reach_the_engine(self):
        _, message = self.performed("ask step a --once --undo rm -f 'x y' --once -- true")
        self.assertEqual(message, {"run": 7, "entry": 0, "step": "a", "undo": ["rm", "-f", "x y", "--once"], "once": True})

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

    def test_an_engine_that_counts_attempts_lets_each_begin(self):
        """The process that retried reset the number of its attempts when it was killed."""
        with Engine(features="assignments attempts") as engine:
            process = engine.start("ask step a --attempts 3 --stdin s -- sh -c 'echo $COORDINATOR_ATTEMPT $(cat) >>tries; exit 1'")
            connection = engine.accept()
            self.assertEqual(connection.message, {"run": 7, "entry": 0, "step": "a", "secrets": ["s"], "attempts": 3})
            for attempt in (4, 5):
                connection.go("key", attempt, [b"secret"])
                self.assertEqual(connection.read()["error"]["status"], 1)
            connection.done(status=1)
            self.assertEqual(finish(process)[2], 1)
            self.assertEqual((engine.directory / "tries").read_text(), "4 secret\n5 secret\n")
        for script, attempts in (("ask step a -- true", None), ("ask step a --attempts 1 -- true", 1), ("ask look a --attempts 7 -- true", 7)):
            self.assertEqual(self.performed(script, features="attempts")[1].get("attempts"), attempts)
            self.assertNotIn("attempts", self.performed(script)[1])

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
            ("ask step a --undo '' -- true", "is a program, not ''"), ("ask step a --undo 'rm x' -- true", "which no shell reads"),
            ("ask step a --undo -- true", "needs the words of a command"), ("ask step a --undo=0 rm -- true", "--undo=COUNT"), ("ask step a --undo=rm -- true", "--undo=COUNT"),
            ("ask step a --undo=9 rm -- true", "=9 needs more words, of which there are 3"), ("ask look a --stdin b -- true", "no option '--stdin'"),
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


if __name__ == "__main__":
    unittest.main()
