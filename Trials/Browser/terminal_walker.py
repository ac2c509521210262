"""Walks through a terminal, by the position of its cursor."""

from styled_text import cells
from terminal import Terminal
from walks import Walker, title_of
from world import eventually


class TerminalWalker(Walker):
    """Finds the focus by the cursor, as Braille displays, magnifiers and screen readers do."""

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
        """Returns the row of the terminal's cursor, and its column."""
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
            # Down moves within a part of the screen, Tab to the next part, and Up to the rows above the start.
            self.terminal.keys(("Down", "Tab", "Up")[min(passed.count(place), 2)])
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
