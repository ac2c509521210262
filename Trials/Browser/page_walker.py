"""Walks through a page, by the keyboard alone."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from walks import Walker
from world import eventually

FOCUSED = """
const it = document.activeElement;
return { tag: it.tagName, type: it.type ?? "", value: it.value ?? "", text: (it.innerText ?? "").trim(), id: it.id, name: it.name ?? "",
  isRow: !!it.closest("#items"), isAtTheEdge: it === document.body, marker: [...document.querySelectorAll("*")].indexOf(it) };
"""


class PageWalker(Walker):
    """Reaches elements by Tab and the arrows, and activates them by Enter."""

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
        """Moves the focus until it reaches the target."""
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
