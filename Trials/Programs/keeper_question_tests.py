"""keeper_question_tests.py DIRECTORY: programs that ask, kept by coordinator-keeper of that directory."""

import os
import socket
import sys
import unittest

import keeper_tests
from keeper_client import SECONDS, kill, memory_contains, now
from keeper_tests import KeeperTestCase

WHIPTAIL = 'value=$(whiptail --inputbox "Your name?" 0 0 3>&1 1>&2 2>&3); echo "$? $value"\n'


class QuestionTests(KeeperTestCase):
    """One question after another."""

    def test_a_question_is_asked_and_answered(self):
        keeper = self.world.script(WHIPTAIL)
        client = keeper.client()
        question = client.question()
        self.assertEqual((question["screen"]["kind"], question["back"]), ("form", False))
        self.assertEqual(client.answer(question, "ok", {"value": "Ann Ünal"}), {"taken": question["id"]})
        self.assertEqual(self.finish(keeper, client), ({"status": 0}, ["0 Ann Ünal"], 0))

    def test_every_question_has_an_id_of_its_own(self):
        keeper = self.world.script("for n in 1 2 3; do dialog --yesno Really 0 0; echo $?; done")
        client = keeper.client()
        ids = []
        for event in ("yes", "no", "yes"):
            question = client.question()
            ids.append(question["id"])
            client.answer(question, event)
        self.assertEqual(self.finish(keeper, client)[1], ["0", "1", "0"])
        self.assertEqual(len(set(ids)), 3)
        sequences = [client.hello["sequence"], client.sequence]
        self.assertLess(*sequences)

    def test_an_answer_is_taken_once(self):
        keeper = self.world.script("whiptail --yesno One 0 0; echo $?; whiptail --yesno Two 0 0; echo $?")
        client = keeper.client()
        first = client.question()
        self.assertEqual(client.answer(first, "yes"), {"taken": first["id"]})
        self.assertEqual(client.answer(first, "no"), {"taken": first["id"]})
        second = client.question()
        self.assertEqual(client.answer(first, "no"), {"taken": first["id"]})
        self.assertEqual(client.ask(back=second["id"])["refused"], second["id"])
        self.assertEqual(client.answer({"id": second["id"] + "0"}, "yes"), {"stale": second["id"] + "0"})
        client.answer(second, "no")
        self.assertEqual(self.finish(keeper, client)[1], ["0", "1"])

    def test_back(self):
        keeper = self.world.script("whiptail --cancel-button Back --menu Which 0 0 0 a A b B; echo $?")
        client = keeper.client()
        question = client.question()
        self.assertTrue(question["back"])
        self.assertEqual(client.ask(back=question["id"]), {"taken": question["id"]})
        self.assertEqual(self.finish(keeper, client)[1][-1], "1")

    def test_parallel_questions_are_asked_one_after_the_other(self):
        keeper = self.world.script("for n in 1 2 3; do (dialog --yesno 'Really' 0 0; echo $? >>$OUT/all) & done; wait")
        client = keeper.client()
        ids = []
        for _ in range(3):
            question = client.question()
            self.assertEqual(keeper.client().question(), question)
            ids.append(question["id"])
            client.answer(question, "yes")
        for other in keeper.clients:
            if other is not client:
                other.close()
        self.assertEqual(self.finish(keeper, client)[0], {"status": 0})
        self.assertEqual((len(set(ids)), self.world.read("all")), (3, "0\n" * 3))

    def test_a_thousand_shims_are_asked_one_after_the_other(self):
        keeper = self.world.script("i=0; while [ $i -lt 1000 ]; do (whiptail --yesno Really 0 0; echo $? >>$OUT/all) & i=$((i + 1)); done; wait")
        client = keeper.client()
        for number in range(1000):
            question = client.question()
            if number % 100 == 0:
                # However many shims wait, there is room for a client that answers.
                other = keeper.client()
                self.assertEqual(other.question(), question)
                other.close()
            self.assertEqual(client.answer(question, "yes"), {"taken": question["id"]})
        self.assertEqual(self.finish(keeper, client)[0], {"status": 0})
        self.assertEqual(self.world.read("all"), "0\n" * 1000)

    def test_who_connects_too_often_takes_the_place_of_nobody_else(self):
        keeper = self.world.script("read line <$OUT/fifo; whiptail --yesno Really 0 0")
        client = keeper.client()
        # The number of admitted connections, and of those in the socket's backlog.
        for name, room in ("shim", 256 + 128), ("debconf", 16 + 128):
            for _ in range(room):
                one = socket.socket(socket.AF_UNIX)
                self.addCleanup(one.close)
                one.settimeout(SECONDS)
                self.connect(one, keeper.directory / name)
        self.assertEqual(keeper.client().ask(end=True), {"ending": True})
        for other in keeper.clients[1:]:
            other.close()
        self.assertEqual(self.finish(keeper, client)[0], {"signal": 15})

    def connect(self, one, path):
        end = now() + SECONDS
        while True:
            try:
                return one.connect(str(path))
            except BlockingIOError:
                self.assertLess(now(), end, "the keeper lets nobody in")

    def test_a_shim_that_goes_away_withdraws_its_question(self):
        keeper = self.world.script("dialog --yesno Really 0 0 & echo $! >$OUT/shim; echo >$OUT/fifo; wait $!; echo $?; read line <$OUT/fifo")
        client = keeper.client()
        with open(self.world.root / "fifo") as fifo:
            fifo.read()
        question = client.question()
        kill(int(self.world.read("shim")))
        working = client.watch()
        self.assertIn("working", working)
        self.assertEqual(client.answer(question, "yes"), {"stale": question["id"]})
        with open(self.world.root / "fifo", "w") as fifo:
            fifo.write("on\n")
        self.assertEqual(self.finish(keeper, client)[0], {"status": 0})

    def test_a_timeout_ends_the_question(self):
        keeper = self.world.script("dialog --timeout 1 --yesno Really 0 0 2>/dev/null; echo $?")
        client = keeper.client()
        self.assertEqual(client.question()["timeout"], 1)
        self.assertEqual(self.finish(keeper, client)[1][-1], "255")

    def test_a_file_that_is_too_long_to_be_shown_is_cut(self):
        (self.world.root / "log").write_text("a line of a log\n" * (1 << 19))
        keeper = self.world.script("for name in whiptail dialog; do $name --textbox $OUT/log 0 0; echo $?; done")
        client = keeper.client()
        for _ in range(2):
            question = client.question()
            self.assertIn("a line of a log", str(question["screen"]))
            self.assertIn("…", str(question["screen"]))
            client.answer(question, question["screen"]["actions"][0]["id"])
        self.assertEqual(self.finish(keeper, client)[1], ["0", "0"])

    def test_why_an_answer_does_not_arrive_is_told_at_the_end(self):
        keeper = self.world.script("whiptail --output-fd 9 --inputbox Text 0 0 9>/dev/full 2>$OUT/complaint; echo $?")
        client = keeper.client()
        client.answer(client.question(), "ok", {"value": "text"})
        end = client.end()
        self.assertEqual((end["ended"], end["lines"]), ({"status": 0}, ["255"]))
        self.assertEqual(end["troubles"], ["whiptail, called by program.sh, was lost: cannot write the answer to descriptor 9: No space left on device"])
        self.assertEqual(self.world.read("complaint"), "whiptail: cannot write the answer to descriptor 9: No space left on device\n")
        client.ask(end=True)

    def test_an_answer_may_be_long(self):
        keeper = self.world.script("whiptail --inputbox Text 0 0 2>$OUT/answer; echo $?")
        client = keeper.client()
        # The longest text that the daemon accepts, which is six times as long in JSON.
        text = "\x01" * (1 << 20)
        self.assertEqual(list(client.answer(client.question(), "ok", {"value": text})), ["taken"])
        self.finish(keeper, client)

    def test_gauges_and_infoboxes_are_shown(self):
        keeper = self.world.script("dialog --infobox Wait 0 0; (echo 40; read line <$OUT/fifo) | whiptail --gauge Copying 0 0 0; "
                                   "whiptail --msgbox Done 0 0")
        client = keeper.client()
        shown = client.until_progress(lambda progress: progress.get("fraction") == 0.4)
        self.assertEqual(shown["screen"]["body"], "Copying")
        (self.world.root / "fifo").write_text("on\n")
        self.assertEqual(client.question()["screen"]["body"], "Done")

    @unittest.skipIf(os.geteuid() != 0, "only root may read the memory")
    def test_secrets_are_wiped(self):
        keeper = self.world.script("whiptail --passwordbox Password 0 0 2>/dev/null; echo $?; whiptail --msgbox a-text-that-is-no-secret 0 0")
        client = keeper.client()
        question = client.question()
        secret = "correct-horse-battery-staple" * 200
        client.answer(question, "ok", secrets={"value": secret})
        done = client.question()
        self.assertTrue(memory_contains(keeper.process.pid, b"a-text-that-is-no-secret"), "the memory cannot be searched")
        self.assertFalse(memory_contains(keeper.process.pid, b"battery-staplecorrect"))
        # The process is not dumpable: root owns its files in /proc.
        self.assertEqual(os.stat(f"/proc/{keeper.process.pid}/mem").st_uid, 0)
        client.answer(done, "ok")
        _, lines, _ = self.finish(keeper, client)
        self.assertNotIn(secret, "\n".join(lines))


