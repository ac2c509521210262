"""coordinator-tui on the Linux console: console_tests.py BINARIES WORK [TEST...]

Writes only characters of the console's fonts, its 16 colors, and sequences that the console supports. Flows in other
scripts are left out, because their texts are their own.
"""

import sys
import time
import unittest

from linux_console import strangers
from pseudo_terminal import PseudoTerminal
from views import VIEWS
from world import World

# The byte sequences of the console's keys, by tmux's names.
KEYS = {"Down": "\x1b[B", "Tab": "\t", "Enter": "\r", "Space": " ", "Escape": "\x1b", "C-r": "\x12", "F1": "\x1b[[A"}
OTHER_SCRIPTS = ("list", "japanese", "arabic")


class ConsoleTests(unittest.TestCase):
    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.world = World(*cls.arguments, has_browser=False)

    @classmethod
    def tearDownClass(cls):
        cls.world.close()

    def written(self, view, size):
        """All output while a view is shown, and the help over it."""
        tree = self.world.begin(view)
        environment = {name: text for name, text in self.world.environment.items() if name not in ("COLORTERM", "LC_ALL")}
        environment |= {"TERM": "linux", "LANG": "C.UTF-8", "LANGUAGE": view.language}
        command = (self.world.binaries / "coordinator-tui", *([tree] if tree else []))
        terminal = PseudoTerminal(command, environment, size)
        try:
            self.assertTrue(terminal.read(10))
            for key in ("", *view.keys, "Tab", "F1", "Escape"):
                terminal.send(KEYS.get(key, key).encode())
                terminal.settle()
            if view.name in ("progress", "busy", "live"):
                time.sleep(1)
                terminal.settle()
        finally:
            terminal.close()
            if tree:
                self.world.control("dismiss", tree, check=False)
        return terminal.written.decode()

    def test_only_what_the_console_can_show_is_written(self):
        found = {}
        for view in VIEWS:
            if view.keys is None or view.name in OTHER_SCRIPTS:
                continue
            for size in ((80, 30), (40, 12)):
                for stranger in strangers(self.written(view, size)):
                    # The title of a flow of the gallery is written unchanged.
                    if view.name == "home" and "(U+06" in stranger:
                        continue
                    found.setdefault(stranger, set()).add(view.name)
        self.assertEqual(found, {}, "".join(f"\n{stranger}: {', '.join(sorted(names))}" for stranger, names in found.items()))


if __name__ == "__main__":
    ConsoleTests.arguments = sys.argv[1:3]
    del sys.argv[1:3]
    unittest.main(verbosity=2)
