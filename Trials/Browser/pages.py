"""A page in the browser: the actions of the tests on it, and their expectations."""

import sys
import time
import unittest

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from world import DESKTOP, PHONE, World, eventually, is_stale, token


class PageTestCase(unittest.TestCase):
    """Tests that share a world, created from `arguments`: the directory of the built programs, and a working directory."""

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
        self.one(f"button[value='{event}']:not(.aside)").click()
        self.assertTrue(eventually(lambda: self.is_gone(old)))

    def press_by_key(self, event):
        """Presses a button by the keyboard, because a page that another client's answer has just loaded accepts no
        click at once."""
        old = self.one("html")
        self.one(f"button[value='{event}']:not(.aside)").send_keys(Keys.ENTER)
        self.assertTrue(eventually(lambda: self.is_gone(old)))

    def is_gone(self, element):
        try:
            element.is_enabled()
            return False
        except WebDriverException as error:
            if not is_stale(error):
                raise
            return True

    def focused(self):
        return self.driver.switch_to.active_element

    def title(self):
        found = self.all("h1")
        return found[0].text if found else ""

    def expect(self, title):
        self.assertTrue(eventually(lambda: self.title() == title), f"{self.title()!r} is not {title!r}")

    def expect_text(self, selector, text):
        self.assertTrue(
            eventually(lambda: any(text in element.text for element in self.all(selector))),
            [element.text for element in self.all(selector)])


class WalkTestCase(PageTestCase):
    """Tests that walk through flows while a second actor may answer as well."""

    def setUp(self):
        self.began = time.monotonic()
        super().setUp()
        self.driver.get(self.world.base)

    def tearDown(self):
        print(f"{time.monotonic() - self.began:.1f} s ", end="", file=sys.stderr)
        errors = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        # A connection that ends because the daemon or the page does is not an error of the page.
        self.assertEqual([error for error in errors if "/events" not in error], [])

    def start(self, flow):
        """Starts a flow as the second actor, and shows it."""
        self.tree = token(self.id().rsplit(".", 1)[1])[:64]
        self.world.control("start", flow, "--token", self.tree)
        # A flow that still runs would be on the home page of the following tests.
        self.addCleanup(self.world.control, "dismiss", self.tree, check=False)
        self.show()

    def show(self, screen=None):
        self.driver.get(f"{self.world.base}flows/{self.tree}" + (f"/screens/{screen}" if screen else ""))

    def send(self, *arguments):
        """The second actor answers."""
        self.world.control("send", self.tree, *arguments)

    def check(self, name):
        """Searches for barriers in both color schemes, takes pictures, and checks that nothing is cut off on a phone."""
        for scheme in ("light", "dark"):
            for size, device in ((DESKTOP, "desktop"), (PHONE, "phone")):
                self.world.look(size, scheme)
                self.world.picture(f"{name}-{device}-{scheme}")
                width = self.driver.execute_script("return document.documentElement.scrollWidth")
                self.assertLessEqual(width, size[0], f"{name} is too wide for {device}")
            # In dark mode, only the colors differ.
            rules = ["color-contrast"] if scheme == "dark" else []
            self.assertEqual(self.world.axe(*rules), [], f"{name}, {scheme}")
        self.world.look()
        small = self.driver.execute_script(
            "return [...document.querySelectorAll('main button, main a.button, main summary, main input:not([type=hidden]), .choice')]"
            ".filter((e) => e.checkVisibility() && !(e.matches('.aside, [type=checkbox], [type=radio]')) && e.getBoundingClientRect().height < 44)"
            ".map((e) => e.outerHTML)")
        self.assertEqual(small, [], f"{name}: smaller than a finger")


def main():
    """Runs the tests of a script with the arguments BINARIES WORK [TEST...]."""
    PageTestCase.arguments = sys.argv[1:3]
    del sys.argv[1:3]
    unittest.main(verbosity=2)
