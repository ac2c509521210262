"""`ask` ends the script if its terminal gives no answer: the terminal goes away, or the user types Ctrl-D or
cancels."""

import os
import shutil
import signal
import unittest

from fake_engine import PATIENCE
from script_terminal import Terminal

MENU = "ask menu size 'How large?' small=Small --cancel"
TRAPS = {"none": "", "one that does nothing": "trap : INT; ", "one that goes on": "trap 'touch ran-on' INT; ", "ignored": "trap '' INT; "}
SCRIPTS = {
    "in a command substitution": f"x=$({MENU}) || true; touch ran-on", "in a condition": f"if {MENU}; then touch ran-on; else touch ran-on; fi; touch ran-on",
    "in a loop": f"until {MENU}; do touch ran-on; done", "in a subshell": f"( {MENU}; touch ran-on ); touch ran-on", "read by a program": f"{MENU} | xargs touch ran-on; touch ran-on",
}


class LostTerminalTests(unittest.TestCase):
    """The terminal goes away while it is asked on: a window is closed, a connection is lost."""

    def test_the_end_of_the_terminal_ends_the_script(self):
        for name, script in (("as it is", f"x=$({MENU}); touch ran-on"), ("with a trap", f"trap : HUP; x=$({MENU}); touch ran-on"),
                             ("with nohup", f"trap '' HUP; x=$({MENU}); touch ran-on"), ("with most ignored", f"trap '' HUP INT; x=$({MENU}); touch ran-on"),
                             ("in a loop", f"trap '' HUP; until {MENU}; do touch ran-on; done"), ("in a form", "trap '' HUP; x=$(ask form a A --text size); touch ran-on"),
                             ("at a secret", "trap '' HUP; ask step a --stdin b -- touch ran-on; touch ran-on"), ("at a secret, with a trap", "trap : HUP; ask step a --stdin b -- touch ran-on; touch ran-on")):
            with self.subTest(name), Terminal(script) as terminal:
                terminal.wait_for(": ")
                master, terminal.master = terminal.master, os.open("/dev/null", os.O_RDWR)
                os.close(master)
                self.assertIn(terminal.process.wait(PATIENCE), (-signal.SIGHUP, -signal.SIGTERM, -signal.SIGKILL))
                self.assertFalse((terminal.directory / "ran-on").exists())


class CancelledTests(unittest.TestCase):
    def test_ctrl_d_ends_the_script_whatever_it_traps(self):
        """A shell that trapped SIGINT went on with an empty answer."""
        for shell in filter(shutil.which, ("sh", "bash", "zsh")):
            for trapped, trap in TRAPS.items():
                for place, script in SCRIPTS.items():
                    with self.subTest(f"{shell}, {trapped}, {place}"), Terminal(trap + script, shell) as terminal:
                        terminal.wait_for("Choice: ")
                        terminal.type("\x04")
                        self.assertEqual(terminal.process.wait(PATIENCE), -signal.SIGTERM)
                        self.assertFalse((terminal.directory / "ran-on").exists())

    def test_every_prompt_takes_ctrl_d(self):
        for prompt, script in (("B: ", "ask form a A --text b"), ("pin: ", "ask step a --stdin pin -- touch ran-on"), ("Choice: ", "ask confirm a A"),
                               ("[none]: ", "ask list a A x=X --multiple"), ("Choice [1]: ", "ask message a A")):
            with self.subTest(prompt), Terminal(f"trap : INT; {script} || true; touch ran-on") as terminal:
                terminal.wait_for(prompt)
                terminal.type("\x04")
                self.assertEqual(terminal.process.wait(PATIENCE), -signal.SIGTERM)
                self.assertFalse((terminal.directory / "ran-on").exists())

    def test_cancelling_ends_the_script_whatever_it_traps(self):
        with Terminal(f"trap : INT; x=$({MENU}) || true; touch ran-on") as terminal:
            terminal.answer("Choice: ", "cancel")
            self.assertEqual(terminal.process.wait(PATIENCE), -signal.SIGTERM)
            self.assertFalse((terminal.directory / "ran-on").exists())
        with Terminal("trap : INT; ask cancel || true; touch ran-on") as terminal:
            self.assertEqual(terminal.process.wait(PATIENCE), -signal.SIGTERM)
            self.assertFalse((terminal.directory / "ran-on").exists())

    def test_ctrl_c_is_for_the_script_that_traps_it(self):
        with Terminal(f"trap 'echo cleaned >cleaned; exit 9' INT; x=$({MENU}); touch ran-on") as terminal:
            terminal.wait_for("Choice: ")
            terminal.type("\x03")
            self.assertEqual(terminal.process.wait(PATIENCE), 9)
            self.assertTrue((terminal.directory / "cleaned").exists())

    def test_a_program_that_is_no_shell_is_interrupted(self):
        code = "import signal, subprocess; signal.signal(signal.SIGINT, signal.default_int_handler); subprocess.run(['ask', 'confirm', 'a', 'A']); open('ran-on', 'w')"
        with Terminal(f'exec /usr/bin/python3 -c "{code}"') as terminal:
            terminal.wait_for("Choice: ")
            terminal.type("\x04")
            self.assertEqual(terminal.process.wait(PATIENCE), -signal.SIGINT)
            self.assertFalse((terminal.directory / "ran-on").exists())


if __name__ == "__main__":
    unittest.main()
