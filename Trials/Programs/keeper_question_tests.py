"""keeper_question_tests.py DIRECTORY: programs that ask, kept by coordinator-keeper of that directory."""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest

import keeper_tests
from debconf_world import EXAMPLES
from debconf_world import World as DebconfWorld
from debconf_world import missing
from keeper_client import kill, memory_contains
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
        # Not dumpable: root owns its files in /proc.
        self.assertEqual(os.stat(f"/proc/{keeper.process.pid}/mem").st_uid, 0)
        client.answer(done, "ok")
        _, lines, _ = self.finish(keeper, client)
        self.assertNotIn(secret, "\n".join(lines))


class ReconnectTests(KeeperTestCase):
    """The engine goes and comes back at each point."""

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


class OtherProgramTests(KeeperTestCase):
    """askpass, debconf and dpkg."""

    def test_askpass(self):
        keeper = self.world.script('SSH_ASKPASS_PROMPT=confirm $SSH_ASKPASS "Allow use of key?"; echo $?; $GIT_ASKPASS "Password: "; echo $?')
        client = keeper.client()
        question = client.question()
        self.assertEqual([action["id"] for action in question["screen"]["actions"]], ["yes", "no"])
        client.answer(question, "no")
        question = client.question()
        self.assertEqual(question["screen"]["kind"], "form")
        client.answer(question, "okay", secrets={"answer": "s3cret"})
        self.assertEqual(self.finish(keeper, client)[1][-2:], ["s3cret", "0"])

    def test_a_yes_or_no_question_is_answered_on_the_terminal(self):
        keeper = self.world.script("echo After this, 1 MB is used.; printf 'Do you want to continue? [Y/n] '; read answer; "
                                   "echo got $answer")
        client = keeper.client()
        question = client.question()
        self.assertEqual((question["screen"]["name"], question["screen"]["title"]), ("terminal-confirm", "Do you want to continue?"))
        client.answer(question, "no")
        self.assertEqual(self.finish(keeper, client)[1][-1], "got n")

    @unittest.skipUnless(shutil.which("ssh-keygen"), "ssh-keygen is not installed")
    def test_real_ssh_keygen(self):
        key = self.world.root / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "open sesame", "-C", "trial", "-f", key], check=True)
        keeper = self.world.start("ssh-keygen", "-y", "-f", key, options=["--size", "200x24"])
        client = keeper.client()
        question = client.question()
        self.assertEqual(question["screen"]["name"], "ssh-password")
        client.answer(question, "okay", secrets={"answer": "open sesame"})
        ended, lines, _ = self.finish(keeper, client)
        self.assertEqual((ended, lines[-1]), ({"status": 0}, pathlib.Path(f"{key}.pub").read_text().strip()))

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_real_git(self):
        keeper = self.world.script("printf 'protocol=https\\nhost=example.com\\n\\n' | git -c credential.helper= credential fill",
                                   GIT_CONFIG_NOSYSTEM="1", HOME=str(self.world.root))
        client = keeper.client()
        question = client.question()
        self.assertEqual(question["screen"]["name"], "git-username")
        client.answer(question, "okay", {"answer": "ann"})
        question = client.question()
        self.assertEqual(question["screen"]["name"], "git-password")
        client.answer(question, "okay", secrets={"answer": "pä55"})
        self.assertEqual(self.finish(keeper, client)[1][-2:], ["username=ann", "password=pä55"])

    def test_the_question_of_dpkg_is_answered_on_the_terminal(self):
        keeper = self.world.script("""printf '
Configuration file '"'"'/etc/little.conf'"'"'
 ==> Modified (by you or by a script) since installation.
 ==> Package distributor has shipped an updated version.
   What would you like to do about it ?  Your options are:
*** little.conf (Y/I/N/O/D/Z) [default=N] ? '
read answer
echo "got $answer"
""")
        client = keeper.client()
        question = client.question()
        self.assertEqual(question["screen"]["name"], "dpkg-conffile//etc/little.conf")
        client.answer(question, "install")
        self.assertEqual(self.finish(keeper, client)[1][-1], "got Y")


