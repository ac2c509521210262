"""Long lists, forms and the keyboard, in a real browser: python3 lists_tests.py BINARIES WORK [TEST...]"""

from selenium.webdriver.common.keys import Keys

from pages import WalkTestCase, main
from world import eventually, token


class ListsTests(WalkTestCase):
    def rows(self):
        """The titles of the rows that are shown."""
        return self.driver.execute_script(
            "return [...document.querySelectorAll('#items .choice-title')].map((title) => title.textContent)")

    def expect_rows(self, *titles):
        self.assertTrue(eventually(lambda: self.rows() == list(titles)), self.rows())

    def open(self, event, name=None, scripts=True):
        """Starts a library, and goes to one of its lists."""
        self.tree = token(name or self.id().rsplit(".", 1)[1])
        self.world.control("start", "library", "--token", self.tree)
        self.send(event)
        self.world.scripts(scripts)
        self.show()

    def both(self, event):
        """The list with and without scripts, one after the other."""
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

    def size(self):
        """The size of the page as it is sent, in bytes."""
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

    def test_pages_of_a_list_are_turned(self):
        for scripts in self.both("books"):
            self.one("#page-after").click()
            self.assertTrue(eventually(lambda: self.rows()[:1] == ["Birds, volume 100"]), self.rows()[:2])
            self.assertIn("page=2", self.driver.current_url)
            if scripts:
                self.assertEqual(self.focused().get_attribute("value"), "book-100")
                self.check("library-page")
            # An update does not turn the page.
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
        # The answer of the server is not there yet when Enter is pressed.
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
            # The list begins where something is chosen.
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
            # The search goes on among what is chosen.
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
            # An update from elsewhere loses nothing, nor does a reload.
            self.send("arrive")
            self.driver.refresh()
            self.expect_text("#filter-count", "9001 entries · 2 chosen")
            self.press("choose")
            self.expect_text(".body", "book-151, book-8988")

    def test_a_refused_choice_is_shown_where_it_was_made(self):
        for scripts in self.both("loans"):
            self.one("#items input[value=book-150]").click()
            self.find("maps 15", scripts)
            self.assertTrue(eventually(lambda: self.all("#items input[value=book-15]")))
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


if __name__ == "__main__":
    main()
