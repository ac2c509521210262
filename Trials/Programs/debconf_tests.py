"""debconf_tests.py DIRECTORY: real debconf asks, and debconf-trial in that directory answers. Skipped where debconf is missing."""

import pathlib
import sys
import unittest

from debconf_world import EXAMPLES, World, missing

SERVER = None


class DebconfTestCase(unittest.TestCase):
    def setUp(self):
        self.world = World(SERVER)
        self.addCleanup(self.world.close)

    def run_module(self, text, script=None, owner="trial", **environment):
        """Runs a package script of shell lines."""
        module = self.world.write("module", "#!/bin/sh -e\n. /usr/share/debconf/confmodule\ndb_version 2.0\n" + text)
        return self.world.run(["debconf", "-o", owner, str(module)], script, **environment)

    def load(self, text, owner="trial"):
        templates = self.world.root / "trial.templates"
        templates.write_text(text)
        self.world.load(owner, templates)


class ExamplesTests(DebconfTestCase):
    def test_demo(self):
        self.world.load("demo", EXAMPLES / "demo.templates")
        run = self.world.run(["debconf", "-o", "demo", str(EXAMPLES / "demo")], {"otherwise": "initial", "answers": {
            "demo/boolean": ["false"], "demo/multiselect": ["lwn, freshmeat"], "demo/string": ["  humpty  dumpty "],
            "demo/password": ["s3cret ü"], "demo/select": ["navy blue"], "demo/subst": ["true"]}})
        self.assertEqual(run.process.returncode, 0, run.process.stderr)
        print(run.process.stdout, run.process.stderr, run.values, run.flags, self.world.show("demo"))
        for e in run.events: print(e)


def main():
    global SERVER
    SERVER = pathlib.Path(sys.argv[1]) / "debconf-trial"
    reason = missing()
    if reason:
        print(f"skipped: {reason}")
        return
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)


if __name__ == "__main__":
    main()
