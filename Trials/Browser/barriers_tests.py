"""No kind of screen has barriers, by all rules of axe-core: barriers_tests.py BINARIES WORK [TEST...]

In light and dark mode, on a desktop and on a phone. Nothing is cut off, and no button is smaller than a finger.
"""

from pages import WalkTestCase, main
from views import VIEWS


class BarriersTests(WalkTestCase):
    def look_at(self, view):
        self.tree = self.world.begin(view)
        self.addCleanup(self.world.control, "dismiss", self.tree, check=False)
        self.world.speak(view.language)
        self.driver.get(self.world.base + (f"flows/{self.tree}" if view.flow else ""))
        self.one("h1")
        view.page(self)
        self.check(f"barriers-{view.name}")


def add(view):
    setattr(BarriersTests, f"test_{view.name}", lambda self: self.look_at(view))


for view in VIEWS:
    add(view)

if __name__ == "__main__":
    main()
