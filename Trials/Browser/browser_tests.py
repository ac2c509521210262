"""The web renderer in a real browser: python3 browser_tests.py BINARIES WORK [TEST...]

BINARIES contains the built programs; WORK is a directory that contains axe.min.js, and receives the pictures.
"""

import sys
import time

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.keys import Keys

from pages import WalkTestCase, main
from world import World, eventually, token


class BrowserTests(WalkTestCase):
    # Walks

    def test_a_visit_is_scheduled_with_the_mouse(self):
        self.start("schedule-visit")
        self.press("sick")
        self.press("moderate")
        self.press("okay")
        self.expect("Done")
        self.expect_text("dl", "Moderately")

    def test_a_visit_is_scheduled_with_the_keyboard(self):
        self.start("schedule-visit")
        self.one("h1")
        for event, tabs in (("sick", None), ("severe", None), ("okay", None)):
            old = self.one("html")
            for _ in range(20):
                focused = self.driver.switch_to.active_element
                if focused.get_attribute("value") == event:
                    break
                focused.send_keys(Keys.TAB)
            self.driver.switch_to.active_element.send_keys(Keys.ENTER)
            eventually(lambda: self.is_gone(old))
        self.expect("Done")

    def test_a_visit_is_scheduled_without_scripts(self):
        self.start("schedule-visit")
        self.world.scripts(False)
        try:
            self.show()
            self.press("sick")
            self.one("#back button").click()
            self.press("well")
            self.press("okay")
            self.expect("Done")
        finally:
            self.world.scripts(True)

    def test_a_flow_is_started_from_the_list_with_its_input(self):
        # The list does not offer the flow, because it is a part of another one.
        self.driver.get(self.world.base + "new/kanji-detail")
        self.one("button.primary").click()
        self.expect_text("#errors", "not in the dictionary")
        self.assertTrue(self.driver.title.startswith("Error: "))
        self.assertEqual(self.driver.switch_to.active_element.get_attribute("id"), "errors")
        self.check("input")
        self.one("#errors a").click()
        self.assertEqual(self.driver.switch_to.active_element.get_attribute("id"), "field-0")
        self.driver.switch_to.active_element.send_keys("水", Keys.ENTER)
        self.expect("水")

    def test_log_in_shows_what_is_wrong_and_keeps_what_was_typed(self):
        self.start("account")
        self.press("submit")
        self.expect_text("#errors", "User name is required")
        self.expect_text("#errors", "Password is required")
        self.assertEqual(self.one("#field-1").get_attribute("aria-invalid"), "true")
        self.check("log-in-errors")
        self.one("#field-0").send_keys("demo")
        self.one("#field-1").send_keys("wrong")
        self.press("submit")
        self.expect_text("#errors", "wrong")
        self.assertEqual(self.one("#field-0").get_attribute("value"), "demo")
        self.assertEqual(self.one("#field-1").get_attribute("value"), "")
        self.one("#field-1").send_keys("open-sesame", Keys.ENTER)
        self.expect("Your account")

    # Live

    def test_an_answer_from_elsewhere_is_shown_at_once(self):
        self.start("schedule-visit")
        first = self.title()
        self.one("html")
        self.send("sick")
        self.assertTrue(eventually(lambda: self.title() != first))
        self.expect_text("#notice", "answered elsewhere")
        self.assertEqual(self.driver.switch_to.active_element.get_attribute("id"), "title")
        self.press_by_key("none")
        self.press("not-fake")
        self.send("okay")
        self.expect("Done")

    def test_an_update_leaves_alone_what_is_being_typed(self):
        self.start("gallery")
        self.press("fields")
        name = self.one("#field-0")
        name.send_keys("Ann")
        self.one("#field-4-1").click()
        name.click()
        name.send_keys(Keys.ARROW_LEFT)
        self.send("again")
        self.expect_text(".body", "Counted 1 times.")
        name.send_keys("i")
        self.assertEqual(self.one("#field-0").get_attribute("value"), "Anin")
        self.assertTrue(self.one("#field-4-1").is_selected())
        self.assertEqual(self.driver.switch_to.active_element.get_attribute("id"), "field-0")
        # An answer contains the revision that the user saw, so this answer is not stale.
        self.one("#field-2").clear()
        self.one("#field-2").send_keys("7")
        self.one("#field-11").send_keys("1234")
        self.press("send")
        self.expect("What do you want to see?")

    def test_what_was_typed_is_still_there_after_a_reload(self):
        self.start("gallery")
        self.press("fields")
        self.one("#field-0").send_keys("Anna")
        self.one("#field-11").send_keys("1234")
        self.assertTrue(eventually(self.is_typed_text_kept))
        self.driver.refresh()
        self.assertEqual(self.one("#field-0").get_attribute("value"), "Anna")
        self.assertEqual(self.one("#field-11").get_attribute("value"), "")

    def is_typed_text_kept(self):
        return self.driver.execute_async_script(
            "const done = arguments[0]; fetch(location.href).then((r) => r.text()).then((t) => done(t.includes('value=\"Anna\"')))")

    def test_what_is_typed_in_one_browser_is_there_in_another(self):
        self.start("gallery")
        self.press("fields")
        first = self.driver.current_window_handle
        path = self.driver.current_url
        self.one("#field-2").send_keys("0")
        self.driver.switch_to.new_window("tab")
        second = self.driver.current_window_handle
        self.driver.get(path)
        self.one("#field-0").send_keys("Anna")
        self.driver.switch_to.window(first)
        self.assertTrue(eventually(lambda: self.one("#field-0").get_attribute("value") == "Anna"))
        # The text that is typed here stays.
        self.assertEqual(self.one("#field-2").get_attribute("value"), "420")
        self.driver.switch_to.window(second)
        self.driver.close()
        self.driver.switch_to.window(first)

    def test_a_filter_stands_when_the_list_is_updated(self):
        self.start("network")
        text = self.one("#filter-text")
        text.send_keys("office")
        shown = lambda: [row.text.split("\n")[0] for row in self.all("#items li")]
        self.assertTrue(eventually(lambda: shown() == ["Office"]), shown())
        for number in range(1, 4):
            self.send("scan")
            self.expect(f"{number} scans")
            self.assertEqual(shown(), ["Office"])
        self.assertEqual(text.get_attribute("value"), "office")
        # Enter chooses from the filtered rows, not the first row of the page.
        text.send_keys(Keys.ENTER)
        self.expect("Join office")
        self.one("#back button").click()
        # Back returns to the list as it was left.
        self.assertTrue(eventually(lambda: self.all("#filter-text")))
        text = self.one("#filter-text")
        self.assertEqual(text.get_attribute("value"), "office")
        self.assertEqual(shown(), ["Office"])
        text.clear()
        text.send_keys("network", Keys.ENTER)
        self.assertTrue(eventually(lambda: self.focused().text.startswith("Network 3.0")), self.focused().text)
        self.expect("3 scans")

    def test_a_list_that_is_updated_all_the_time_can_be_answered(self):
        self.start("network")
        for scripts in (False, True):
            self.world.scripts(scripts)
            try:
                self.show()
                for _ in range(3):
                    self.send("scan")
                self.one("button[value='office']").click()
                self.expect("Join office")
                self.one("#back button").click()
                self.expect(f"{6 if scripts else 3} scans")
            finally:
                self.world.scripts(True)

    def test_what_was_sent_can_be_read_while_it_is_checked(self):
        self.start("network")
        self.press("office")
        self.one("#field-0").send_keys("Anna")
        self.one("#field-1").send_keys("open-sesame")
        self.one("#field-2-search").send_keys("City 3", Keys.ENTER)
        self.one("#field-3").click()
        self.press("join")
        self.one("#progress")
        self.assertEqual(self.one("#field-0").get_attribute("value"), "Anna")
        self.assertTrue(self.one("#field-0").get_attribute("readonly"))
        self.assertEqual(self.one("#field-1").get_attribute("value"), "")
        self.assertEqual(set(self.one("#field-1").get_attribute("placeholder")), {"•"})
        self.assertEqual(self.one("#field-2").get_attribute("value"), "city-3")
        self.assertTrue(self.one("#field-3").is_selected())
        self.check("busy")
        self.send("stop")
        self.assertTrue(eventually(lambda: self.all("button[value=join]")))
        self.assertEqual(self.one("#field-0").get_attribute("readonly"), None)

    def test_progress_moves(self):
        self.start("gallery")
        self.press("progress")
        bar = self.one("#progress-bar")
        self.assertTrue(eventually(lambda: float(bar.get_attribute("value") or 0) > 0.2))
        self.expect("All is set")
        # No user has answered: the work has ended.
        self.assertEqual(self.all("#notice"), [])

    def test_the_title_has_the_progress_once_in_every_language(self):
        for language, sign in (("en", "%"), ("de", " %"), ("ar", "٪"), ("ja", "%")):
            self.tree = token(f"progress_{language}")
            self.world.control("start", "gallery", "--token", self.tree, language=language)
            self.show()
            self.press("progress")
            title = eventually(lambda: next((text for text in [self.driver.title] if not text.startswith("0")), ""))
            self.assertRegex(title, rf"^\d+{sign} – [^%٪]*$")
            self.world.control("dismiss", self.tree)

    def test_the_page_goes_on_after_the_daemon_was_killed(self):
        self.start("schedule-visit")
        self.assertFalse(self.one("#away").is_displayed())
        self.world.daemon.kill()
        self.world.daemon.wait()
        self.assertTrue(eventually(lambda: self.one("#away").is_displayed()))
        self.world.start_daemon()
        self.assertTrue(eventually(lambda: not self.one("#away").is_displayed()))
        self.press("well")
        self.press("okay")
        self.expect("Done")

    def kill_daemon(self):
        """Kills the daemon. The following tests have a daemon again in any case."""
        self.addCleanup(lambda: self.world.daemon.poll() is None or self.world.start_daemon())
        self.world.daemon.kill()
        self.world.daemon.wait()

    def forget_errors(self):
        """Ignores failed pages while the daemon is away, which are errors in the browser's log."""
        self.driver.get_log("browser")

    def test_an_answer_to_a_daemon_that_is_away_is_kept_and_the_page_goes_on(self):
        for scripts in (True, False):
            self.tree = token(f"away_{scripts}")
            self.world.control("start", "gallery", "--token", self.tree)
            self.send("fields")
            self.world.scripts(scripts)
            try:
                self.show()
                self.one("#field-0").send_keys("Anna")
                self.one("#field-4").click()
                self.one("#field-11").send_keys("1234")
                self.kill_daemon()
                self.press("send")
                self.expect_text("#notice", "no connection when you sent this")
                self.assertTrue(self.one("#away").is_displayed())
                self.assertEqual(self.one("#field-0").get_attribute("value"), "Anna")
                self.assertFalse(self.one("button[value=send]").is_enabled())
                if scripts:
                    self.check("away")
                self.world.start_daemon()
                self.assertTrue(eventually(lambda: self.one("button[value=send]").is_enabled()))
                self.assertTrue(eventually(lambda: not self.one("#away").is_displayed()))
                self.expect_text("#notice", "Please send it again")
                self.assertEqual(self.one("#field-0").get_attribute("value"), "Anna")
                self.one("#field-11").send_keys("1234")
                self.press("send")
                self.expect("What do you want to see?")
            finally:
                self.world.scripts(True)
                self.forget_errors()

    def test_a_page_that_cannot_be_made_without_the_daemon_appears_when_it_is_back(self):
        for scripts in (True, False):
            self.world.scripts(scripts)
            try:
                self.kill_daemon()
                self.driver.get(self.world.base)
                self.expect("There is no connection at the moment")
                if scripts:
                    self.check("not-running")
                self.world.start_daemon()
                self.expect("Flows")
            finally:
                self.world.scripts(True)
                self.forget_errors()

    def test_back_while_the_daemon_is_away_says_so(self):
        self.start("schedule-visit")
        first = self.title()
        self.press("sick")
        self.kill_daemon()
        self.one("#back button").click()
        self.assertTrue(eventually(lambda: self.one("#away").is_displayed()))
        self.world.start_daemon()
        self.assertTrue(eventually(lambda: not self.one("#away").is_displayed()))
        self.one("#back button").click()
        self.expect(first)
        self.forget_errors()

    # The end

    def test_the_way_out_of_the_first_screen_asks_before_it_ends_the_flow(self):
        for scripts in (True, False):
            self.tree = token(f"ending_{scripts}")
            self.world.control("start", "account", "--token", self.tree)
            self.world.scripts(scripts)
            try:
                self.show()
                self.assertNotIn("Back", self.one("main").text)
                self.one("#leave a").click()
                self.expect("End this flow for everyone who has it open?")
                focused = self.driver.switch_to.active_element
                self.assertEqual(focused.text, "Keep it")
                if scripts:
                    self.check("ending")
                focused.click()
                self.expect("Log in")
                self.one("#leave a").click()
                self.one("#ending button").click()
                self.expect("Cancelled")
            finally:
                self.world.scripts(True)

    def test_a_server_for_one_flow_starts_it_again(self):
        web = self.world.start(self.world.binaries / "coordinator-web", "schedule-visit", "--token", "kiosk")
        for scripts in (True, False):
            self.world.scripts(scripts)
            try:
                self.driver.get(web.stdout.readline().strip())
                self.expect("What is the visit for?")
                self.press("well")
                self.press("okay")
                self.expect("Done")
                self.assertEqual(self.all("main a"), [])
                if scripts:
                    self.check("again")
                self.one("#again button").click()
                self.expect("What is the visit for?")
            finally:
                self.world.scripts(True)
        web.terminate()

    # Back

    def test_back_of_the_browser_is_back_of_the_flow(self):
        self.start("schedule-visit")
        titles = [self.title()]
        for event in ("sick", "little"):
            self.press(event)
            titles.append(self.title())
        self.driver.back()
        self.expect(titles[1])
        self.assertTrue(eventually(lambda: self.world.shown(self.tree)["screens"][-1]["name"] == "select-pain-level"))
        self.driver.back()
        self.expect(titles[0])
        self.assertTrue(eventually(lambda: self.world.shown(self.tree)["screens"][-1]["name"] == "select-visit-type"))
        # Forward leads to a screen that no longer exists, and changes nothing.
        self.driver.forward()
        self.expect(titles[0])
        self.press("well")
        self.press("okay")
        self.expect("Done")

    def test_back_of_the_page_takes_the_browser_along(self):
        self.start("schedule-visit")
        first = self.title()
        self.press("sick")
        self.one("#back button").click()
        self.expect(first)
        self.driver.back()
        self.expect("Flows")
        self.assertEqual(self.world.shown(self.tree)["screens"][-1]["name"], "select-visit-type")

    def test_back_to_the_flow_from_another_page_undoes_nothing(self):
        self.start("schedule-visit")
        self.driver.get(self.world.base)
        self.send("sick")
        self.driver.back()
        self.expect("You are on an earlier page")
        self.assertEqual(self.world.shown(self.tree)["screens"][-1]["name"], "select-pain-level")
        self.check("earlier")
        self.one("#return a.button").click()
        self.assertTrue(eventually(lambda: self.all("button[value=moderate]")))
        self.show(1)
        self.one("#return button").click()
        self.one("button[value=sick]")

    def test_back_without_scripts_shows_that_a_page_is_an_earlier_one(self):
        self.start("schedule-visit")
        self.world.scripts(False)
        try:
            self.show()
            self.press("sick")
            self.press("little")
            self.driver.back()
            self.expect("You are on an earlier page")
            self.driver.back()
            self.expect("You are on an earlier page")
            self.assertEqual(self.world.shown(self.tree)["screens"][-1]["name"], "faking-it")
            self.one("#return button").click()
            self.expect("What is the visit for?")
        finally:
            self.world.scripts(True)

    def test_back_leaves_a_modal_layer(self):
        self.start("pets")
        home = self.title()
        self.press("schedule-visit")
        self.one("[role=dialog]")
        self.driver.back()
        self.expect(home)
        self.assertTrue(eventually(lambda: len(self.world.shown(self.tree)["screens"]) == 1))

    # The trial that every renderer must pass

    def fill(self, values):
        for field, text in values.items():
            control = self.one(f"#field-{field}")
            control.clear()
            control.send_keys(text)

    def reach(self, step):
        self.assertTrue(eventually(lambda: step in self.title()), f"{self.title()!r} is not {step!r}")

    def refuse(self, step, reason):
        """Presses the disabled button on the screen of a step: the page shows the reason, and nothing happens."""
        self.reach(step)
        self.expect_text(".reason", reason)
        self.one("button[aria-disabled=true]").click()
        self.reach(step)

    def test_the_trial_of_renderers_is_passed(self):
        trial = self.world.start(self.world.binaries / "renderer-trial", "--pace", "3")
        trial.stdout.readline()
        bus = trial.stdout.readline().split("'")[1]
        web = self.world.start(self.world.binaries / "coordinator-web", "trial", bus=bus)
        self.driver.get(web.stdout.readline().strip())
        self.press("begin")
        self.press("third")
        self.press("two")
        self.one("#filter-text").send_keys("1234")
        self.press("n1234")
        self.press("nothing")
        self.reach("every kind of field")
        self.fill({0: "Zoë 水野", 1: "zoe@example.org", 2: "42", 3: "1.75"})
        for choice in ("field-5", "field-6-1", "field-7", "field-7-2"):
            self.one("#" + choice).click()
        self.press("send")
        self.fill({0: "12", 1: "tea"})
        self.press("send")
        self.expect_text("#errors", "Number")
        self.fill({0: "1234"})
        self.press("send")
        self.reach("typed elsewhere")
        self.assertTrue(eventually(lambda: self.one("#field-0").get_attribute("value") == "from elsewhere"))
        self.press("send")
        self.reach("while the user types")
        self.one("#field-0").send_keys("mine")
        self.expect_text(".body", "NOW:")
        self.assertEqual(self.one("#field-1").get_attribute("value"), "new")
        self.press("send")
        self.fill({0: "swordfish"})
        self.press("send")
        self.expect_text(".warning", "Mind the step")
        self.press("step")
        self.reach("progress")
        self.reach("another renderer answers")
        self.reach("the notice of who answered")
        self.expect_text("#notice", "answered elsewhere")
        self.press_by_key("told")
        self.reach("a modal layer")
        self.one("[role=dialog]")
        self.driver.back()
        self.reach("without a way back")
        self.assertEqual(self.all("#back"), [])
        self.press("none")
        self.reach("a choice that is suggested")
        self.assertTrue(eventually(lambda: self.focused().get_attribute("value") == "coffee"))
        self.press("coffee")
        self.reach("a menu whose default is not its first choice")
        self.press("copy")
        self.reach("several can be chosen")
        for drink in ("coffee", "tea", "water"):
            self.one(f"input[value={drink}]").click()
        self.press("choose")
        self.reach("chosen at first")
        self.assertTrue(eventually(lambda: self.focused().get_attribute("value") == "water"))
        old = self.one("html")
        self.focused().send_keys(Keys.ENTER)
        self.assertTrue(eventually(lambda: self.is_gone(old)))
        self.refuse("an item that cannot be chosen", "Not available: It is frozen.")
        self.press("frozen")
        self.refuse("an action that cannot be chosen", "Not available: The basket is empty.")
        self.press("empty")
        self.press("erase")
        self.expect("Really erase? Answer no.")
        self.one("#confirmation a").click()
        self.reach("asks first")
        self.press("keep")
        self.reach("reviewed afterwards")
        self.fill({0: "tea"})
        self.press("send")
        self.reach("under review")
        self.expect_text(".review", "tea")
        old = self.one("html")
        self.one(".review button").click()
        self.assertTrue(eventually(lambda: self.is_gone(old)))
        self.reach("reviewed afterwards")
        self.fill({0: "water"})
        self.press("send")
        self.reach("under review")
        self.expect_text(".review", "water")
        self.press("done")
        self.assertIn("killed", trial.stdout.readline())
        self.assertIn("back", trial.stdout.readline())
        self.assertTrue(eventually(lambda: not self.one("#away").is_displayed()))
        self.press("back")
        self.press("end")
        self.expect("Done")
        report = trial.communicate(timeout=20)[0]
        self.assertEqual(trial.returncode, 0, report)
        self.assertNotIn("\nskip ", report)
        web.terminate()

    # Looks

    def test_every_kind_of_screen_is_for_everybody(self):
        self.check("home")
        self.start("gallery")
        self.check("menu")
        for event in ("fields", "list", "hostile", "waiting", "message", "confirm"):
            self.press(event)
            self.check(event)
            self.one("#back button").click()
            self.expect("What do you want to see?")
        self.send("leave")
        self.expect("Cancelled")
        self.check("cancelled")

    def test_a_field_is_shown_while_its_condition_holds(self):
        self.start("station")
        self.check("station")
        passphrase, button = self.one("#field-2"), self.one("#field-2-reveal")
        self.assertFalse(passphrase.is_displayed())
        self.one("input[value=wpa]").click()
        self.assertTrue(eventually(passphrase.is_displayed))
        passphrase.send_keys("correct horse")
        button.click()
        self.assertEqual(passphrase.get_attribute("type"), "text")
        self.assertEqual(button.get_attribute("aria-pressed"), "true")
        self.check("station-revealed")
        # A revealed secret is still not stored.
        time.sleep(1)
        self.assertNotIn("correct horse", str(self.world.shown(self.tree)))
        self.one("input[value=open]").click()
        self.assertTrue(eventually(lambda: not passphrase.is_displayed()))
        self.one("#field-0").send_keys("Attic 2")
        self.one("#field-5-0-0").send_keys("192.0.2.1")
        self.one("#field-5-0-1").send_keys("80")
        self.one("#field-5-add").click()
        self.one("#field-5-1-1").send_keys("81")
        self.press("join")
        self.expect_text("#errors", "Use small letters, digits and hyphens.")
        self.expect_text("#errors", "Servers, entry 2: IP address is required")
        self.assertFalse(self.one("#field-2").is_displayed())
        self.check("station-errors")
        self.one("#field-0").clear()
        self.one("#field-0").send_keys("attic-2")
        self.one("#field-5-1-0").send_keys("::1")
        self.press("join")
        self.expect("The station is on the network")
        self.expect_text("#countdown", "Continues by itself in 59 min")
        before = self.one("#countdown").text
        self.assertTrue(eventually(lambda: self.one("#countdown").text != before))
        self.check("station-countdown")

    def test_every_field_is_there_without_scripts(self):
        self.start("station")
        self.world.scripts(False)
        try:
            self.show()
            self.expect_text("#field-2-condition", "Only if Security is WPA.")
            self.assertTrue(self.one("#field-2").is_displayed())
            self.assertFalse(self.one("#field-2-reveal").is_displayed())
            self.one("#field-0").send_keys("attic-2")
            self.one("input[value=open]").click()
            self.press("join")
            self.expect("The station is on the network")
            self.expect_text("#countdown", "Continues by itself in ")
        finally:
            self.world.scripts(True)

    def test_pages_of_the_flows_that_ship_are_for_everybody(self):
        self.start("pets")
        self.check("pets")
        self.press("schedule-visit")
        self.press("sick")
        self.check("pain-level")
        self.press("moderate")
        self.press("okay")
        self.check("pets-scheduled")

    def test_pages_read_from_right_to_left_are_mirrored_as_a_whole(self):
        self.start("arabic")
        self.check("right-to-left-menu")
        side = lambda selector, name: self.driver.execute_script(
            "return document.querySelector(arguments[0]).getBoundingClientRect()[arguments[1]]", selector, name)
        self.press("form")
        self.check("right-to-left-form")
        middle = side(".card", "left") + side(".card", "width") / 2
        # In a right-to-left language, the beginning of a line is on the right: labels, titles and the Back button.
        for selector in ("#back button", "#field-1-group label span", "#field-0-hint", "button[value=send]"):
            self.assertGreater(side(selector, "right"), middle, selector)
        words = "const range = document.createRange(); range.selectNodeContents(document.querySelector(arguments[0]));" \
            "return range.getBoundingClientRect().left"
        for selector in ("#title", "#field-0-hint", "#field-0-group label", "#field-1-group label", "#field-2-group legend"):
            self.assertGreater(self.driver.execute_script(words, selector), middle, selector)
        # The page that replaces it has its own direction.
        self.send("never")
        self.expect("ماذا تريد أن تفعل؟")
        self.assertEqual(self.one("html").get_attribute("dir"), "rtl")

    def test_a_page_follows_the_language_of_its_flow(self):
        self.start("tongues")
        page = self.one("html")
        self.assertEqual(page.get_attribute("lang"), "en")
        self.send("de")
        self.assertTrue(eventually(lambda: page.get_attribute("lang") == "de"))
        self.check("tongues")
        # Uses the button on the page.
        self.press("en")
        self.assertTrue(eventually(lambda: self.one("html").get_attribute("lang") == "en"))

    def test_a_long_list_can_be_filtered(self):
        self.start("gallery")
        self.press("list")
        self.one("#filter-text").send_keys("row 199")
        shown = lambda: [row.text.split("\n")[0] for row in self.all("#items li")]
        self.assertTrue(eventually(lambda: shown() == ["Row 199"]), shown())
        self.one("#items button").click()
        self.expect("What do you want to see?")

    def test_nothing_runs_where_nothing_happens(self):
        self.start("schedule-visit")
        # A separate server: the others release their trees a minute after they were shown.
        web = self.world.start(self.world.binaries / "coordinator-web", self.tree)
        self.driver.get(web.stdout.readline().strip())
        self.one("#choices")

        def is_quiet():
            before = self.world.ticks(web)
            time.sleep(3)
            return self.world.ticks(web) == before

        # On a busy machine, work that the page has started may take a while.
        self.assertTrue(any(is_quiet() for _ in range(4)))
        web.terminate()
        self.assertEqual(web.wait(5), 0)


class HostileWorld(World):
    """A world in which the flows misbehave."""

    def start_daemon(self):
        self.daemon = self.start(self.binaries / "HostileDaemon", "--log-level", "error")
        assert eventually(lambda: self.control("flows", check=False).returncode == 0), "the daemon does not answer"


class RefusedBackTests(WalkTestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = HostileWorld(*cls.arguments)

    def test_a_flow_that_does_not_go_back_says_why_and_stays(self):
        self.tree = "refused_back"
        self.world.control("start", "thrower", "at=went-back", "what=refusal", "--token", self.tree)
        self.show()
        self.press("go")
        here = self.driver.current_url
        self.one("#back button").click()
        self.expect_text("#errors", "refused on purpose")
        self.assertEqual(self.driver.current_url, here)
        # The browser's own button has the same effect.
        self.driver.back()
        self.expect_text("#errors", "refused on purpose")
        self.expect("Thrower")
        self.press("count")
        self.assertTrue(eventually(lambda: not self.all("#errors")))


if __name__ == "__main__":
    main()
