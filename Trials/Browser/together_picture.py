"""A moving picture of two people who answer one flow, in a terminal and in a browser: together_picture.py BINARIES WORK FILE.gif

Text that one of them types appears at the other, and an answer of either leads both to the next screen.
"""

import sys
import time

from film import Film
from pages import PageTestCase
from terminal import Terminal
from world import eventually


class TogetherPicture(PageTestCase):
    """Plays the flow `installer`."""

    target = ""

    def both(self, text):
        """Waits until both show a text."""
        self.expect_text("main", text)
        self.assertTrue(self.terminal.shows(text), self.terminal.text())
        time.sleep(0.5)

    def types(self, text, into_page=None):
        """Types into the terminal or into a field of the page, three characters per frame, and waits until the other
        shows them."""
        for begin in range(0, len(text), 3):
            piece, so_far = text[begin:begin + 3], text[:begin + 3].strip()
            if into_page:
                into_page.send_keys(piece)
                self.assertTrue(self.terminal.shows(so_far), self.terminal.text())
            else:
                self.terminal.types(piece)
                self.assertTrue(eventually(lambda: so_far in [field.get_attribute("value").strip() for field in self.all("main input")]))
            time.sleep(0.1)
            self.film.shoot(0.35)

    def runTest(self):
        tree = self.world.control("start", "installer").stdout.strip()
        self.world.control("send", tree, "begin")
        self.terminal = Terminal(self.world, "coordinator-tui", tree, size=(80, 25), variables={"COLORTERM": "truecolor"})
        self.addCleanup(self.terminal.close)
        self.driver.get(f"{self.world.base}flows/{tree}")
        self.film = Film(self.world, self.terminal, "Anna, in a terminal", "Ben, in a browser")
        self.both("The machine")
        self.film.shoot(1.5)
        self.types("attic-pi")
        self.film.shoot(1)
        self.types("Anna and Ben", self.one("#field-1"))
        self.film.shoot(1.5)
        self.terminal.keys("Tab", "Tab", "Enter")
        self.both("Time zone")
        self.film.shoot(2)
        self.press("Asia/Tokyo")
        self.both("Packages")
        self.film.shoot(2)
        self.terminal.keys("Down", "Down", "Space")
        time.sleep(0.5)
        self.film.shoot(1.2)
        self.terminal.keys("Enter")
        self.both("Check your answers")
        self.film.shoot(2.5)
        self.press("install")
        self.expect("Erase the disk sda, and install?")
        self.film.shoot(2)
        self.press("install")
        self.both("Pair your telephone")
        self.film.shoot(3)
        self.film.save(self.target)


if __name__ == "__main__":
    PageTestCase.arguments = sys.argv[1:3]
    TogetherPicture.target = sys.argv[3]
    TogetherPicture.setUpClass()
    try:
        picture = TogetherPicture()
        try:
            picture.setUp()
            picture.runTest()
        finally:
            picture.doCleanups()
    finally:
        TogetherPicture.tearDownClass()
