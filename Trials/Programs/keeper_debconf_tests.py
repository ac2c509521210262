"""keeper_debconf_tests.py DIRECTORY: debconf, kept by coordinator-keeper of that directory."""

import os
import sys
import unittest

import keeper_tests
from debconf_world import EXAMPLES
from debconf_world import World as DebconfWorld
from debconf_world import missing
from keeper_client import memory_contains
from keeper_tests import KeeperTestCase


@unittest.skipIf(missing(), missing())
class DebconfTests(KeeperTestCase):
    """Real debconf, with a separate database."""

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
        """Answers with the proposals, up to the end. Returns the names of the screens."""
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
                event = screen.get("default", "yes")
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
