"""The position of the terminal's cursor on every kind of screen: cursor_tests.py BINARIES WORK [TEST...]

Braille displays, magnifiers and screen readers follow the cursor of a terminal: each button, row and field must be
reachable by the keyboard, and the cursor must then be on it.
"""

import sys
import unittest

from terminal_walker import TerminalWalker
from views import VIEWS
from world import World, eventually


class CursorTests(unittest.TestCase):
    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.world = World(*cls.arguments, has_browser=False)

    @classmethod
    def tearDownClass(cls):
        cls.world.close()

    def look_at(self, view):
        tree = self.world.begin(view)
        self.addCleanup(self.world.control, "dismiss", tree, check=False)
        walker = TerminalWalker(self)
        screen = walker.top(tree)
        walker.open(tree)
        walker.until_drawn(screen)
        # Typing shows a field that depends on the value.
        for key in view.keys if view.name == "fields" else ():
            walker.terminal.keys(key)
        for entry in [*screen.get("items", [])[:5], *screen.get("actions", [])]:
            walker.reach(entry["title"])
        properties = screen.get("schema", {}).get("properties", {})
        for name in screen.get("fields", []) if "progress" not in screen else []:
            self.reach_field(walker, properties[name].get("title", name))

    def reach_field(self, walker, title):
        """A field has the focus if the cursor is at its title or in the few rows below it."""
        def is_at():
            _, column, row = walker.cursor()
            above = walker.seen().split("\n")[max(0, row - 5):row + 1]
            return any(title in line for line in above)
        for _ in range(30):
            if eventually(is_at, 0.12):
                return
            walker.terminal.keys("Tab")
        self.fail(f"the cursor does not come to the field {title!r}\n{walker.seen()}")


def add(view):
    setattr(CursorTests, f"test_{view.name}", lambda self: self.look_at(view))


for view in VIEWS:
    if view.flow and view.keys is not None and view.name not in ("live", "arabic"):
        add(view)

if __name__ == "__main__":
    CursorTests.arguments = sys.argv[1:3]
    del sys.argv[1:3]
    unittest.main(verbosity=2)
