"""All flows that come with coordinatord, by keyboard only, in a browser and in a terminal: keyboard_tests.py BINARIES WORK
[TEST...]"""

from page_walker import PageWalker
from pages import PageTestCase, main
from terminal_walker import TerminalWalker
from walks import WALKS
from world import eventually


class KeyboardTests(PageTestCase):
    pass


def add(flow):
    setattr(KeyboardTests, f"test_{flow.replace('-', '_')}_in_a_browser", lambda self: PageWalker(self).walk(flow, eventually))
    setattr(KeyboardTests, f"test_{flow.replace('-', '_')}_in_a_terminal", lambda self: TerminalWalker(self).walk(flow, eventually))


for flow in WALKS:
    add(flow)

if __name__ == "__main__":
    main()
