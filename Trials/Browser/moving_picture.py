"""A moving picture of a setup in a terminal and a browser: moving_picture.py BINARIES WORK FILE.gif

Plays the scenario of live_programs_tests.py, and writes a GIF.
"""

import sys
import time

import live_programs_tests
from film import Film
from pages import PageTestCase


class MovingPicture(live_programs_tests.LiveProgramTests):
    """Takes pictures of both."""

    target = ""

    def scene(self, text, seconds):
        self.both(text)
        # Waits until changes are no longer marked as new.
        time.sleep(1)
        self.film.shoot(seconds)

    def runTest(self):
        self.tree = "setup"
        self.root = self.world.home / "root-picture"
        self.begin()
        self.film = Film(self.world, self.terminal, "coordinatorctl exec -- raspi-config", "the same in a browser")
        self.scene("Setup Options", 3)
        self.press("5 Localisation Options")
        self.scene("Localisation Options", 2.5)
        self.terminal.keys("Down", "Enter")
        self.scene("Geographic area", 2.5)
        self.press("Europe")
        self.scene("Time zone", 2.5)
        self.press("Rome")
        self.scene("Setup Options", 3)
        self.film.save(self.target)


if __name__ == "__main__":
    PageTestCase.arguments = sys.argv[1:3]
    MovingPicture.target = sys.argv[3]
    MovingPicture.setUpClass()
    try:
        picture = MovingPicture()
        try:
            picture.setUp()
            picture.runTest()
        finally:
            picture.doCleanups()
    finally:
        MovingPicture.tearDownClass()
