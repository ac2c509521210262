"""A setup in whiptail and debconf, in a terminal and in the browser: live_programs_tests.py BINARIES WORK [TEST...]

Plays Trials/Programs/raspi-like, or the file that RASPI_CONFIG names: raspi-config, as its project publishes it. It
uses copies of /etc and of debconf's database.
"""

import os
import pathlib
import shutil
import unittest

from pages import PHONE, main
from program_pages import ProgramPageTestCase
from terminal import Terminal
from world import eventually

PROGRAMS = pathlib.Path(__file__).resolve().parents[1] / "Programs"
SET_UP = os.environ.get("RASPI_CONFIG") or str(PROGRAMS / "raspi-like")


def missing():
    """The missing programs, as a sentence; None if there are none."""
    if os.geteuid() != 0:
        return "only root can give a program another /etc"
    for program, package in (("whiptail", "whiptail"), ("dpkg-reconfigure", "debconf"), ("unshare", "util-linux")):
        if not shutil.which(program):
            return f"{package} is not installed"
    if not pathlib.Path("/var/lib/dpkg/info/tzdata.config").exists():
        return "tzdata is not installed"
    return None


@unittest.skipIf(missing(), missing())
class LiveProgramTests(ProgramPageTestCase):
    def setUp(self):
        super().setUp()
        self.tree = self.id().rsplit(".", 1)[1]
        self.root = self.world.home / f"root-{self.tree}"

    def command(self, *options):
        return ["coordinatorctl", "exec", "--token", self.tree, "--title", "Set-up", *options, "--",
                str(PROGRAMS / "private-root"), str(self.root), "sh", SET_UP]

    def begin(self):
        """Runs the setup in the terminal, and opens it in the browser."""
        self.terminal = Terminal(self.world, *self.command())
        self.addCleanup(self.terminal.close)
        self.addCleanup(self.world.control, "dismiss", self.tree, check=False)
        self.assertTrue(self.terminal.shows("Setup Options"), self.terminal.text())
        self.driver.get(f"{self.world.base}flows/{self.tree}")

    def both(self, text):
        """Waits until both show a text."""
        self.expect_text("main", text)
        self.assertTrue(self.terminal.shows(text), self.terminal.text())

    def zone(self):
        return (self.root / "etc/timezone").read_text().strip()

    def test_terminal_and_browser_set_a_time_zone_across_a_kill(self):
        self.begin()
        self.both("Setup Options")
        self.world.picture("program-menu")
        self.press("5 Localisation Options")
        # Not the title, which the previous menu contains as well.
        self.both("L2 Timezone")
        self.terminal.keys("Down", "Enter")
        self.both("Geographic area")
        self.world.daemon.kill()
        self.world.daemon.wait()
        self.world.start_daemon()
        self.assertTrue(eventually(lambda: self.world.control("show", self.tree, check=False).returncode == 0))
        self.both("Geographic area")
        self.world.look(PHONE)
        self.world.picture("program-area")
        self.world.look()
        self.press_by_key("Europe")
        self.both("Time zone")
        # Back returns to the previous question, in debconf as well.
        self.terminal.keys("Escape")
        self.both("Geographic area")
        self.press_by_key("Europe")
        self.both("Time zone")
        self.world.picture("program-zone")
        self.press_by_key("Rome")
        self.both("Setup Options")
        self.assertEqual(self.zone(), "Europe/Rome")
        self.press_by_key("cancel")
        self.assertTrue(self.terminal.shows("The flow has finished"), self.terminal.text())

    def test_a_file_answers_all_of_it(self):
        self.begin()
        names = []

        def name():
            shown = self.world.shown(self.tree)
            return next(screen["name"] for screen in shown["screens"] if screen["id"] == shown["top"])
        for text, answer in (("Setup Options", "5 Localisation Options"), ("L2 Timezone", "L2 Timezone"),
                             ("Geographic area", "Europe"), ("Time zone", "Madrid")):
            self.both(text)
            names.append((name(), answer))
            self.world.control("send", self.tree, "select", f"id={answer}")
        self.both("Setup Options")
        self.assertEqual(name(), names[0][0])
        self.world.control("send", self.tree, "cancel")
        self.assertTrue(self.terminal.shows("The flow has finished"), self.terminal.text())
        answers = ["answers:", "  program:"]
        for screen, answer in names[1:]:
            answers += [f"    {screen}: {{ select: \"{answer}\" }}"]
        answers += [f"    {names[0][0]}:", f"      - {{ select: \"{names[0][1]}\" }}", "      - cancel"]
        (self.world.home / "answers.yaml").write_text("\n".join(answers) + "\n")
        shutil.rmtree(self.root)
        self.tree += "_again"
        run = self.world.run(*self.command("--answers", str(self.world.home / "answers.yaml")))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.zone(), "Europe/Madrid")


if __name__ == "__main__":
    main()
