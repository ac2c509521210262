"""Forms in a real terminal: forms_tests.py BINARIES WORK [TEST...]"""

import sys
import unittest

from terminal import Terminal
from world import World, eventually


class FormTests(unittest.TestCase):
    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.world = World(*cls.arguments, has_browser=False)

    @classmethod
    def tearDownClass(cls):
        cls.world.close()

    def show(self, size):
        """Shows a form with fields of all kinds, and returns the name of its tree."""
        tree = self.world.control("start", "gallery").stdout.strip()
        self.addCleanup(self.world.control, "dismiss", tree, check=False)
        self.world.control("send", tree, "fields")
        self.terminal = Terminal(self.world, "coordinator-tui", tree, size=size)
        self.addCleanup(self.terminal.close)
        self.shows("Tell us about yourself")
        return tree

    def shows(self, text):
        self.assertTrue(self.terminal.shows(text), f"{text!r} is not shown:\n{self.terminal.text()}")

    def reach(self, title):
        """Moves the focus to a field, whose title then has the bar next to it."""
        for _ in range(20):
            if eventually(lambda: f"┃ {title}" in self.terminal.text(), 0.3):
                return
            self.terminal.keys("Tab")
        self.fail(f"{title!r} is not reached:\n{self.terminal.text()}")

    def draft(self, tree):
        shown = self.world.shown(tree)
        return next(screen for screen in shown["screens"] if screen["id"] == shown["top"]).get("draft", {})

    def test_all_choices_of_a_field_come_into_view_with_it(self):
        for size in ((80, 16), (40, 12)):
            with self.subTest(size=size):
                self.show(size)
                self.assertNotIn("Large", self.terminal.text())
                self.reach("Size")
                self.shows("Large")
                self.assertIn("Small", self.terminal.text())
                self.assertIn("Medium", self.terminal.text())

    def test_a_list_says_how_to_enter_several_and_takes_them(self):
        tree = self.show((80, 24))
        self.reach("Guests")
        self.shows("Separate multiple values with commas.")
        self.terminal.types("Ann, Bob")
        self.terminal.keys("Tab")
        self.assertTrue(eventually(lambda: self.draft(tree).get("guests") == ["Ann", "Bob"]), self.draft(tree))

    def test_a_long_text_has_several_rows_and_takes_several_lines(self):
        tree = self.show((60, 24))
        self.reach("About you")
        text = "This is longer than a row of this terminal can be, so it goes on in the next one."
        self.terminal.types(text)
        self.shows("in the next one.")
        rows = [row for row in self.terminal.text().split("\n") if row.strip("┃ ") and row.strip("┃ ") in text]
        self.assertGreaterEqual(len(rows), 2, self.terminal.text())
        self.terminal.keys("C-o")
        self.terminal.types("Another line.")
        self.terminal.keys("Tab")
        self.assertTrue(eventually(lambda: self.draft(tree).get("about") == text + "\nAnother line."), self.draft(tree))

    def test_the_letter_that_leaves_elsewhere_never_leaves_a_form(self):
        self.show((80, 24))
        self.reach("Toppings")
        self.terminal.types("q")
        self.reach("About you")
        self.terminal.types("quite")
        self.shows("quite")

    def test_every_button_looks_alike_and_help_explains_the_sign_of_danger(self):
        tree = self.world.control("start", "paperwork").stdout.strip()
        self.addCleanup(self.world.control, "dismiss", tree, check=False)
        self.terminal = Terminal(self.world, "coordinator-tui", tree, size=(80, 30))
        self.addCleanup(self.terminal.close)
        self.shows("! ")
        self.terminal.keys("F1")
        self.shows("it destroys something")


if __name__ == "__main__":
    FormTests.arguments = sys.argv[1:3]
    del sys.argv[1:3]
    unittest.main(verbosity=2)
