"""The data that AT-SPI provides to a screen reader about pages, as Orca would query it: screen_reader_tests.py BINARIES WORK [TEST...]

Chromium on a virtual screen, with the accessibility bus of a separate session. tree_tests.py checks Chromium's own
tree; this test checks the data that arrives. Without Xvfb or AT-SPI, it is left out.
"""

import os
import shutil
import subprocess
import sys
import unittest

try:
    import gi
    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi
    PROBLEM = ""
except (ImportError, ValueError) as error:
    PROBLEM = f"AT-SPI cannot be asked: {error}"

from pages import PageTestCase, main
from views import VIEWS
from world import World, eventually

INSIDE = "COORDINATOR_SCREEN_READER"


def missing():
    """The reason why a screen reader cannot be simulated; None if there is none."""
    names = [name for name in ("Xvfb", "dbus-run-session", "chromium") if not shutil.which(name)]
    if not os.path.exists("/usr/libexec/at-spi-bus-launcher"):
        names.append("at-spi2-core")
    return PROBLEM or (f"not installed: {', '.join(names)}" if names else "")


class ReaderWorld(World):
    """A world whose browser is on a screen, and reports its contents to AT-SPI."""

    #: The accessibility bus is that of the test's own session, not of the bus of the flows.
    session = os.environ.get("DBUS_SESSION_BUS_ADDRESS", "")

    def browser(self):
        screen, number = os.pipe()
        self.screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(number), "-screen", "0", "1280x900x24", "-nolisten", "tcp"], pass_fds=[number],
            stderr=subprocess.DEVNULL)
        self.processes.append(self.screen)
        os.close(number)
        with os.fdopen(screen) as told:
            os.environ["DISPLAY"] = ":" + told.readline().strip()
        for name in ("IsEnabled", "ScreenReaderEnabled"):
            subprocess.run(
                ["gdbus", "call", "--session", "--dest", "org.a11y.Bus", "--object-path", "/org/a11y/bus", "--method",
                 "org.freedesktop.DBus.Properties.Set", "org.a11y.Status", name, "<true>"], check=True, capture_output=True)
        return super().browser()

    def browser_options(self):
        return [option for option in super().browser_options() if not option.startswith("--headless")] + [
            "--force-renderer-accessibility"]


@unittest.skipIf(missing(), missing())
class ScreenReaderTests(PageTestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = ReaderWorld(*cls.arguments)
        Atspi.init()

    def look_at(self, name):
        view = next(view for view in VIEWS if view.name == name)
        tree = self.world.begin(view)
        self.addCleanup(self.world.control, "dismiss", tree, check=False)
        self.world.speak(view.language)
        self.driver.get(f"{self.world.base}flows/{tree}")
        self.one("h1")
        view.page(self)
        self.heading = self.title()

    def page(self):
        """Returns the document of the shown page; None while there is none."""
        desktop = Atspi.get_desktop(0)
        for number in range(desktop.get_child_count()):
            for node in self.below(desktop.get_child_at_index(number)):
                if node.get_role() == Atspi.Role.DOCUMENT_WEB and self.heading in (node.get_name() or ""):
                    return node
        return None

    def below(self, node):
        """A node and its descendants, from top to bottom; nodes that disappear meanwhile are left out."""
        if node is None:
            return
        yield node
        try:
            count = node.get_child_count()
        except Exception:  # The window has changed: read it again.
            return
        for number in range(count):
            try:
                child = node.get_child_at_index(number)
            except Exception:
                continue
            yield from self.below(child)

    def nodes(self, *roles):
        def found():
            page = self.page()
            return page and [node for node in self.below(page) if node.get_role() in roles]
        nodes = eventually(found)
        self.assertTrue(nodes, f"nothing of the roles {roles}")
        return nodes

    def names(self, *roles):
        return [node.get_name() for node in self.nodes(*roles)]

    def has(self, node, state):
        return node.get_state_set().contains(state)

    def test_a_menu_in_a_modal_layer_is_a_dialog_with_named_buttons(self):
        self.look_at("menu")
        self.assertEqual(self.names(Atspi.Role.DIALOG), ["How much does it hurt?"])
        self.assertEqual(self.names(Atspi.Role.HEADING)[0], "How much does it hurt?")
        buttons = self.names(Atspi.Role.PUSH_BUTTON)
        for name in ("Not at all", "A little"):
            self.assertTrue(any(button.startswith(name) for button in buttons), buttons)

    def test_a_field_with_an_error_is_invalid_and_says_why(self):
        self.look_at("errors")
        entries = self.nodes(Atspi.Role.ENTRY, Atspi.Role.PASSWORD_TEXT)
        self.assertEqual([entry.get_name() for entry in entries], ["User name", "Password"])
        for entry in entries:
            self.assertTrue(self.has(entry, Atspi.StateType.INVALID_ENTRY), entry.get_name())
            self.assertTrue(self.has(entry, Atspi.StateType.REQUIRED), entry.get_name())
            self.assertIn("is required", entry.get_description())
        self.assertEqual(entries[1].get_role(), Atspi.Role.PASSWORD_TEXT)

    def test_progress_has_a_value(self):
        self.look_at("progress")
        bar = self.nodes(Atspi.Role.PROGRESS_BAR)[0]
        self.assertTrue(bar.get_name())
        self.assertTrue(eventually(lambda: bar.get_current_value() > 0))

    def test_what_cannot_be_chosen_is_insensitive_and_says_why(self):
        self.look_at("disabled")
        stamp = next(node for node in self.nodes(Atspi.Role.PUSH_BUTTON) if node.get_name().startswith("Stamp"))
        self.assertFalse(self.has(stamp, Atspi.StateType.ENABLED))
        self.assertIn("repair shop", stamp.get_name() + stamp.get_description())

    def test_a_page_in_another_language_says_which(self):
        self.look_at("german")
        heading = self.nodes(Atspi.Role.HEADING)[0]
        attributes, *_ = Atspi.Text.get_attribute_run(heading, 0, True)
        self.assertEqual(attributes.get("language"), "de")

    def test_the_focus_goes_to_the_title_of_the_next_screen(self):
        view = next(view for view in VIEWS if view.name == "menu")
        tree = self.world.begin(view)
        self.addCleanup(self.world.control, "dismiss", tree, check=False)
        self.driver.get(f"{self.world.base}flows/{tree}")
        self.press("severe")
        self.heading = self.title()
        self.assertTrue(eventually(lambda: any(
            self.has(node, Atspi.StateType.FOCUSED) for node in self.nodes(Atspi.Role.HEADING, Atspi.Role.PUSH_BUTTON))))


if __name__ == "__main__":
    # A separate session bus, on which the accessibility bus is started.
    if not missing() and not os.environ.get(INSIDE):
        os.execvpe("dbus-run-session", ["dbus-run-session", "--", sys.executable, *sys.argv], dict(os.environ, **{INSIDE: "1"}))
    main()