@unittest.skipIf(missing(), missing())
class DebconfTests(KeeperTestCase):
    """Real debconf, with a database of its own."""

    def setUp(self):
        super().setUp()
        self.debconf = DebconfWorld(None)
        self.addCleanup(self.debconf.close)

    def start(self, example, **options):
        templates = "demo" if example == "demo" else "tutorial"
        self.debconf.load(templates, EXAMPLES / f"{templates}.templates")
        environment = {key: value for key, value in self.debconf.environment().items() if key.startswith(("DEB", "LC_"))}
        return self.world.start("debconf", "-o", templates, EXAMPLES / example, **options, **environment)

    def play(self, keeper, client, reconnects=False):
        """Answers with what is proposed, up to the end. Returns the names of the screens."""
        names = []
        while True:
            reply = client.watch()
            if "ended" in reply:
                return client, names, reply
            if "question" not in reply:
                continue
            question = reply["question"]
            if reconnects:
                client.close()
                client = keeper.client()
                self.assertEqual(client.question(), question)
            screen = question["screen"]
            names.append(screen["name"])
            event, payload = "okay", {}
            if screen["kind"] == "list":
                initial = screen.get("choosing", {}).get("initial") or [screen["items"][0]["id"]]
                event, payload = "select", {"ids": initial} if "max" in screen.get("choosing", {}) else {"id": initial[0]}
            elif screen["kind"] == "menu":
                event = next((action["id"] for action in screen["actions"] if action.get("role") == "primary"), "yes")
            elif screen["kind"] == "form":
                payload = {name: field for name, field in screen.get("values", {}).items()}
            answered = client.answer(question, event, payload)
            self.assertEqual(answered, {"taken": question["id"]}, screen)

    def test_demo(self):
        self.play_demo()

    def play_demo(self):
        keeper = self.start("demo")
        client, names, end = self.play(keeper, keeper.client())
        self.assertEqual(end["ended"], {"status": 0}, end)
        self.assertGreater(len(names), 7)
        return self.debconf.show("demo")

    def test_demo_while_the_engine_reconnects(self):
        expected = self.play_demo()
        self.debconf.reset()
        keeper = self.start("demo", name="again")
        _, _, end = self.play(keeper, keeper.client(), reconnects=True)
        self.assertEqual(end["ended"], {"status": 0})
        self.assertEqual(self.debconf.show("demo"), expected)

    def test_back_in_the_tutorial(self):
        keeper = self.start("tutorial-back")
        client = keeper.client()
        first = client.question()
        self.assertEqual(client.answer(first, "no"), {"taken": first["id"]})
        second = client.question()
        self.assertTrue(second["back"])
        self.assertEqual(client.ask(back=second["id"]), {"taken": second["id"]})
        again = client.question()
        self.assertEqual((again["screen"]["name"], again["id"] == first["id"]), (first["screen"]["name"], False))
        client.answer(again, "yes")
        self.assertEqual(self.finish(keeper, client)[0], {"status": 0})
        self.assertEqual(self.debconf.show("tutorial")["foo/like_debian"], ("true", True))

    @unittest.skipIf(os.geteuid() != 0, "only root may read the memory")
    def test_passwords_are_wiped(self):
        self.debconf.load("trial", self.debconf.write("trial.templates", """Template: trial/password
Type: password
Description: Password

Template: trial/note
Type: note
Description: Done
"""))
        module = self.debconf.write("module", "#!/bin/sh -e\n. /usr/share/debconf/confmodule\ndb_input high trial/password\ndb_go\n"
                                              "db_input high trial/note\ndb_go\n")
        environment = {key: value for key, value in self.debconf.environment().items() if key.startswith(("DEB", "LC_"))}
        keeper = self.world.start("debconf", "-o", "trial", module, **environment)
        client = keeper.client()
        question = client.question()
        name, = question["screen"]["values"] if "values" in question["screen"] else question["screen"]["schema"]["properties"]
        secret = "correct-horse-battery-staple" * 200
        client.answer(question, "okay", secrets={name: secret})
        note = client.question()
        self.assertFalse(memory_contains(keeper.process.pid, b"battery-staplecorrect"))
        client.answer(note, "okay")
        self.assertEqual(self.finish(keeper, client)[0], {"status": 0})
        self.assertEqual(self.debconf.database()[0]["trial/password"], secret)

    def test_two_connections_are_asked_one_after_the_other(self):
        self.debconf.load("tutorial", EXAMPLES / "tutorial.templates")
        environment = {key: value for key, value in self.debconf.environment().items() if key.startswith(("DEB", "LC_"))}
        second = self.debconf.root / "second"
        second.mkdir()
        (second / "debconf.conf").write_text(self.debconf.rc.read_text().replace(str(self.debconf.root), str(second)))
        for name in ("config.dat", "templates.dat"):
            (second / name).write_bytes((self.debconf.root / name).read_bytes())
        keeper = self.world.script(f"debconf -o tutorial {EXAMPLES}/tutorial-back & DEBCONF_SYSTEMRC={second}/debconf.conf "
                                   f"debconf -o tutorial {EXAMPLES}/tutorial-back & wait", **environment)
        client = keeper.client()
        for _ in range(2):
            self.assertEqual(client.answer(question := client.question(), "yes"), {"taken": question["id"]})
        self.assertEqual(self.finish(keeper, client)[0], {"status": 0})

    def test_a_wrong_answer_leaves_the_block_open(self):
        keeper = self.start("demo")
        client = keeper.client()
        question = client.question()
        refused = client.answer(question, "nonsense")
        self.assertEqual((refused["refused"], refused["reason"]), (question["id"], "the screen does not offer 'nonsense'"))
        self.assertEqual(keeper.client().question(), question)

    def test_dismiss_in_a_block_stores_nothing(self):
        keeper = self.start("demo")
        client = keeper.client()
        client.question()
        client.ask(end=True)
        self.assertIn(self.finish(keeper, client)[0], ({"signal": 15}, {"status": 143}, {"status": 128}))
        self.assertNotIn(("", True), self.debconf.show("demo").values())


if __name__ == "__main__":
    keeper_tests.BINARIES = sys.argv.pop(1)
    unittest.main()
