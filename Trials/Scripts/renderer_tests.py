"""The example renderer in Python begins at the suggestion of a script after Back: renderer_tests.py."""

import subprocess
import unittest

from world import ROOT, World

SCRIPT = """#!/bin/sh
# coordinator: title=Make coffee
size=$(ask menu size "How large?" small=Small large=Large)
milk=$(ask list milk "Which milk?" cow=Cow oat=Oat)
ask confirm sure "Really?"
ask finish size="$size" milk="$milk"
"""


class RendererTests(unittest.TestCase):
    def setUp(self):
        self.world = self.enterContext(World())
        self.world.write("make-coffee", SCRIPT)
        self.world.start_engine()
        self.flow = self.world.flow("make-coffee")
        token = self.flow.path.rpartition("/")[2]
        with self.world.log.open("a") as log:
            self.renderer = subprocess.Popen(
                ["/usr/bin/python3", str(ROOT / "Examples/python-renderer/renderer.py"), token], env=self.world.environment,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, bufsize=1)
        self.addCleanup(self.end)

    def end(self):
        self.renderer.kill()
        self.renderer.wait()
        self.renderer.stdin.close()
        self.renderer.stdout.close()

    def prompt(self, title):
        """Reads up to the prompt after a title; returns the prompt."""
        is_shown = False
        for line in self.renderer.stdout:
            is_shown = is_shown or line == f"== {title}\n"
            if is_shown and line.startswith("Choice"):
                return line.rstrip("\n")
        self.fail(f"'{title}' was not shown\n{self.world.written()}")

    def type(self, line):
        self.renderer.stdin.write(line + "\n")

    def test_an_empty_line_gives_what_is_suggested(self):
        plain = "Choice [] (b goes back):"
        self.assertEqual(self.prompt("How large?"), plain)
        self.type("2")
        self.assertEqual(self.prompt("Which milk?"), plain)
        self.type("2")
        self.assertEqual(self.prompt("Really?"), plain)
        self.type("b")
        self.assertEqual(self.prompt("Which milk?"), "Choice [2] (b goes back):")
        self.type("b")
        self.assertEqual(self.prompt("How large?"), "Choice [2] (b goes back):")
        self.type("")
        self.prompt("Which milk?")
        self.assertEqual(self.flow.settle()["name"], "milk", "a suggestion was sent without its user")
        # Chooses something other than the suggestion.
        self.type("1")
        self.prompt("Really?")
        self.type("1")
        self.flow.shows(None)
        self.assertEqual(self.flow.outcome, ("finished", {"size": "large", "milk": "cow"}))


if __name__ == "__main__":
    unittest.main()
