"""Long lists, forms and the keyboard, in a real browser: python3 lists_tests.py BINARIES WORK [TEST...]"""

from selenium.webdriver.common.keys import Keys

from pages import WalkTestCase, main
from world import eventually, token


class ListsTests(WalkTestCase):
    def rows(self):
        """The titles of the shown rows."""
        return self.driver.execute_script(
            "return [...document.querySelectorAll('#items .choice-title')].map((title) => title.textContent)")

    def expect_rows(self, *titles):
        self.assertTrue(eventually(lambda: self.rows() == list(titles)), self.rows())

    def open(self, event, name=None, scripts=True):
        """Starts a library, and opens one of its lists."""
        self.tree = token(name or self.id().rsplit(".", 1)[1])
        self.world.control("start", "library", "--token", self.tree)
        self.send(event)
        self.world.scripts(scripts)
        self.show()

    def both(self, event):
        """Opens the list with and then without scripts."""
        for scripts in (True, False):
            try:
                self.open(event, f"{self.id().rsplit('.', 1)[1]}_{scripts}", scripts)
                yield scripts
            finally:
                self.world.scripts(True)

    def find(self, text, scripts=True):
        field = self.one("#filter-text")
        field.clear()
        field.send_keys(text)
        if not scripts:
            old = self.one("html")
            field.send_keys(Keys.ENTER)
            self.assertTrue(eventually(lambda: self.is_gone(old)))

    def expect_search(self, end):
        """Waits until the rows are those of a search for a text with this end."""
        self.assertTrue(eventually(lambda: self.one("#view").get_attribute("value").endswith(end)))

    def size(self):
        """The size of the page as sent, in bytes."""
        return self.driver.execute_async_script(
            "const done = arguments[0]; fetch(location.href).then((r) => r.blob()).then((b) => done(b.size))")

    # Search and pages

    def test_a_list_of_9000_rows_is_searched_on_the_server(self):
        for scripts in self.both("books"):
            self.expect("Which book?")
            self.assertEqual(len(self.rows()), 100)
            self.expect_text("#filter-count", "9000 entries")
            if scripts:
                self.assertLess(self.size(), 100_000)
                self.check("library")
            self.find("clocks 8993", scripts)
            self.expect_rows("Clocks, volume 8993")
            self.expect_text("#filter-count", "1 of 9000")
            self.assertEqual([mark.text for mark in self.all("#items mark")], ["Clocks", "8993"])
            if scripts:
                self.check("library-found")
            self.driver.refresh()
            self.expect_rows("Clocks, volume 8993")
            self.assertEqual(self.one("#filter-text").get_attribute("value"), "clocks 8993")
            self.find("no such book", scripts)
            self.expect_text("#filter-count", "Nothing matches “no such book”.")
            if scripts:
                self.check("library-nothing")
            self.one("#filter-clear").click()
            self.assertTrue(eventually(lambda: len(self.rows()) == 100))
            self.assertEqual(self.one("#filter-text").get_attribute("value"), "")

    def test_a_search_stands_while_the_list_is_updated(self):
        self.open("books")
        self.find("ferns 444")
        self.assertTrue(eventually(lambda: len(self.rows()) < 100))
        before = self.rows()
        self.assertTrue(all(row.startswith("Ferns") for row in before), before)
        for number in range(1, 4):
            self.send("arrive")
            self.expect_text("#filter-count", f"{len(before)} of {9000 + number}")
            self.assertEqual(self.rows(), before)
            self.assertEqual(self.focused().get_attribute("id"), "filter-text")
        self.one("#filter-text").send_keys("4")
        self.expect_rows("Ferns, volume 4444")
        self.driver.refresh()
        self.expect_rows("Ferns, volume 4444")

    def test_rows_that_will_not_be_found_go_before_the_server_answers(self):
        self.open("books")
        self.find("ferns 444")
        self.expect_search("444")
        before = self.rows()
        seen = "return [...document.querySelectorAll('#items li:not([hidden]) .choice-title')].map((title) => title.textContent)"
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*"]})
        try:
            self.one("#filter-text").send_keys("4")
            self.assertTrue(eventually(lambda: self.driver.execute_script(seen) == ["Ferns, volume 4444"]))
            self.one("#filter-text").send_keys(Keys.BACKSPACE)
            self.assertTrue(eventually(lambda: self.driver.execute_script(seen) == before))
            self.one("#filter-text").send_keys("4")
            self.assertTrue(eventually(lambda: self.driver.execute_script(seen) == ["Ferns, volume 4444"]))
            # Rows that the field no longer filters out are visible.
            self.one("#filter-text").send_keys(Keys.ESCAPE)
            self.assertTrue(eventually(lambda: self.driver.execute_script(seen) == before))
            self.one("#filter-text").send_keys("ferns 444")
        finally:
            self.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
        self.one("#filter-text").send_keys("4")
        self.expect_rows("Ferns, volume 4444")

    def test_pages_of_a_list_are_turned(self):
        for scripts in self.both("books"):
            self.one("#page-after").click()
            self.assertTrue(eventually(lambda: self.rows()[:1] == ["Birds, volume 100"]), self.rows()[:2])
            self.assertIn("page=2", self.driver.current_url)
            if scripts:
                self.assertEqual(self.focused().get_attribute("value"), "book-100")
                self.check("library-page")
            # An update keeps the page of the list.
            self.send("arrive")
            if not scripts:
                self.driver.refresh()
            self.assertTrue(eventually(lambda: self.rows()[:1] == ["Zoology, volume 99"]), self.rows()[:2])
            self.one("#page-before").click()
            self.assertTrue(eventually(lambda: self.rows()[:1] == ["Newly arrived 0"]), self.rows()[:2])
            self.one("button[value=book-7]").click()
            self.expect_text(".body", "book-7")

    def test_enter_chooses_what_is_left(self):
        self.open("books")
        # The server's answer has not arrived when Enter is pressed.
        self.one("#filter-text").send_keys("tides 4447", Keys.ENTER)
        self.expect_text(".body", "book-4447")

    def test_a_list_in_groups_begins_where_something_is_chosen(self):
        for scripts in self.both("shelves"):
            self.assertTrue(eventually(lambda: self.focused().get_attribute("value") == "Rivers-12"))
            self.expect_text("#pages", "Page 2 of 3")
            self.find("30", scripts)
            self.assertTrue(eventually(lambda: len(self.rows()) == 10), self.rows())
            self.assertEqual([heading.text for heading in self.all("#items h2")][:2], ["Birds", "Bridges"])
            if scripts:
                self.check("library-groups")

    # Several

    def test_what_is_checked_stays_checked_on_all_pages(self):
        for scripts in self.both("loans"):
            # The list begins at the page with a chosen row.
            self.expect_text("#pages", "Page 2 of 90")
            self.assertTrue(self.one("#items input[value=book-150]").is_selected())
            self.one("#items input[value=book-151]").click()
            if scripts:
                self.expect_text("#filter-count", "2 chosen")
            self.find("violins 8988", scripts)
            self.expect_rows("Violins, volume 8988")
            self.expect_text("#filter-count", "1 of 9000 · 2 chosen")
            self.one("#items input[value=book-8988]").click()
            self.one("#filter-chosen").click()
            # The search continues among the chosen rows.
            self.expect_rows("Violins, volume 8988")
            self.one("#filter-clear").click()
            self.expect_rows("Birds, volume 150", "Bridges, volume 151", "Violins, volume 8988")
            self.expect_text("#filter-count", "3 chosen")
            if scripts:
                self.check("library-chosen")
            self.one("#items input[value=book-150]").click()
            self.one("#filter-chosen").click()
            self.assertTrue(eventually(lambda: len(self.rows()) == 100))
            self.expect_text("#filter-count", "9000 entries · 2 chosen")
            # Neither an update by another client nor a reload loses the choice.
            self.send("arrive")
            self.driver.refresh()
            self.expect_text("#filter-count", "9001 entries · 2 chosen")
            self.press("choose")
            self.expect_text(".body", "book-151, book-8988")

    def test_what_is_checked_while_the_server_answers_stays_checked(self):
        """Also if the answer, or an update of the list in the meantime, does not contain that row."""
        for updates in (False, True):
            self.open("loans", f"checked_{updates}")
            first = self.one("#items input").get_attribute("value")
            # Answers to searches are held back until the test releases them; other answers are not.
            self.driver.execute_script("""
                const real = fetch;
                const gate = new Promise((open) => { window.letIn = open; });
                window.fetch = async (...call) => {
                  const response = await real(...call);
                  if (call[1]?.body?.get?.("look")) await gate;
                  return response;
                };""")
            self.find("violins 8988")
            self.one(f"#items input[value={first}]").click()
            if updates:
                self.send("arrive")
                # Without the delay, the update would be in the page by now.
                self.driver.execute_async_script("const done = arguments[0]; setTimeout(done, 500)")
            self.driver.execute_script("letIn()")
            self.expect_rows("Violins, volume 8988")
            self.expect_text("#filter-count", "2 chosen")
            self.one("#filter-clear").click()
            self.assertTrue(eventually(lambda: len(self.rows()) == 100))
            self.assertTrue(self.one(f"#items input[value={first}]").is_selected())

    def test_a_refused_choice_is_shown_where_it_was_made(self):
        for scripts in self.both("loans"):
            self.one("#items input[value=book-150]").click()
            self.find("maps 15", scripts)
            self.expect_search("15")
            self.one("#items input[value=book-15]").click()
            self.press("choose")
            self.expect_text("#errors", "Your choice")
            self.assertEqual(self.one("#filter-text").get_attribute("value"), "maps 15")
            self.assertTrue(self.one("#items input[value=book-15]").is_selected())
            if scripts:
                self.check("library-refused")
            self.one("#items input[value=book-1515]").click()
            self.press("choose")
            self.expect_text(".body", "book-15, book-1515")


    # The keyboard

    def key(self, *keys):
        self.focused().send_keys(*keys)

    def value(self):
        """The value of the focused element."""
        return self.focused().get_attribute("value")

    def expect_focus(self, value):
        self.assertTrue(eventually(lambda: self.value() == value), self.focused().get_attribute("outerHTML"))

    def test_digits_choose_and_escape_goes_back(self):
        self.tree = token("digits")
        self.world.control("start", "schedule-visit", "--token", self.tree)
        self.show()
        first = self.title()
        self.key("2")
        self.assertTrue(eventually(lambda: self.title() != first))
        second = self.title()
        self.key(Keys.ESCAPE)
        self.expect(first)
        # Arrows and Tab move through the choices, and Enter chooses.
        self.key(Keys.TAB)
        while self.value() != "well":
            self.key(Keys.TAB)
        self.key(Keys.ARROW_DOWN)
        self.expect_focus("sick")
        self.key(Keys.ENTER)
        self.expect(second)
        self.key(Keys.ESCAPE)
        self.expect(first)
        # On the first screen, Esc opens the question whether to end the flow, and closes it again.
        self.key(Keys.ESCAPE)
        self.expect("End this flow for everyone who has it open?")
        self.key(Keys.ESCAPE)
        self.expect(first)

    def test_digits_are_text_in_a_field(self):
        self.start("gallery")
        self.key("1")
        self.expect("Tell us about yourself")
        # An answer led to this page, so the focus is in the first field.
        self.assertTrue(eventually(lambda: self.focused().get_attribute("id") == "field-0"))
        self.key("1", "?", "/")
        self.assertEqual(self.one("#field-0").get_attribute("value"), "1?/")
        self.assertFalse(self.one("#keys").get_attribute("open"))
        # Esc first leaves the text field.
        self.key(Keys.ESCAPE)
        self.assertEqual(self.focused().get_attribute("id"), "title")
        self.key(Keys.ESCAPE)
        self.expect("What do you want to see?")

    def test_a_list_is_walked_with_the_keyboard_alone(self):
        self.open("books")
        self.one("#items")
        self.key("/")
        self.assertTrue(eventually(lambda: self.focused().get_attribute("id") == "filter-text"))
        self.key(Keys.ARROW_DOWN)
        self.expect_focus("book-0")
        self.key(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        self.expect_focus("book-2")
        self.key(Keys.END)
        self.expect_focus("book-99")
        # At the first and the last row, the arrows turn the page.
        self.key(Keys.ARROW_DOWN)
        self.expect_focus("book-100")
        self.key(Keys.ARROW_UP)
        self.expect_focus("book-99")
        self.key(Keys.PAGE_UP)
        self.assertLess(int(self.value().removeprefix("book-")), 97)
        self.key(Keys.HOME)
        self.expect_focus("book-0")
        # Tab leaves the list, and returns to the same row.
        self.key(Keys.ARROW_DOWN, Keys.TAB)
        self.assertEqual(self.focused().get_attribute("id"), "page-after")
        self.key(Keys.SHIFT + Keys.TAB)
        self.expect_focus("book-1")
        # An update does not change the focus or the choice.
        self.send("arrive")
        self.expect_text("#filter-count", "9001 entries")
        self.expect_focus("book-1")
        # Typing in the list searches it.
        self.key("t")
        self.assertEqual(self.focused().get_attribute("id"), "filter-text")
        self.key("ides 4447")
        self.expect_rows("Tides, volume 4447")
        self.key(Keys.ESCAPE)
        self.assertTrue(eventually(lambda: len(self.rows()) == 100))
        self.assertEqual(self.focused().get_attribute("value"), "")
        self.key("maps 8985", Keys.ENTER)
        self.expect_text(".body", "book-8985")

    def test_boxes_are_checked_with_the_keyboard_alone(self):
        self.open("loans")
        self.expect_focus("book-150")
        self.key(Keys.ARROW_DOWN, Keys.SPACE)
        self.expect_text("#filter-count", "2 chosen")
        self.expect_focus("book-151")
        # Enter sends the choice.
        self.key(Keys.ENTER)
        self.expect_text(".body", "book-150, book-151")

    def test_a_short_list_is_chosen_from_by_digits(self):
        self.start("paperwork")
        self.key("1")
        self.expect("Which time zone?")
        self.key("4")
        self.expect_text(".body", "Asia/Tokyo")

    def test_the_keys_are_explained_and_can_be_turned_off(self):
        self.start("schedule-visit")
        first = self.title()
        self.one("h1")
        self.key("?")
        self.assertTrue(eventually(lambda: self.one("#keys").get_attribute("open")))
        self.check("keys")
        # While the help is open, digits choose nothing in the page.
        self.key("2")
        self.one("#keys-single").click()
        self.key(Keys.ESCAPE)
        self.assertTrue(eventually(lambda: not self.one("#keys").get_attribute("open")))
        self.assertEqual(self.title(), first)
        self.driver.refresh()
        self.one("h1")
        self.key("2", "?")
        self.assertFalse(self.one("#keys").get_attribute("open"))
        self.assertEqual(self.title(), first)
        self.one("#keys-open").click()
        self.one("#keys-single").click()
        self.one("#keys-close").click()
        self.key("2")
        self.assertTrue(eventually(lambda: self.title() != first))

    def test_escape_leaves_a_modal_screen_that_keeps_the_focus(self):
        self.start("pets")
        home = self.title()
        self.press("schedule-visit")
        self.one("[role=dialog]")
        self.assertTrue(eventually(lambda: self.focused().get_attribute("id") == "title"))
        seen = set()
        for _ in range(12):
            self.key(Keys.TAB)
            seen.add(self.driver.execute_script(
                "const element = document.activeElement;"
                "return element === document.body || element.closest('[role=dialog], .keys-button, .company') !== null"))
        self.assertEqual(seen, {True})
        self.one("[role=dialog] h1")
        self.key(Keys.ESCAPE)
        self.expect(home)

    def test_escape_closes_a_question(self):
        self.start("paperwork")
        self.press("servers")
        self.one("details.ask summary").click()
        self.assertTrue(eventually(lambda: self.one("details.ask").get_attribute("open")))
        self.key(Keys.ESCAPE)
        self.assertFalse(self.one("details.ask").get_attribute("open"))
        self.assertEqual(self.focused().tag_name, "summary")
        self.expect("Which servers?")

    # Forms

    def test_a_choice_among_many_is_searched(self):
        self.start("gallery")
        self.press("fields")
        box, select = self.one("#field-6-search"), self.one("#field-6")
        box.click()
        self.expect_text("#field-6-list", "City 12")
        self.check("combobox")
        box.send_keys("y 1")
        shown = lambda: [option.text for option in self.all("#field-6-list li")]
        self.assertTrue(eventually(lambda: shown()[:1] == ["City 1"] and len(shown()) == 4), shown())
        self.assertIn("1", [mark.text for mark in self.all("#field-6-list mark")])
        box.send_keys(Keys.ARROW_DOWN)
        active = box.get_attribute("aria-activedescendant")
        self.assertEqual(self.one("#" + active).text, "City 10")
        self.check("combobox-found")
        # An update by another client does not close it.
        self.send("again")
        self.expect_text(".body", "Counted 1 times.")
        self.assertEqual(box.get_attribute("aria-expanded"), "true")
        self.assertEqual(box.get_attribute("value"), "y 1")
        box.send_keys(Keys.ENTER)
        self.assertTrue(eventually(lambda: select.get_attribute("value") == "city-1" or select.get_attribute("value") == "city-10"))
        self.expect("Tell us about yourself")
        self.assertEqual(box.get_attribute("aria-expanded"), "false")
        chosen = box.get_attribute("value")
        # Esc discards only the typed text.
        box.send_keys("nowhere")
        self.expect_text(".combo-nothing", "Nothing matches.")
        box.send_keys(Keys.ESCAPE)
        self.assertEqual(box.get_attribute("value"), chosen)
        self.expect("Tell us about yourself")
        # The flow stores the choice.
        self.assertTrue(eventually(lambda: self.world.shown(self.tree)["screens"][-1].get("draft", {}).get("city")))
        self.driver.refresh()
        self.assertTrue(eventually(lambda: self.one("#field-6-search").get_attribute("value") == chosen))

    def test_a_choice_among_many_is_the_page_s_own_without_scripts(self):
        self.start("gallery")
        self.world.scripts(False)
        try:
            self.show()
            self.press("fields")
            self.assertTrue(self.one("#field-6").is_displayed())
            self.assertEqual(self.all(".combo"), [])
        finally:
            self.world.scripts(True)

    def test_a_corrected_field_is_no_longer_wrong(self):
        self.start("account")
        self.press("submit")
        self.expect_text("#errors", "User name is required")
        self.assertEqual(len(self.all(".wrong")), 2)
        self.one("#field-0").send_keys("demo")
        self.assertTrue(eventually(lambda: len(self.all(".wrong")) == 1))
        self.assertEqual(self.one("#field-0").get_attribute("aria-invalid"), None)
        self.assertNotIn("User name", self.one("#errors").text)
        self.assertEqual(self.focused().get_attribute("id"), "field-0")
        self.one("#field-1").send_keys("open")
        self.assertTrue(eventually(lambda: not self.all(".wrong") and not self.all("#errors")))
        self.assertEqual(self.one("#field-1").get_attribute("value"), "open")
        self.assertFalse(self.driver.title.startswith("Error"))
        self.one("#field-1").send_keys("-sesame", Keys.ENTER)
        self.expect("Your account")


if __name__ == "__main__":
    main()
