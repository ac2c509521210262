"""A terminal, a browser at a desk and a phone on one flow tree: python3 phone_tests.py BINARIES WORK [TEST...]

BINARIES is where the built programs are, WORK a directory that takes the pictures. Needs zbarimg, which reads the QR code
off the terminal's screen.
"""

from selenium.webdriver.common.by import By

from pages import PageTestCase, main
from phone import phone_browser, photograph, scan
from terminal import Terminal
from world import eventually, token


class PhoneTests(PageTestCase):
    def begin(self, flow, size=(80, 24)):
        """Begins a flow in the terminal, and opens its page in the browser at the desk."""
        self.tree = token(self.id().rsplit(".", 1)[1])
        self.terminal = Terminal(self.world, "coordinator-tui", flow, "--token", self.tree, size=size)
        self.addCleanup(self.terminal.close)
        self.assertTrue(eventually(lambda: self.world.control("show", self.tree, check=False).returncode == 0))
        self.driver.get(f"{self.world.base}flows/{self.tree}")

    def scanned(self):
        """What a phone reads off the terminal's screen."""
        picture = self.world.work / f"{self.tree}.png"

        def look():
            photograph(self.terminal.text(), picture)
            return scan(picture)
        text = eventually(look)
        self.assertTrue(text, self.terminal.text())
        return text

    def phone(self, name="phone"):
        driver = phone_browser(self.world, name)
        self.addCleanup(driver.quit)
        return driver

    def heading(self, driver):
        return eventually(lambda: next((found.text for found in driver.find_elements(By.TAG_NAME, "h1")), None))

    def value(self, driver, field):
        return eventually(lambda: driver.find_element(By.ID, field).get_attribute("value"))

    def test_a_phone_goes_on_where_the_terminal_is(self):
        self.begin("account")
        self.expect("Log in")
        self.terminal.types("dem")
        self.terminal.keys("F2")
        self.assertTrue(self.terminal.shows("Continue on your phone"), self.terminal.text())
        self.assertTrue(self.terminal.shows("SHA-256"), self.terminal.text())
        address = self.scanned()
        self.assertRegex(address, r"^HTTPS://[0-9A-Z.:\[\]-]+:\d+/[0-9A-Z]{26}$")
        phone = self.phone()
        phone.get(address)
        self.assertEqual(self.heading(phone), "Log in")
        self.assertEqual(self.value(phone, "field-0"), "dem")
        phone.save_screenshot(str(self.world.work / "pictures" / "phone-log-in.png"))
        # The terminal goes back to the flow, and follows.
        self.assertTrue(self.terminal.shows("open on another device"), self.terminal.text())
        self.assertNotIn("Continue on your phone", self.terminal.text())
        phone.find_element(By.ID, "field-0").send_keys("o")
        phone.find_element(By.ID, "field-1").send_keys("open-sesame")
        phone.find_element(By.CSS_SELECTOR, "button[value='submit']").click()
        self.assertTrue(self.terminal.shows("Answered in the browser"), self.terminal.text())
        self.assertTrue(eventually(lambda: self.title() not in ("Log in", "")))
        self.assertEqual(self.heading(phone), self.title())

    def test_an_address_works_once_and_the_next_one_is_another(self):
        self.begin("schedule-visit")
        self.assertTrue(self.terminal.shows("What is the visit for?"))
        self.terminal.keys("F2")
        first = self.scanned()
        phone = self.phone()
        phone.get(first)
        self.assertEqual(self.heading(phone), "What is the visit for?")
        self.assertTrue(self.terminal.shows("open on another device"), self.terminal.text())
        stranger = self.phone("stranger")
        stranger.get(first)
        self.assertEqual(self.heading(stranger), "This address no longer works")
        self.terminal.keys("F2")
        second = self.scanned()
        self.assertNotEqual(first, second)
        stranger.get(second)
        self.assertEqual(self.heading(stranger), "What is the visit for?")
        # The server ends with the terminal's session: the flow goes on.
        self.terminal.keys("q")
        self.assertTrue(self.terminal.shows("The flow continues"), self.terminal.text())
        self.assertEqual(self.world.shown(self.tree)["screens"][-1]["title"], "What is the visit for?")


if __name__ == "__main__":
    main()
