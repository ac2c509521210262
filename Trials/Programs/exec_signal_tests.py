"""exec_signal_tests.py DIRECTORY: SIGTERM ends a program and coordinatorctl exec, in every state of either."""

import os
import pathlib
import signal
import termios
import time
import unittest

from exec_world import ExecTestCase, TerminalTestCase, has_ended, main

ENDED = 128 + signal.SIGTERM
# The status of coordinatorctl before it has a program to end.
UNHANDLED = -signal.SIGTERM


class SignalTests(ExecTestCase):
    def stop(self, process):
        """Stops a process until the end of the test."""
        os.kill(process, signal.SIGSTOP)
        self.addCleanup(self.resume, process)

    @staticmethod
    def resume(process):
        try:
            os.kill(process, signal.SIGCONT)
        except ProcessLookupError:
            pass

    def ends(self, run, *statuses):
        # The keeper stays for a while if no client has received the end.
        program = self.program(run)
        run.process.terminate()
        self.assertIn(run.wait(), statuses or (ENDED,), run.said)
        self.assertTrue(has_ended(program))

    @staticmethod
    def program(run):
        """Returns the id of the program's process."""
        keeper = run.keeper
        return int(pathlib.Path(f"/proc/{keeper}/task/{keeper}/children").read_text().split()[0])

    def test_while_a_thousand_shims_ask(self):
        run = self.world.exec_script(
            "i=0; while [ $i -lt 1000 ]; do whiptail --yesno Really 0 0 2>/dev/null & i=$((i + 1)); done; >$OUT/started; wait")
        self.world.until((self.world.home / "started").exists, "a thousand shims")
        # The first answer arrives although other questions wait.
        screen = run.asks("yesno-really")
        run.send("yes")
        run.asks_next(screen)
        self.ends(run)
        self.assertEqual(run.flow_ends()[0], "failed")

    def test_while_it_prints_without_end(self):
        run = self.world.exec("yes", "item ] ")
        run.shows_text("item ]")
        self.ends(run)

    def test_while_the_daemon_does_not_answer(self):
        run = self.world.exec("sleep", "1000")
        run.shows_text("")
        self.stop(self.world.daemon.pid)
        self.ends(run)

    def test_before_a_daemon_that_does_not_answer_has_shown_the_program(self):
        self.stop(self.world.daemon.pid)
        run = self.world.exec("sleep", "1000")
        # It waits for the daemon, before or after it has begun to handle signals.
        self.world.until(lambda: len(os.listdir(f"/proc/{run.process.pid}/task")) > 1, "the start of exec")
        run.process.terminate()
        self.assertIn(run.wait(), (ENDED, UNHANDLED), run.said)

    def test_while_the_keeper_is_stopped(self):
        run = self.world.exec("sleep", "1000")
        run.shows_text("")
        self.stop(run.keeper)
        self.ends(run)

    def test_what_ignores_it_is_killed(self):
        run = self.world.exec_script("trap '' TERM; echo deaf; while :; do sleep 1; done")
        run.shows_text("deaf")
        self.ends(run, 128 + signal.SIGKILL)

    def test_the_second_one_waits_for_nothing(self):
        run = self.world.exec_script("trap '' TERM; echo deaf; while :; do sleep 1; done")
        run.shows_text("deaf")
        program = self.program(run)
        run.process.terminate()
        # Two concurrent signals may count as one.
        while run.process.poll() is None:
            time.sleep(0.05)
            run.process.terminate()
        self.assertEqual(run.process.returncode, ENDED)
        self.assertTrue(has_ended(program))


class DeafTerminalTests(TerminalTestCase):
    def is_full(self):
        """Whether an unread terminal accepts no more output, so that it blocks the renderer."""
        terminal = os.open(f"/proc/{self.child}/fd/0", os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
        try:
            return not os.write(terminal, b" " * 1024)
        except BlockingIOError:
            return True
        finally:
            os.close(terminal)

    def test_while_nobody_reads_the_terminal(self):
        child = self.start("while :; do echo line $((n = n + 1)); sleep 0.01; done")
        before = termios.tcgetattr(self.terminal)
        self.shows("line")
        self.assertNotEqual(termios.tcgetattr(self.terminal), before)
        # The renderer paints four times per second.
        refused = 0
        while refused < 50:
            refused = refused + 1 if self.is_full() else 0
            time.sleep(0.02)
        os.kill(child, signal.SIGTERM)
        self.world.until(lambda: os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT | os.WNOHANG), "the end of exec")
        self.assertEqual(termios.tcgetattr(self.terminal), before)
        self.ends(ENDED)


class NiceTests(ExecTestCase):
    def test_the_program_is_as_nice_as_who_has_started_it(self):
        own = os.nice(0)
        run = self.world.exec("nice", before=("nice", "-n", "7"))
        self.assertEqual(run.wait(), 0, run.said)
        self.assertEqual(run.output.read_text(), f"{min(own + 7, 19)}\n")


class ReasonTests(ExecTestCase):
    def test_a_killed_keeper_is_told_people_in_a_sentence_and_the_rest_to_the_log(self):
        run = self.world.exec("sleep", "1000")
        run.shows_text("")
        keeper = run.keeper
        os.kill(keeper, signal.SIGKILL)
        self.assertEqual(run.wait(), 125)
        self.assertIn("The program was lost", run.said)
        self.assertIn("its keeper has gone, with the status 137", run.said)
        state, result = run.flow_ends()
        self.assertEqual(state, "failed")
        self.assertIn("what kept it has ended", str(result))
        self.assertNotIn("/", str(result))
        self.world.until(lambda: "cannot be reached at" in self.world.written(), "the reason in the log")
        self.assertEqual(self.world.written().count("cannot be reached at"), 1, self.world.written())

    def test_what_fails_on_the_way_is_told_at_the_end_and_in_the_log(self):
        run = self.world.exec_script("whiptail --output-fd 9 --inputbox Text 0 0 9>/dev/full; exit 3")
        run.asks("inputbox-text")
        run.send("ok", value="text")
        self.finishes(run, 3)
        reason = "was lost: cannot write the answer to descriptor 9: No space left on device"
        self.assertIn(reason, run.said)
        self.world.until(lambda: reason in self.world.written(), "the reason in the log")
        self.assertEqual(self.world.written().count(reason), 1, self.world.written())


if __name__ == "__main__":
    main()
