"""The web renderer in Firefox: firefox_tests.py BINARIES WORK [TEST...]

BINARIES contains the built programs; WORK is a directory that contains axe.min.js, and receives the pictures.
"""

import sys
import unittest

from firefox import Firefox, missing
from views import VIEWS
from world import DESKTOP, PHONE, World, eventually

ENTER, TAB, BACKSPACE = "\ue007", "\ue004", "\ue003"


@unittest.skipIf(missing(), missing())
class FirefoxTests(unittest.TestCase):
    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.world = World(*cls.arguments, has_browser=False)
        cls.firefox = Firefox(cls.world.home)
        print(f"Firefox {cls.firefox.version}", file=sys.stderr)
        web = cls.world.start(cls.world.binaries / "coordinator-web")
        entry = web.stdout.readline().strip()
        cls.base = entry.split("?")[0]
        cls.firefox.get(entry)

    @classmethod
    def tearDownClass(cls):
        cls.firefox.close()
        cls.world.close()

    def setUp(self):
        self.firefox.look(DESKTOP)
        self.firefox.errors.clear()

    def tearDown(self):
        errors = [error for error in self.firefox.errors if "/events" not in error]
        self.assertEqual(errors, [])

    def start(self, flow):
        self.tree = self.world.control("start", flow).stdout.strip()
        self.addCleanup(self.world.control, "dismiss", self.tree, check=False)
        self.firefox.get(f"{self.base}flows/{self.tree}")

    def ask(self, expression):
        """An answer of the page; None while another page replaces it."""
        try:
            return self.firefox.run(expression)
        except RuntimeError:
            return None

    def expect(self, title):
        self.assertTrue(eventually(lambda: self.ask("document.querySelector('h1')?.textContent") == title), title)

    def expect_text(self, selector, text):
        self.assertTrue(
            eventually(lambda: text in (self.ask(f"document.querySelector({selector!r})?.innerText") or "")), f"no {text!r} in {selector}")

    def focus(self, selector):
        self.assertTrue(eventually(lambda: self.ask(f"(document.querySelector({selector!r})?.focus(), !!document.querySelector({selector!r}))")))

    def press(self, event):
        self.focus(f"button[value={event}]:not(.aside)")
        self.firefox.keys(ENTER)

    def test_a_visit_is_scheduled(self):
        self.start("schedule-visit")
        self.press("sick")
        self.expect("How much does it hurt?")
        self.focus("#back button")
        self.firefox.keys(ENTER)
        self.expect("What is the visit for?")
        self.press("well")
        self.expect("No appointment required")
        self.press("okay")
        self.assertTrue(eventually(lambda: self.world.control("show", self.tree, check=False).returncode))
        self.assertTrue(eventually(lambda: not self.ask("!!document.querySelector('button[value=okay]')")))

    def test_the_button_of_the_browser_goes_back(self):
        self.start("schedule-visit")
        self.press("sick")
        self.expect("How much does it hurt?")
        self.firefox.send("browsingContext.traverseHistory", context=self.firefox.context, delta=-1)
        self.expect("What is the visit for?")
        self.assertTrue(eventually(lambda: self.world.shown(self.tree)["screens"][-1]["name"] == "select-visit-type"))

    def test_what_is_wrong_is_said_and_what_was_typed_is_kept(self):
        self.start("account")
        self.focus("#field-0")
        self.firefox.keys("demo", TAB, "wrong", ENTER)
        self.expect_text("#errors", "wrong")
        self.assertEqual(self.ask("document.querySelector('#field-0').value"), "demo")
        self.assertEqual(self.ask("document.querySelector('#field-1').value"), "")
        self.focus("#field-1")
        self.firefox.keys("open-sesame", ENTER)
        self.expect("Your account")

    def test_an_answer_from_elsewhere_is_shown_at_once(self):
        self.start("schedule-visit")
        self.expect("What is the visit for?")
        self.world.control("send", self.tree, "sick")
        self.expect("How much does it hurt?")
        self.expect_text("#notice", "nswered")

    def test_a_list_is_filtered_while_typing(self):
        self.start("kanji")
        self.focus("#filter-text")
        self.firefox.keys("water")
        rows = "[...document.querySelectorAll('#items button')].filter((e) => e.checkVisibility()).map((e) => e.value)"
        self.assertTrue(eventually(lambda: self.ask(rows) == ["水"]), self.ask(rows))

    def test_a_question_is_asked_before_an_action(self):
        self.start("paperwork")
        self.press("erase")
        self.expect("Erase everything on this machine?")
        self.press("erase")
        self.expect("Thank you")

    def test_no_kind_of_screen_keeps_people_out(self):
        axe = (self.world.work / "axe.min.js").read_text()
        directory = self.world.work / "pictures"
        directory.mkdir(exist_ok=True)
        for view in VIEWS:
            with self.subTest(view.name):
                tree = self.world.begin(view)
                self.addCleanup(self.world.control, "dismiss", tree, check=False)
                self.firefox.get(self.base + (f"flows/{tree}" if tree else ""))
                self.assertTrue(eventually(lambda: self.ask("!!document.querySelector('h1')")))
                for size, device in ((PHONE, "phone"), (DESKTOP, "desktop")):
                    self.firefox.look(size)
                    self.firefox.picture(directory / f"firefox-{view.name}-{device}.png")
                    self.assertLessEqual(self.ask("document.documentElement.scrollWidth"), size[0], "too wide")
                self.firefox.send("script.evaluate", expression=axe, awaitPromise=False, target={"context": self.firefox.context})
                found = self.ask("axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations.map((v) => `${v.id}: ${v.nodes[0].html}`))")
                self.assertEqual(found, [])


if __name__ == "__main__":
    FirefoxTests.arguments = sys.argv[1:3]
    del sys.argv[1:3]
    unittest.main(verbosity=2)