class ReconnectTests(KeeperTestCase):
    """The engine leaves and comes back at each point."""

    def test_the_open_question_is_offered_again(self):
        keeper = self.world.script(WHIPTAIL)
        offered = []
        for _ in range(3):
            client = keeper.client()
            offered.append(client.question())
            client.close()
        last = keeper.client()
        self.assertEqual(last.hello["state"], "asking")
        self.assertEqual([last.question()] * 3, offered)
        last.answer(offered[0], "ok", {"value": "x"})
        self.assertEqual(self.finish(keeper, last)[1], ["0 x"])

    def test_an_answer_whose_reply_was_lost_is_taken_again(self):
        keeper = self.world.script(WHIPTAIL + "read line <$OUT/fifo")
        client = keeper.client()
        question = client.question()
        client.send(answer=question["id"], event="ok", payload={"value": "x"})
        client.close()
        again = keeper.client()
        self.assertEqual(again.answer(question, "ok", {"value": "y"}), {"taken": question["id"]})
        (self.world.root / "fifo").write_text("on\n")
        self.assertEqual(self.finish(keeper, again)[1], ["0 x"])

    def test_half_a_request_is_none(self):
        keeper = self.world.script(WHIPTAIL)
        client = keeper.client()
        question = client.question()
        client.socket.sendall(f'{{"answer": "{question["id"]}", "event": "ok"'.encode())
        client.close()
        again = keeper.client()
        self.assertEqual(again.question(), question)
        again.answer(question, "ok", {"value": "z"})
        self.assertEqual(self.finish(keeper, again)[1], ["0 z"])

    def test_while_it_works_and_after_its_end(self):
        keeper = self.world.script("read line <$OUT/fifo; exit 5")
        keeper.client().close()
        keeper.client().begin_watch()
        (self.world.root / "fifo").write_text("on\n")
        for client in keeper.clients[1:]:
            self.assertEqual(client.end()["ended"], {"status": 5})
            client.close()
        late = keeper.client()
        self.assertEqual(late.hello["state"], "ended")
        self.assertEqual(self.finish(keeper, late), ({"status": 5}, [], 5))

    def test_whoever_is_connected_hears_of_the_end(self):
        keeper = self.world.script("exit 4")
        one, two = keeper.client(), keeper.client()
        one.end()
        one.ask(end=True)
        self.assertEqual(two.end()["ended"], {"status": 4})
        self.assertEqual(keeper.wait(), (4, ""))


if __name__ == "__main__":
    keeper_tests.BINARIES = sys.argv.pop(1)
    unittest.main()
