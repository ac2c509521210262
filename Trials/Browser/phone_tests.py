"""A terminal, a browser at a desk and a phone on one flow tree: python3 phone_tests.py BINARIES WORK [TEST...]

BINARIES contains the built programs; WORK is a directory that receives the pictures. Needs zbarimg, which reads the QR
code from the terminal's screen.
"""

from selenium.webdriver.common.by import By

from pages import PageTestCase, main
from phone import phone_browser, photograph, scan
from terminal import Terminal
from world import eventually, token


class PhoneTests(PageTestCase):
    def begin(self, flow, size=(80, 24)):
        """Begins a flow in the terminal, and opens its page in the desktop browser."""
        self.tree = token(self.id().rsplit(".", 1)[1])[:64]
        self.terminal = Terminal(self.world, "coordinator-tui", flow, "--token", self.tree, size=size)
        self.addCleanup(self.terminal.close)
        self.assertTrue(eventually(lambda: self.world.control("show", self.tree, check=False).returncode == 0))
        self.driver.get(f"{self.world.base}flows/{self.tree}")

    def scanned(self):
        """The text that a phone reads from the terminal's screen."""
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
        # The terminal returns to the flow, and follows it.
        self.assertTrue(self.terminal.shows("open on another device"), self.terminal.text())
        self.assertNotIn("Continue on your phone", self.terminal.text())
        phone.find_element(By.ID, "field-0").send_keys("o")
        phone.find_element(By.ID, "field-1").send_keys("open-sesame")
        phone.find_element(By.CSS_SELECTOR, "button[value='submit']").click()
        self.assertTrue(self.terminal.shows("Answered in the browser"), self.terminal.text())
        self.assertTrue(eventually(lambda: self.title() not in ("Log in", "")))
        self.assertTrue(eventually(lambda: self.heading(phone) == self.title() == "Your account"), phone.page_source)

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
        # The server ends with the terminal's session; the flow continues.
        self.terminal.keys("q")
        self.assertTrue(self.terminal.shows("The flow continues"), self.terminal.text())
        self.assertEqual(self.world.shown(self.tree)["screens"][-1]["title"], "What is the visit for?")

    def enter(self):
        """Admits a phone by the code on the terminal."""
        self.terminal.keys("F2")
        address = self.scanned()
        phone = self.phone()
        phone.get(address)
        self.assertTrue(self.terminal.shows("open on another device"), self.terminal.text())
        self.assertTrue(eventually(lambda: phone.find_elements(By.ID, "field-0")), phone.page_source)
        return phone

    def test_everybody_sees_who_is_there_and_who_types(self):
        self.begin("account")
        self.expect("Log in")
        phone = self.enter()
        self.assertEqual(self.heading(phone), "Log in")
        here = lambda: phone.find_element(By.ID, "people").text
        self.assertTrue(eventually(lambda: "terminal (pts/" in here()), here())
        self.assertTrue(self.terminal.shows("Safari on iPhone"), self.terminal.text())
        self.assertTrue(eventually(lambda: "Safari on iPhone" in self.one("#people").text), self.one("#people").text)
        listed = self.world.control("show", self.tree).stdout
        self.assertIn("Safari on iPhone", listed)
        self.assertIn("terminal (pts/", listed)
        phone.find_element(By.ID, "field-0").send_keys("Jür")
        self.assertTrue(self.terminal.shows("Typing: Safari on iPhone"), self.terminal.text())
        self.assertTrue(self.terminal.shows("Typed in another place: Safari on iPhone"), self.terminal.text())
        self.assertTrue(eventually(lambda: "Safari on iPhone" in self.one("#field-0-mark").text))
        # Typing in it takes over the draft.
        self.terminal.types("gen")
        self.assertTrue(self.terminal.shows("Jürgen"), self.terminal.text())
        self.assertNotIn("Typed in another place:", self.terminal.text())
        # The phone keeps its own text, and shows that the terminal has another one.
        mark = lambda: next((found.text for found in phone.find_elements(By.ID, "field-0-mark") if found.is_displayed()), "")
        self.assertTrue(eventually(lambda: "Jürgen" in mark()), phone.page_source)
        self.assertEqual(phone.find_element(By.ID, "field-0").get_attribute("value"), "Jür")
        phone.save_screenshot(str(self.world.work / "pictures" / "phone-mark.png"))

    def test_what_was_typed_when_somebody_else_answered_is_kept(self):
        self.begin("account")
        self.expect("Log in")
        phone = self.enter()
        phone.find_element(By.ID, "field-0").send_keys("Anna")
        phone.find_element(By.ID, "field-1").send_keys("nobody-knows")
        self.assertTrue(eventually(lambda: self.one("#field-0").get_attribute("value") == "Anna"))
        self.world.control("send", self.tree, "submit", "username=demo", "password=open-sesame")
        unsent = eventually(lambda: next((found.text for found in phone.find_elements(By.ID, "unsent")), ""))
        self.assertIn("Anna", unsent or phone.page_source)
        self.assertNotIn("nobody-knows", phone.page_source)
        phone.save_screenshot(str(self.world.work / "pictures" / "phone-unsent.png"))

    def test_a_button_in_the_browser_shows_a_code_that_leads_into_this_flow_only(self):
        self.begin("schedule-visit")
        self.expect("What is the visit for?")
        # Phones cannot reach this server.
        self.assertEqual(self.all("#phone"), [])
        web = self.world.start(self.world.binaries / "coordinator-web", "--lan")
        desk = self.phone("desk")
        desk.get(web.stdout.readline().strip())
        self.assertTrue(eventually(lambda: desk.find_elements(By.CSS_SELECTOR, "main")))
        desk.get(desk.current_url.split("?")[0] + f"flows/{self.tree}")
        eventually(lambda: desk.find_elements(By.CSS_SELECTOR, "#phone button"))[0].click()
        self.assertTrue(eventually(lambda: self.heading(desk) == "Continue on your phone"))
        picture = self.world.work / "page.png"

        def look():
            desk.save_screenshot(str(picture))
            return scan(picture)
        address = eventually(look)
        self.assertTrue(address.startswith("HTTPS://"), desk.page_source)
        desk.save_screenshot(str(self.world.work / "pictures" / "phone-code.png"))
        phone = self.phone()
        phone.get(address)
        self.assertTrue(eventually(lambda: self.heading(phone) == "What is the visit for?"), phone.page_source)
        # The page with the code returns to the flow.
        self.assertTrue(eventually(lambda: self.heading(desk) == "What is the visit for?"), desk.page_source)
        self.assertEqual(phone.find_elements(By.CSS_SELECTOR, ".onwards"), [])
        base, other = phone.current_url.split("flows/")[0], self.world.control("start", "account").stdout.strip()
        phone.get(base)
        self.assertTrue(eventually(lambda: self.heading(phone) == "What is the visit for?"), phone.page_source)
        phone.get(f"{base}flows/{other}")
        self.assertEqual(self.heading(phone), "Page not found")
        phone.get(base + "new/account")
        self.assertEqual(self.heading(phone), "Page not found")


if __name__ == "__main__":
    main()
