"""exec_kill_tests.py DIRECTORY: the daemon and the engine are killed while programs ask, and the programs do not notice.

SEED repeats the kills of a run.
"""

import os
import random
import signal
import sys
import unittest

from exec_world import ExecTestCase, Refused, is_alive, main, needs

# Names of screens contain no digits.
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


@needs("whiptail")
class KillTests(ExecTestCase):
    def kills(self):
        """Returns the processes that may be killed, by name."""
        return {"daemon": self.world.restart_daemon, "engine": self.world.restart_engine}

    def test_a_question_is_there_again(self):
        for name, kill in self.kills().items():
            with self.subTest(name):
                run = self.world.exec_script("whiptail --inputbox Question 0 0 mine 2>$OUT/answer; echo $? $$ >$OUT/status")
                screen = run.asks("inputbox-question")
                keeper = run.keeper
                kill()
                again = run.asks("inputbox-question")
                self.assertEqual({**again, "id": 0}, {**screen, "id": 0})
                self.assertEqual(again["id"], screen["id"], "the question was presented anew")
                self.assertEqual(run.keeper, keeper)
                run.send("ok", value="answer")
                self.finishes(run)
                self.assertEqual((self.read("answer"), self.read("status").split()[0]), ("answer", "0"))

    def test_while_the_program_works(self):
        os.mkfifo(self.world.home / "go")
        for name, kill in self.kills().items():
            with self.subTest(name):
                run = self.world.exec_script("echo begun; read line <$OUT/go; whiptail --msgbox Question 0 0; exit 5")
                run.shows_text("begun")
                kill()
                run.shows_text("begun")
                (self.world.home / "go").write_text("\n")
                run.asks("msgbox-question")
                run.send("ok")
                self.finishes(run, 5)

    def test_the_program_goes_on_meanwhile(self):
        """Without a daemon, or an engine, the program asks and is answered later; its end is reported later."""
        os.mkfifo(self.world.home / "go")
        run = self.world.exec_script("read line <$OUT/go; whiptail --inputbox Question 0 0 2>$OUT/answer; read line <$OUT/go; exit 6")
        run.shows_text("")
        self.world.kill(self.world.engine)
        self.world.kill(self.world.daemon)
        (self.world.home / "go").write_text("\n")
        self.world.start_daemon()
        self.world.start_engine()
        run.asks("inputbox-question")
        run.send("ok", value="late")
        self.world.until(lambda: (self.world.home / "answer").exists() and self.read("answer"), "the answer")
        self.world.kill(self.world.engine)
        self.world.kill(self.world.daemon)
        (self.world.home / "go").write_text("\n")
        self.assertEqual(run.wait(), 6)
        self.world.start_daemon()
        self.world.start_engine()
        self.assertEqual(run.flow_ends(), ("finished", {"status": 6}))
        self.assertEqual(self.read("answer"), "late")

    def answer_frozen(self, run, **payload):
        """Answers while the keeper is stopped."""
        keeper = run.keeper
        os.kill(keeper, signal.SIGSTOP)
        self.addCleanup(self.thaw, keeper)
        run.send("ok", **payload)
        return lambda: self.thaw(keeper)

    @staticmethod
    def thaw(process):
        try:
            os.kill(process, signal.SIGCONT)
        except ProcessLookupError:
            pass

    def test_an_answer_on_its_way(self):
        """An accepted answer that is not a secret reaches the program, regardless of kills."""
        for name, kill in self.kills().items():
            with self.subTest(name):
                run = self.world.exec_script("whiptail --inputbox Question 0 0 2>$OUT/answer; exit 4")
                run.asks("inputbox-question")
                thaw = self.answer_frozen(run, value="accepted")
                kill()
                thaw()
                self.finishes(run, 4)
                self.assertEqual(self.read("answer"), "accepted")

    def test_a_secret_on_its_way(self):
        """The secret arrives, or the question asks for it again. No part of it is stored."""
        for name, kill in self.kills().items():
            with self.subTest(name):
                run = self.world.exec_script("whiptail --passwordbox Question 0 0 2>$OUT/answer; exit 4")
                run.asks("passwordbox-question")
                thaw = self.answer_frozen(run, value="hush-hush-hush")
                kill()
                thaw()

                def settled():
                    return run.ended() or (run.look() and run.top and "progress" not in run.top)

                self.world.until(settled, "the question again, or the end")
                if not run.ended():
                    self.assertEqual(run.top["name"], "passwordbox-question")
                    try:
                        run.send("ok", value="hush-hush-hush")
                    except Refused as refused:
                        # The secret has arrived meanwhile.
                        self.assertIn(refused.name, ("StaleScreen", "UnknownObject", "Denied"), refused)
                self.finishes(run, 4)
                self.assertEqual(self.read("answer"), "hush-hush-hush")
                self.assertEqual(self.files_with(b"hush-hush-hush"), ["answer"])

    def files_with(self, text):
        return [path.name for path in self.world.home.rglob("*") if path.is_file() and text in path.read_bytes()]

    def test_an_engine_that_is_killed_again_and_again(self):
        """The program goes on, although each process that observes it is killed; the daemon counts such deaths."""
        run = self.world.exec_script("whiptail --inputbox Question 0 0 2>$OUT/answer; exit 4")
        run.asks("inputbox-question")
        for _ in range(6):
            self.world.restart_engine()
        run.asks("inputbox-question")
        run.send("ok", value="late")
        self.finishes(run, 4)
        self.assertEqual(self.read("answer"), "late")

    def test_a_flow_that_fails_ends_its_program(self):
        """No client could answer the program any longer, so exec does not wait for its end."""
        run = self.world.exec_script("echo $$ >$OUT/process; whiptail --inputbox Question 0 0; sleep 1000")
        run.asks("inputbox-question")
        for _ in range(40):
            if run.ended():
                break
            self.world.restart_engine()
            # Kills that hit the questions of the daemon hold the flow instead.
            self.world.tool("provider", "retry", "program_1")
        self.assertEqual(run.flow_ends()[1]["code"], "program-not-shown")
        self.assertEqual(run.wait(), 143, run.said)
        self.assertIn("the program was ended, because its flow has failed: The program cannot be shown any longer.", run.said)
        self.world.until(lambda: not is_alive(int(self.read("process"))), "the end of the program")

    def test_kills_in_quick_succession(self):
        """Ten questions, 20 rounds of kills at random moments: each answer arrives once, in order."""
        seed = int(os.environ.get("SEED", random.randrange(1 << 30)))
        print(f"SEED={seed}", file=sys.stderr)
        dice = random.Random(seed)
        run = self.world.exec_script("for word in " + " ".join(WORDS) + "; do echo asked $word >>$OUT/asked\n"
                                     "whiptail --inputbox $word 0 0 2>$OUT/answer; echo $? $(cat $OUT/answer) >>$OUT/asked; done; exit 9")
        moments = sorted(dice.sample(range(1, 80), 20))
        step, given = 0, {}
        while run.ended() is None:
            step += 1
            while moments and moments[0] <= step:
                moments.pop(0)
                self.kills()[dice.choice(["daemon", "engine"])]()
            try:
                if run.look() and run.top and "progress" not in run.top:
                    name = run.top["name"].removeprefix("inputbox-")
                    value = f"{name}.{given.get(name, 0)}"
                    run.send("ok", value=value)
                    given[name] = given.get(name, 0) + 1
                    if dice.random() < 0.5 and moments:
                        moments.pop(0)
                        self.kills()[dice.choice(["daemon", "engine"])]()
            except Refused as refused:
                # Between a kill and its consequences, a call may be refused, but never half executed.
                self.assertIn(refused.name, ("StaleScreen", "Denied", "UnknownEvent", "ProviderGone", "UnknownObject", "none",
                                             "NoReply", "ServiceUnknown", "Disconnected"), refused)
            if step < 80 and not moments:
                step = 80
        self.assertEqual(run.wait(), 9, run.said)
        self.assertEqual(run.flow_ends(), ("finished", {"status": 9}))
        lines = self.read("asked").split("\n")[:-1]
        self.assertEqual(lines[0::2], [f"asked {word}" for word in WORDS])
        self.assertEqual(len(lines), 20)
        # Exactly the accepted answers arrive.
        self.assertEqual(lines[1::2], [f"0 {word}.0" for word in WORDS])


if __name__ == "__main__":
    main()
