"""A terminal and a browser on one flow tree: python3 together_tests.py BINARIES WORK [TEST...]

BINARIES contains the built programs; WORK is a directory that receives the pictures.
"""

from pages import PageTestCase, main
from terminal import Terminal
from world import eventually, token


class TogetherTests(PageTestCase):
    def begin(self, flow):
        """Begins a flow in the terminal, and opens its page in the browser."""
        self.tree = token(self.id().rsplit(".", 1)[1])
        self.terminal = Terminal(self.world, "coordinator-tui", flow, "--token", self.tree)
        self.addCleanup(self.terminal.close)
        self.assertTrue(eventually(lambda: self.world.control("show", self.tree, check=False).returncode == 0))
        self.driver.get(f"{self.world.base}flows/{self.tree}")

    def both(self, title):
        """Waits until both show the same screen, which is the daemon's top screen."""
        self.expect(title)
        self.assertTrue(self.terminal.shows(title), self.terminal.text())
        shown = self.world.shown(self.tree)
        self.assertEqual(next(screen["title"] for screen in shown["screens"] if screen["id"] == shown["top"]), title)

    def test_a_visit_goes_to_and_fro(self):
        self.begin("pets")
        self.both("Happy Tails Animal Clinic")
        self.terminal.keys("Enter")
        self.both("What is the visit for?")
        self.expect_text("#notice", "nswered in the terminal")
        self.press_by_key("sick")
        self.both("How much does it hurt?")
        self.assertTrue(self.terminal.shows("Answered in the browser"), self.terminal.text())
        self.terminal.keys("Escape")
        self.both("What is the visit for?")
        self.press_by_key("sick")
        self.both("How much does it hurt?")
        self.terminal.keys("2")
        self.assertTrue(eventually(lambda: self.all("button[value='not-fake']")))
        self.both(self.title())
        self.press_by_key("not-fake")
        self.assertTrue(eventually(lambda: self.all("button[value='okay']")))
        self.both(self.title())
        self.terminal.keys("Enter")
        self.both("Happy Tails Animal Clinic")

    def test_a_draft_goes_along_and_a_password_does_not(self):
        self.begin("account")
        self.both("Log in")
        self.terminal.types("dem")
        name = self.one("#field-0")
        self.assertTrue(eventually(lambda: name.get_attribute("value") == "dem"), name.get_attribute("value"))
        self.terminal.types("o")
        self.terminal.keys("Tab")
        self.terminal.types("nobody-knows")
        self.assertTrue(eventually(lambda: name.get_attribute("value") == "demo"), name.get_attribute("value"))
        self.one("#field-1").send_keys("open-sesame")
        for text in (self.driver.page_source, self.terminal.text(), self.world.control("show", self.tree, "--json").stdout):
            self.assertNotIn("nobody-knows", text)
            self.assertNotIn("open-sesame", text)
        self.press_by_key("submit")
        self.assertTrue(self.terminal.shows("Answered in the browser"), self.terminal.text())
        self.assertTrue(eventually(lambda: self.title() not in ("Log in", "")))
        self.both(self.title())
        self.terminal.keys("End", "Enter")
        self.assertTrue(self.terminal.shows("finished"), self.terminal.text())
        self.expect("Done")

    def test_who_loses_a_race_is_told(self):
        self.begin("schedule-visit")
        self.both("What is the visit for?")
        # A page without scripts is not updated when another client answers: its own answer comes too late.
        self.world.scripts(False)
        self.addCleanup(self.world.scripts, True)
        self.driver.get(f"{self.world.base}flows/{self.tree}")
        self.terminal.keys("1")
        self.assertTrue(self.terminal.shows("okay") or self.terminal.shows("ppointment"), self.terminal.text())
        self.one("button[value='sick']").click()
        self.expect_text("#notice", "nswered")
        self.assertNotEqual(self.title(), "How much does it hurt?")
        self.both(self.title())


if __name__ == "__main__":
    main()
