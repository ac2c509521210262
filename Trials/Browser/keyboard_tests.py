"""All flows that come with coordinatord, by the keyboard alone, in a browser and in a terminal: keyboard_tests.py BINARIES WORK [TEST...]

In the browser, Tab and the arrows reach what is wanted, and Enter does it. In the terminal, the terminal's cursor says what
has the focus, as it does to those who follow it with Braille displays, magnifiers and screen readers.
"""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from pages import PageTestCase, main
from styled_text import cells
from terminal import Terminal
from walks import WALKS, Walker, title_of
from world import eventually

FOCUSED = """
const it = document.activeElement;
return { tag: it.tagName, type: it.type ?? "", value: it.value ?? "", text: (it.innerText ?? "").trim(), id: it.id, name: it.name ?? "",
  isRow: !!it.closest("#items"), isAtTheEdge: it === document.body, marker: [...document.querySelectorAll("*")].indexOf(it) };
"""


class PageWalker(Walker):
    """Walks in a page."""

    def __init__(self, test):
        self.test, self.world, self.driver = test, test.world, test.driver

    def open(self, tree):
        self.driver.get(f"{self.world.base}flows/{tree}")

    def seen(self):
        return self.driver.execute_script("return document.body.innerText")

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def until_drawn(self, screen):
        self.test.assertTrue(
            eventually(lambda: self.test.title() == screen["title"] and self.driver.execute_script("return document.readyState") == "complete"),
            f"{self.test.title()!r} is not {screen['title']!r}")

    def reach(self, wanted, what):
        """Moves the focus until it is where it is wanted."""
        passed = []
        for _ in range(120):
            focus = self.driver.execute_script(FOCUSED)
            if wanted(focus):
                shown = self.driver.execute_script(
                    "const s = getComputedStyle(document.activeElement); return s.outlineStyle !== 'none' || s.boxShadow !== 'none'")
                self.test.assertTrue(shown or focus["type"] in ("checkbox", "radio"), f"nothing shows that {what} has the focus")
                return
            passed.append(focus["text"] or focus["name"] or focus["tag"])
            if focus["isRow"]:
                self.keys(Keys.ARROW_DOWN)
                if self.driver.execute_script(FOCUSED)["marker"] != focus["marker"]:
                    continue
            self.keys(Keys.TAB)
        self.test.fail(f"{what} cannot be reached: {passed[:40]}")

    def press(self, screen, event):
        self.until_drawn(screen)
        self.reach(lambda focus: focus["tag"] == "BUTTON" and focus["value"] == event, event)
        self.keys(Keys.ENTER)

    def choose(self, screen, item):
        self.until_drawn(screen)
        self.reach(lambda focus: focus["isRow"] and focus["value"] == item, item)
        self.keys(Keys.ENTER)

    def fill(self, screen, event, *texts):
        self.until_drawn(screen)
        for number, text in enumerate(texts):
            self.reach(lambda focus: focus["id"] == f"field-{number}", f"field {number}")
            self.keys(text)
        self.press(screen, event)

    def back(self, screen):
        self.until_drawn(screen)
        self.reach(lambda focus: focus["tag"] in ("BUTTON", "A") and focus["text"] in ("Back", "Cancel"), "Back")
        self.keys(Keys.ENTER)


class TerminalWalker(Walker):
    """Walks in a terminal."""

    def __init__(self, test):
        self.test, self.world = test, test.world

    def open(self, tree):
        self.terminal = Terminal(self.world, "coordinator-tui", tree)
        self.test.addCleanup(self.terminal.close)

    def seen(self):
        return self.terminal.text()

    def until_drawn(self, screen):
        self.test.assertTrue(self.terminal.shows(screen["title"]), self.seen())

    def cursor(self):
        """The row that the terminal's cursor is in, and its column."""
        column, row = map(int, self.terminal.tmux("display-message", "-p", "#{cursor_x} #{cursor_y}").split())
        return self.seen().split("\n")[row], column, row

    def is_at(self, label):
        text, column, _ = self.cursor()
        place = text.find(label)
        begin = cells(text[:place]) if place >= 0 else -1
        return place >= 0 and begin - 6 <= column <= begin + cells(label) + 2

    def reach(self, label):
        """Moves the focus until the cursor is on a label."""
        label, passed = label[:24], []
        for _ in range(60):
            if eventually(lambda: self.is_at(label), 0.12):
                return
            place = self.cursor()[1:]
            # Down goes on within a part of the screen, Tab to the next one.
            self.terminal.keys("Tab" if place in passed else "Down")
            passed.append(place)
        self.test.fail(f"the cursor does not come to {label!r}: {passed}\n{self.seen()}")

    def press(self, screen, event):
        self.until_drawn(screen)
        self.reach(title_of(screen, "actions", event))
        self.terminal.keys("Enter")

    def choose(self, screen, item):
        self.until_drawn(screen)
        self.reach(title_of(screen, "items", item))
        self.terminal.keys("Enter")

    def fill(self, screen, event, *texts):
        self.until_drawn(screen)
        for text in texts:
            self.terminal.types(text)
            self.terminal.keys("Tab")
        self.reach(title_of(screen, "actions", event))
        self.terminal.keys("Enter")

    def back(self, screen):
        self.until_drawn(screen)
        self.terminal.keys("Escape")


class KeyboardTests(PageTestCase):
    pass


def add(flow):
    setattr(KeyboardTests, f"test_{flow.replace('-', '_')}_in_a_browser", lambda self: PageWalker(self).walk(flow, eventually))
    setattr(KeyboardTests, f"test_{flow.replace('-', '_')}_in_a_terminal", lambda self: TerminalWalker(self).walk(flow, eventually))


for flow in WALKS:
    add(flow)

if __name__ == "__main__":
    main()
