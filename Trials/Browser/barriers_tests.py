"""No kind of screen keeps people out, by all rules of axe-core: barriers_tests.py BINARIES WORK [TEST...]

In light and dark mode, on a desktop and on a phone. Nothing is cut off, and no button is smaller than a finger.
"""

from pages import WalkTestCase, main
from views import VIEWS


class BarriersTests(WalkTestCase):
    def look_at(self, view):
        if view.flow:
            self.tree = self.world.control("start", view.flow).stdout.strip()
            self.addCleanup(self.world.control, "dismiss", self.tree, check=False)
            for arguments in view.sent:
                self.world.control("send", self.tree, *arguments)
            self.show()
        self.one("h1")
        view.page(self)
        self.check(f"barriers-{view.name}")


def add(view):
    setattr(BarriersTests, f"test_{view.name}", lambda self: self.look_at(view))


for view in VIEWS:
    add(view)

if __name__ == "__main__":
    main()
