"""A page in the browser: what the tests do with it, and what they expect of it."""

import sys
import unittest

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By

from world import World, eventually, is_stale


class PageTestCase(unittest.TestCase):
    """Tests that share a world, made of `arguments`: where the built programs are, and a directory to work in."""

    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.world = World(*cls.arguments)

    @classmethod
    def tearDownClass(cls):
        cls.world.close()

    def setUp(self):
        self.world.look()
        self.driver = self.world.driver

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        found = eventually(lambda: self.all(selector))
        self.assertTrue(found, f"no {selector} on {self.driver.current_url}:\n{self.driver.page_source}")
        return found[0]

    def press(self, event):
        old = self.one("html")
        self.one(f"button[value='{event}']").click()
        self.assertTrue(eventually(lambda: self.is_gone(old)))

    def is_gone(self, element):
        try:
            element.is_enabled()
            return False
        except WebDriverException as error:
            if not is_stale(error):
                raise
            return True

    def title(self):
        found = self.all("h1")
        return found[0].text if found else ""

    def expect(self, title):
        self.assertTrue(eventually(lambda: self.title() == title), f"{self.title()!r} is not {title!r}")

    def expect_text(self, selector, text):
        self.assertTrue(
            eventually(lambda: any(text in element.text for element in self.all(selector))),
            [element.text for element in self.all(selector)])


def main():
    """Runs the tests of a script that was called with BINARIES WORK [TEST...]."""
    PageTestCase.arguments = sys.argv[1:3]
    del sys.argv[1:3]
    unittest.main(verbosity=2)
