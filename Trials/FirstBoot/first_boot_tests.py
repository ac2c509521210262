"""Sets machines up, with simulated services: python3 first_boot_tests.py BINARIES WORK DAEMON... [-- TEST...]

BINARIES contains the built programs; WORK is a directory for files, DAEMON the command that serves the flow first-boot.
Needs root and python3-dbusmock, and uses its own /etc. With FIRST_BOOT_LONG, the daemon is killed everywhere.
"""

import os
import pathlib
import subprocess
import sys
import unittest

from machine import CHANGES, HERE, PASSPHRASE, PASSWORD, SET_UP, MachineWorld, become_private

from page_walker import PageWalker
from pages import PageTestCase
from terminal_walker import TerminalWalker
from walks import END, WALKS, choose, fill, press
from world import eventually


def is_script():
    return PageTestCase.arguments[2][0].endswith(".py")


IS_LONG = bool(os.environ.get("FIRST_BOOT_LONG"))
ANSWERS = HERE.parents[1] / "Examples/first-boot/first-boot.yaml"
WALKS["first-boot"] = ([], [
    ("language", choose("de_DE.UTF-8")), ("keyboard", choose("de")), ("time-zone", choose("Europe/Berlin")),
    ("host-name", fill("next", "kitchen")), ("networks", choose("Home")), ("network-details", fill("join", PASSPHRASE)),
    ("user", fill("next", "Ada Lovelace", "ada", PASSWORD, PASSWORD)), ("review", press("apply")), ("done", press("finish")), END])
SENT = {
    "language": ["select", "id=de_DE.UTF-8"], "keyboard": ["select", "id=de"], "time-zone": ["select", "id=Europe/Berlin"],
    "host-name": ["next", "name=kitchen"], "networks": ["select", "id=Home"], "network-details": ["join", "passphrase=@-", "method=automatic"],
    "user": ["next", "name=Ada Lovelace", "login=ada", "password=@-", "repeated=@-"], "review": ["apply"], "done": ["finish"],
}


class FirstBootTests(PageTestCase):
    has_browser = True

    @classmethod
    def setUpClass(cls):
        cls.world = MachineWorld(*cls.arguments, has_browser=cls.has_browser)

    def setUp(self):
        self.driver = self.world.driver
        if self.driver:
            self.world.look()
        self.world.reset()

    def expect_set_up(self):
        self.assertEqual(self.world.state, SET_UP)
        self.assertEqual(sorted(self.world.done), sorted(CHANGES))
        self.assertEqual(self.world.has_canary(), [])


class RendererTests(FirstBootTests):
    def answers(self):
        """Returns the answers file. That of the script contains all its screens in one flow, and no choice of an
        address."""
        if not is_script():
            return str(ANSWERS)
        lines = [line for line in ANSWERS.read_text().splitlines() if line not in ("  network-setup:", "  user-setup:") and "repeated" not in line]
        file = self.world.home / "answers.yaml"
        file.write_text("\n".join(lines).replace(", method: automatic", ""))
        return str(file)

    def test_by_answers(self):
        played = self.world.control("answer", self.answers(), "--token", "answers", check=False)
        self.assertEqual(played.returncode, 0, played.stdout + played.stderr)
        self.expect_set_up()
        again = self.world.control("answer", self.answers(), "--token", "answers")
        self.assertIn("ended", again.stderr)
        self.expect_set_up()

    def test_by_terminal(self):
        TerminalWalker(self).walk("first-boot", eventually)
        self.expect_set_up()

    def test_by_browser(self):
        PageWalker(self).walk("first-boot", eventually)
        self.expect_set_up()


class RefusalTests(FirstBootTests):
    has_browser = False

    def test_what_a_service_refuses_is_told(self):
        for change in CHANGES if IS_LONG else CHANGES[-1:]:
            with self.subTest(change):
                self.world.reset()
                self.world.refuse(change)
                player = Player(self, f"refused_{change}")
                player.reach("done")
                self.assertIn("Finish without it", str(player.top()))
                self.world.refuse()
                # The script asks everything again, and applies the differences.
                player.control("again" if is_script() else "apply")
                player.reach(None)
                self.expect_set_up()


