"""The features of screens beyond texts and fields, in a real browser: python3 screens_tests.py BINARIES WORK [TEST...]"""

from selenium.webdriver.common.keys import Keys

from pages import WalkTestCase, main
from world import eventually, token


class ScreensTests(WalkTestCase):
    def name(self):
        """Returns the name of the screen that the flow shows."""
        return self.world.shown(self.tree)["screens"][-1]["name"]

    def test_a_question_is_asked_before_an_action(self):
        for scripts in (True, False):
            self.tree = token(f"question_{scripts}")
            self.world.control("start", "paperwork", "--token", self.tree)
            self.world.scripts(scripts)
            try:
                self.show()
                if scripts:
                    self.check("paperwork")
                self.press("erase")
                self.expect("Erase everything on this machine?")
                self.assertEqual(self.focused().text, "Cancel")
                if scripts:
                    self.check("question")
                # Nothing was sent.
                self.assertEqual(self.name(), "desk")
                self.driver.refresh()
                self.expect("Erase everything on this machine?")
                self.focused().click()
                self.expect("What is on the desk?")
                self.press("erase")
                self.expect("Erase everything on this machine?")
                self.press("erase")
                self.expect("Thank you")
                self.expect_text(".body", "Everything is erased.")
                if scripts:
                    # Back skips the question, and returns to the screen that asked it.
                    self.driver.back()
                    self.expect("What is on the desk?")
                    self.assertEqual(self.name(), "desk")
            finally:
                self.world.scripts(True)

    def test_a_disabled_action_says_why_and_does_nothing(self):
        self.start("paperwork")
        button = self.one("button[aria-describedby=action-5-note]")
        self.expect_text("#action-5-note", "The stamp is at the repair shop.")
        button.click()
        self.driver.execute_script("arguments[0].focus()", button)
        self.assertEqual(self.focused(), button)
        button.send_keys(Keys.ENTER)
        self.assertEqual(self.title(), "What is on the desk?")
        self.assertEqual(self.name(), "desk")

    def test_the_preselected_row_has_the_focus(self):
        for scripts in (True, False):
            self.tree = token(f"zone_{scripts}")
            self.world.control("start", "paperwork", "--token", self.tree)
            self.world.scripts(scripts)
            try:
                self.show()
                self.press("zone")
                self.expect("Which time zone?")
                self.assertEqual([heading.text for heading in self.all("#items h2")], ["Europe", "Asia"])
                self.assertTrue(eventually(lambda: self.focused().get_attribute("value") == "Europe/Paris"))
                self.expect_text("#step", "Step 1 of 3")
                if scripts:
                    self.check("zone")
                self.one("button[value='Europe/Paris']").send_keys(Keys.ENTER)
                self.expect("Thank you")
                self.expect_text(".body", "Europe/Paris")
            finally:
                self.world.scripts(True)

    def test_what_was_chosen_before_has_the_focus_after_back(self):
        for scripts in (True, False):
            self.tree = token(f"again_{scripts}")
            self.world.control("start", "paperwork", "--token", self.tree)
            self.world.scripts(scripts)
            try:
                self.show()
                self.expect("What is on the desk?")
                self.assertEqual(self.all(".mark"), [])
                self.press("manual")
                self.expect("How it works")
                self.one("#back button").click()
                self.expect("What is on the desk?")
                self.assertTrue(eventually(lambda: self.focused().get_attribute("value") == "manual"))
                self.assertEqual([mark.text for mark in self.all(".mark")], ["Preselected"])
                if scripts:
                    self.check("suggested")
                self.assertEqual(self.name(), "desk")
                self.focused().send_keys(Keys.ENTER)
                self.expect("How it works")
            finally:
                self.world.scripts(True)

    def test_several_rows_are_checked(self):
        for scripts in (True, False):
            self.tree = token(f"packages_{scripts}")
            self.world.control("start", "paperwork", "--token", self.tree)
            self.world.scripts(scripts)
            try:
                self.show()
                self.press("packages")
                self.expect_text("#choosing", "Choose 1 to 2.")
                self.assertTrue(self.one("input[value=ed]").is_selected())
                self.assertFalse(self.one("input[value=cc]").is_enabled())
                self.one("input[value=vim]").click()
                self.one("input[value=gcc]").click()
                self.press("choose")
                self.expect_text("#errors", "Your choice")
                self.expect_text("#items-error", "Your choice")
                for value in ("ed", "vim", "gcc"):
                    self.assertTrue(self.one(f"input[value={value}]").is_selected())
                if scripts:
                    self.check("packages-errors")
                self.one("input[value=ed]").click()
                # A question about another button keeps the checked rows.
                self.press("none")
                self.expect("Install no packages?")
                self.focused().click()
                self.expect("Which packages?")
                self.assertFalse(self.one("input[value=ed]").is_selected())
                self.press("choose")
                self.expect("Thank you")
                self.expect_text(".body", "vim, gcc")
            finally:
                self.world.scripts(True)

    def test_what_is_checked_stays_checked_while_rows_come(self):
        self.start("paperwork")
        self.press("packages")
        self.one("input[value=vim]").click()
        self.one("input[value=ed]").click()
        self.send("scan")
        self.one("input[value=new-0]")
        self.assertTrue(self.one("input[value=vim]").is_selected())
        self.assertFalse(self.one("input[value=ed]").is_selected())
        self.assertFalse(self.one("input[value=new-0]").is_selected())
        self.press("choose")
        self.expect_text(".body", "vim")

    def test_live_rows_come_into_an_open_page(self):
        self.start("radio")
        self.one("button[value=net-0]")
        # The same page is updated: no other page is loaded, and no transition has happened.
        self.driver.execute_script("window.isTheSame = true")
        self.one("button[value=net-3]")
        self.assertTrue(self.driver.execute_script("return window.isTheSame"))
        self.one("button[value=net-2]").click()
        self.expect("Chosen: net-2")

    def fill(self, row, ip, port):
        self.one(f"#field-1-{row}-0").send_keys(ip)
        self.one(f"#field-1-{row}-1").send_keys(port)

    def test_entries_are_added_and_removed(self):
        self.start("paperwork")
        self.press("servers")
        self.check("servers")
        self.one("#field-0").send_keys("attic")
        self.one("#field-2").send_keys("correct horse")
        self.fill(0, "192.0.2.1", "80")
        self.one("#field-1-add").click()
        self.assertTrue(eventually(lambda: self.focused().get_attribute("id") == "field-1-1-0"))
        self.fill(1, "192.0.2.2", "81")
        self.one("#field-1-add").click()
        self.fill(2, "192.0.2.3", "x")
        self.expect_text("#field-1-group > .hint", "at most 3 entries")
        # With scripts, the page keeps a typed password.
        self.assertEqual(self.one("#field-2").get_attribute("value"), "correct horse")
        self.one("#field-1-row-0 .row-button").click()
        self.assertTrue(eventually(lambda: len(self.all(".entry")) == 2))
        self.assertEqual(self.one("#field-1-0-0").get_attribute("value"), "192.0.2.2")
        self.assertEqual(self.one("#field-1-1-1").get_attribute("value"), "x")
        self.assertEqual(self.name(), "servers")
        # The other renderers see the same rows.
        draft = lambda: self.world.shown(self.tree)["screens"][-1].get("draft", {}).get("servers", [])
        self.assertTrue(eventually(lambda: [entry["ip"] for entry in draft()] == ["192.0.2.2", "192.0.2.3"]), draft())
        # Enter opens the question without leaving the page.
        self.one("#field-0").send_keys(Keys.ENTER)
        self.assertTrue(eventually(lambda: self.one("details.ask").get_attribute("open")))
        self.assertEqual(self.focused().text, "Use them")
        self.check("servers-asking")
        self.focused().click()
        self.expect_text("#errors", "Servers, entry 2: Port")
        self.assertEqual(self.one("#field-1-1-1").get_attribute("aria-invalid"), "true")
        self.check("servers-errors")
        self.one("#field-1-1-1").clear()
        self.one("#field-1-1-1").send_keys("82")
        self.one("#field-2").send_keys("correct horse")
        self.use_servers()

    def use_servers(self):
        self.one("details.ask summary").click()
        self.press_question("use")
        self.expect("Check your answers")
        self.expect_text(".review", "192.0.2.3")

    def press_question(self, event):
        old = self.one("html")
        self.one(f"details.ask button[value={event}]").click()
        self.assertTrue(eventually(lambda: self.is_gone(old)))

    def test_entries_are_added_and_removed_without_scripts(self):
        self.start("paperwork")
        self.world.scripts(False)
        try:
            self.show()
            self.press("servers")
            self.one("#field-0").send_keys("attic")
            # Enter does not answer the question.
            self.one("#field-0").send_keys(Keys.ENTER)
            self.expect("Which servers?")
            self.fill(0, "192.0.2.1", "80")
            self.press("add/servers")
            self.fill(1, "192.0.2.2", "81")
            self.press("add/servers")
            self.fill(2, "192.0.2.3", "")
            self.press("0/servers")
            self.assertEqual(len(self.all(".entry")), 2)
            self.assertEqual(self.one("#field-0").get_attribute("value"), "attic")
            self.assertEqual(self.one("#field-1-1-0").get_attribute("value"), "192.0.2.3")
            self.expect_text("noscript .hint", "passwords on this page again")
            self.assertEqual(self.name(), "servers")
            self.one("#field-2").send_keys("correct horse")
            # The question opens and closes without a request, so the page keeps a typed password.
            summary = self.one("details.ask summary")
            summary.click()
            self.expect_text(".question", "Use these servers from now on?")
            summary.click()
            self.assertFalse(self.one(".question").is_displayed())
            self.assertEqual(self.one("#field-2").get_attribute("value"), "correct horse")
            self.use_servers()
        finally:
            self.world.scripts(True)

    def test_an_answer_under_review_is_changed(self):
        for scripts in (True, False):
            self.tree = token(f"review_{scripts}")
            self.world.control("start", "paperwork", "--token", self.tree)
            self.world.scripts(scripts)
            try:
                self.show()
                self.press("servers")
                self.one("#field-0").send_keys("attic")
                self.fill(0, "192.0.2.3", "80")
                self.one("#field-2").send_keys("correct horse")
                self.use_servers()
                if scripts:
                    self.check("review")
                change = self.all(".review button")
                self.assertEqual([button.get_attribute("textContent") for button in change[:2]], ["Change Name", "Change Servers"])
                old = self.one("html")
                change[0].click()
                self.assertTrue(eventually(lambda: self.is_gone(old)))
                self.expect("Which servers?")
                self.assertEqual(self.one("#field-0").get_attribute("value"), "attic")
                self.one("#field-2").send_keys("correct horse")
                self.use_servers()
                self.press("apply")
                self.expect("Apply this to the machine?")
                self.press("apply")
                self.expect_text(".body", "It is applied.")
            finally:
                self.world.scripts(True)

    def test_a_structured_text_and_pictures_are_drawn(self):
        self.start("paperwork")
        self.press("manual")
        self.assertEqual(self.one(".body strong").text, "ada")
        self.assertEqual(self.one(".body code").text, "make")
        self.assertEqual(len(self.all(".bullets li")), 2)
        self.assertEqual(self.one(".body a").get_attribute("rel"), "noopener noreferrer")
        self.assertEqual(self.driver.execute_script("return document.querySelector('#picture img').naturalWidth"), 96)
        self.check("manual")
        self.press("okay")
        self.press("code")
        self.assertGreater(self.one("#picture svg").size["width"], 150)
        self.check("code")


if __name__ == "__main__":
    main()