class HarmTests(RendererTests):
    """Answers that must be refused, and must not change any account."""

    has_browser = False
    test_by_answers = test_by_terminal = test_by_browser = None

    def play(self, token):
        played = self.world.control("answer", self.answers(), "--token", token, check=False)
        self.assertNotEqual(played.returncode, 0, played.stdout + played.stderr)

    def test_answers_do_not_end_well_when_something_was_refused(self):
        self.world.refuse("join")
        self.play("harm_refused")
        self.assertEqual(self.world.state["networks"], [])

    def test_a_password_with_two_lines_is_nobodys(self):
        credential, before = self.world.home / "credentials/user.password", pathlib.Path("/etc/shadow").read_text()
        credential.write_text("12345678\nroot:hacked-root\n")
        self.addCleanup(credential.write_text, PASSWORD)
        self.play("harm_two_lines")
        self.assertEqual(pathlib.Path("/etc/shadow").read_text(), before)

    def test_an_account_whose_home_is_out_of_sight_stays(self):
        with open("/etc/passwd", "a") as passwd, open("/etc/shadow", "a") as shadow:
            passwd.write("ada:x:4321:4321:Ada Lovelace:/home/ada:/bin/bash\n")
            shadow.write("ada:$6$salt$hash:19000:0:99999:7:::\n")
        self.world.control("answer", self.answers(), "--token", "harm_account", check=False)
        self.assertIn("ada:$6$salt$hash:19000:0:99999:7:::\n", pathlib.Path("/etc/shadow").read_text())
        self.assertIn("ada:x:4321:", pathlib.Path("/etc/passwd").read_text())


class KillTests(FirstBootTests):
    has_browser = False

    def test_killed_in_a_change_it_is_not_made_twice(self):
        for change in CHANGES if IS_LONG else CHANGES[1:4]:
            for moment in ("before", "after"):
                with self.subTest(f"{moment} {change}"):
                    self.world.reset()
                    self.world.kill_at(change, moment)
                    Player(self, f"killed_{moment}_{change}").reach(None)
                    self.assertFalse((self.world.notes / "kill").exists(), "it was not killed")
                    self.expect_set_up()

    def test_killed_at_a_screen_it_goes_on(self):
        for screen in SENT if IS_LONG else ("review", "done"):
            with self.subTest(screen):
                self.world.reset()
                player = Player(self, f"killed_at_{screen.replace('-', '_')}")
                player.reach(screen)
                self.world.kill_daemon()
                self.world.start_daemon()
                player.reach(None)
                self.expect_set_up()


class Player:
    """Answers one screen after the other, and restarts the daemon after it was killed."""

    def __init__(self, test, token):
        self.test, self.world, self.token = test, test.world, token
        self.world.control("start", "first-boot", "--token", token)
        # Networks are scanned while a client shows the screen.
        self.world.start_quietly(self.world.binaries / "coordinatorctl", "watch", token)

    def top(self):
        """Returns the screen on top; None if the flow has ended."""
        if self.world.was_killed():
            self.world.start_daemon()
        try:
            return next((screen for screen in self.world.shown(self.token)["screens"][::-1]), None)
        except Exception:
            return None if self.world.control("show", self.token, check=False).returncode == 6 else {"name": "", "progress": 1}

    def control(self, *arguments):
        subprocess.run(
            [self.world.binaries / "coordinatorctl", "send", self.token, *arguments], env=self.world.environment, text=True,
            input=(PASSPHRASE if "join" in arguments else f"{PASSWORD}\n{PASSWORD}") + "\n", capture_output=True, check=False)

    def reach(self, name):
        """Answers until a screen is shown; None means until the end."""
        for _ in range(60):
            screen = eventually(self.settled)
            self.test.assertTrue(screen, f"{name} is not reached, but {self.top()}")
            if screen == "ended" or screen["name"] == name:
                return self.test.assertEqual(None if screen == "ended" else screen["name"], name)
            self.control(*SENT[screen["name"]])
        self.test.fail(f"{name} is not reached, but {self.top()}")

    def settled(self):
        """Returns the screen on top once no work is running and its list is filled."""
        screen = self.top()
        if screen is None:
            return "ended"
        waits = "progress" in screen or screen["kind"] == "list" and not any(
            f"id={item['id']}" in SENT[screen["name"]] for item in screen["items"])
        return None if waits else screen


def main():
    if "FIRST_BOOT_PRIVATE" not in os.environ:
        os.environ["FIRST_BOOT_PRIVATE"] = "1"
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv])
    binaries, work, *command = sys.argv[1:]
    tests = command[command.index("--") + 1:] if "--" in command else []
    daemon = command[:command.index("--")] if "--" in command else command
    become_private(work)
    PageTestCase.arguments = (binaries, work, daemon)
    if is_script():
        WALKS["first-boot"][1][6] = ("user", fill("next", "Ada Lovelace", "ada", PASSWORD))
        SENT["user"].remove("repeated=@-")
        SENT["network-details"].remove("method=automatic")
    sys.argv[1:] = tests
    unittest.main(verbosity=2)


if __name__ == "__main__":
    main()
