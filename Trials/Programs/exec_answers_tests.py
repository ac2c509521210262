"""exec_answers_tests.py DIRECTORY: programs that are answered from a file, and recorded files."""

import os
import pty
import select
import subprocess
import time
import unittest

from debconf_world import EXAMPLES, missing
from debconf_world import World as DebconfWorld
from exec_world import BINARIES, PATIENCE, ExecTestCase, main, needs

SCRIPT = r"""
whiptail --menu "Pick" 0 0 0 a Alpha b Beta 2>$OUT/menu
whiptail --inputbox "Name" 0 0 2>$OUT/input
whiptail --checklist "Which" 0 0 0 x X on y Y off 2>$OUT/check
whiptail --passwordbox "Secret" 0 0 2>$OUT/password
whiptail --yesno "Sure" 0 0; echo $? >$OUT/sure
exit 3
"""
ANSWERS = """answers:
  program:
    menu-pick: { select: b }
    inputbox-name: { value: Ada }
    checklist-which: { select: [x, y] }
    passwordbox-secret: { value: { credential: pin } }
    yesno-sure: no
"""


class AnswersTestCase(ExecTestCase):
    def setUp(self):
        super().setUp()
        credentials = self.world.home / "credentials"
        credentials.mkdir()
        (credentials / "pin").write_text("1234")
        (credentials / "passwordbox-secret.value").write_text("1234")
        self.world.environment["CREDENTIALS_DIRECTORY"] = str(credentials)

    def file(self, text, name="answers.yaml"):
        path = self.world.home / name
        path.write_text(text)
        return path

    def assert_answered(self):
        self.assertEqual([self.read(name).strip() for name in ("menu", "input", "check", "password", "sure")],
                         ["b", "Ada", '"x" "y"', "1234", "1"])


@needs("whiptail")
class FileTests(AnswersTestCase):
    def test_the_whole_program(self):
        run = self.world.exec_script(SCRIPT, options=["--answers", self.file(ANSWERS)])
        self.assertEqual(run.wait(), 3, run.said)
        self.assertEqual(run.flow_ends(), ("finished", {"status": 3}))
        self.assert_answered()

    def test_a_missing_answer(self):
        """The command prints the missing answer, and ends the program."""
        run = self.world.exec_script(SCRIPT, options=["--answers", self.file(ANSWERS.replace("    inputbox-name: { value: Ada }\n", ""))])
        self.assertEqual(run.wait(), 5, run.said)
        self.assertIn("no answer for answers: program: inputbox-name", run.said)
        self.assertIn("        inputbox-name:   # sent as ok\n          value: TEXT", run.said)
        self.assertEqual(run.flow_ends()[0], "failed")
        self.assertEqual(self.read("input"), "")
        self.assertFalse((self.world.home / "check").exists())

    def test_a_missing_answer_that_somebody_gives(self):
        run = self.world.exec_script(SCRIPT, options=["--missing", "wait", "--answers",
                                                      self.file(ANSWERS.replace("    inputbox-name: { value: Ada }\n", ""))])
        run.asks("inputbox-name")
        self.world.until(lambda: "waiting for somebody to answer" in run.said, "word of the missing answer")
        self.assertIn("inputbox-name", run.said)
        run.send("ok", value="Ada")
        self.assertEqual(run.wait(), 3, run.said)
        self.assert_answered()

    def test_defaults(self):
        run = self.world.exec_script("whiptail --inputbox Name 0 0 proposed 2>$OUT/input", options=[
            "--missing", "default", "--answers", self.file("answers: {}\n")])
        self.assertEqual((run.wait(), self.read("input")), (0, "proposed"), run.said)

    def test_a_wrong_answer(self):
        run = self.world.exec_script(SCRIPT, options=["--answers", self.file(ANSWERS.replace("yesno-sure: no", "yesno-sure: perhaps"))])
        self.assertEqual(run.wait(), 1, run.said)
        self.assertIn("does not offer 'perhaps'", run.said)

    def test_the_same_screen_again(self):
        run = self.world.exec_script("for n in 1 2 3; do whiptail --inputbox Name 0 0 2>>$OUT/input; done", options=[
            "--answers", self.file("answers:\n  program:\n    inputbox-name:\n    - { value: a }\n    - { value: b }\n    - { value: c }\n")])
        self.assertEqual((run.wait(), self.read("input")), (0, "abc"), run.said)

    def test_standard_input(self):
        result = subprocess.run([BINARIES / "coordinatorctl", "exec", "--answers", "-", "--", self.world.script("program", SCRIPT)],
                                input=ANSWERS, env=self.world.environment, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assert_answered()

    def test_nothing_is_started_if_the_file_has_mistakes(self):
        for text, complaint in (("answers: [", ""), ("nonsense: 1\n", "nonsense"), ("flow: other\nanswers: {}\n", "is for 'other'"), ("", "empty")):
            run = self.world.exec("touch", self.world.home / "started", options=["--answers", self.file(text)])
            self.assertEqual(run.wait(), 1, run.said)
            self.assertIn(complaint, run.said)
            self.assertRegex(run.said, "^coordinatorctl: ")
        self.assertEqual(self.world.exec("true", options=["--answers", "/nonexistent"]).wait(), 1)
        self.assertFalse((self.world.home / "started").exists())

    def test_a_program_that_asks_nothing(self):
        for _ in range(5):
            run = self.world.exec("sh", "-c", "exit 2", options=["--answers", self.file("answers: {}\n")])
            self.assertEqual(run.wait(), 2, run.said)

    def test_the_daemon_is_killed(self):
        os.mkfifo(self.world.home / "go")
        run = self.world.exec_script("whiptail --menu Pick 0 0 0 a A b B 2>$OUT/menu; read line <$OUT/go; whiptail --inputbox Name 0 0 "
                                     "2>$OUT/input; exit 3", options=["--answers", self.file(ANSWERS)])
        self.world.until(lambda: (self.world.home / "menu").exists() and self.read("menu"), "the first answer")
        self.world.restart_daemon()
        (self.world.home / "go").write_text("\n")
        self.assertEqual((run.wait(), self.read("input")), (3, "Ada"), run.said)


@unittest.skipIf(missing(), missing() or "")
class SelectionsTests(AnswersTestCase):
    """A file for debconf-set-selections, unchanged."""

    LINES = ["# The answers of demo\n", "demo demo/boolean boolean false\n", "demo demo/multiselect multiselect lwn, freshmeat\n",
             "demo demo/string string humpty dümpty\n", "demo demo/password password s3cret\n", "demo demo/select select navy blue\n",
             "demo demo/subst boolean true\n"]

    def setUp(self):
        super().setUp()
        self.debconf = DebconfWorld(None)
        self.addCleanup(self.debconf.close)
        self.debconf.load("demo", EXAMPLES / "demo.templates")
        self.world.environment |= {name: value for name, value in self.debconf.environment().items() if name.startswith(("DEB", "LC_"))}

    def demo(self, lines, *options):
        return self.world.exec("debconf", "-o", "demo", EXAMPLES / "demo", options=["--answers", self.file("".join(lines), "preseed.txt"), *options])

    def answer_what_is_left(self, run, **values):
        """Answers interactively, until the program has ended."""
        while (screen := self.world.until(lambda: run.ended() or (run.look() and run.top and "progress" not in run.top and run.top),
                                          "a question, or the end")) and isinstance(screen, dict):
            if screen["kind"] == "form":
                run.send("okay", **{name: values[name] for name in screen["fields"]})
            else:
                run.send(screen["actions"][0]["id"])
            self.world.until(lambda: not run.look() or run.top["id"] != screen["id"] or "progress" in run.top, "something else")

    def test_all_answers(self):
        run = self.demo(self.LINES, "--missing", "wait")
        # A user must see the error of demo.
        self.answer_what_is_left(run)
        self.assertEqual(run.wait(), 0, run.said)
        values, _ = self.debconf.database()
        self.assertEqual({name: values.get(f"demo/{name}") for name in ("boolean", "multiselect", "string", "password", "select", "subst")}, {
            "boolean": "false", "multiselect": "freshmeat, lwn", "string": "humpty dümpty", "password": "s3cret", "select": "navy blue",
            "subst": "true"})

    def test_a_missing_line(self):
        run = self.demo([line for line in self.LINES if "demo/string" not in line])
        self.assertEqual(run.wait(), 5, run.said)
        self.assertIn("  add: unknown demo/string string VALUE\n", run.said)
        self.assertNotIn("expected:", run.said)

    def test_a_missing_line_that_somebody_answers(self):
        run = self.demo([line for line in self.LINES if "demo/string" not in line], "--missing", "wait")
        screen = run.asks()
        self.assertIn("add: unknown demo/string string VALUE", str(screen["messages"]))
        self.world.until(lambda: "waiting for somebody to answer" in run.said, "word of the missing answer")
        self.assertIn("demo/string", screen["fields"])
        self.answer_what_is_left(run, **{"demo/string": "by hand", "demo/password": "s3cret", "demo/select": "navy blue"})
        self.assertEqual(run.wait(), 0, run.said)
        self.assertEqual(self.debconf.database()[0]["demo/string"], "by hand")


@needs("whiptail")
class RecordTests(AnswersTestCase):
    def record(self, lines, *options, script=SCRIPT):
        """Records in a terminal, in which the test types the requested lines. Returns the status, and the contents of
        the screen."""
        program = self.world.script("program", script)
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.world.home)
            os.execve(BINARIES / "coordinatorctl", ["coordinatorctl", "record", "--exec", "-o", "recorded.yaml", *options, "--", str(program)],
                      self.world.environment)
        shown, lines, pending, end = "", list(lines), "", time.monotonic() + PATIENCE
        try:
            while time.monotonic() < end and select.select([terminal], [], [], max(end - time.monotonic(), 0))[0]:
                try:
                    read = os.read(terminal, 65536).decode(errors="replace")
                except OSError:
                    read = ""
                if not read:
                    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown
                shown, pending = shown + read, pending + read
                if lines and lines[0][0] in pending:
                    pending = ""
                    reply = lines.pop(0)[1]
                    if callable(reply):
                        reply()
                    else:
                        os.write(terminal, f"{reply}\n".encode())
            raise AssertionError(f"record waits for {lines}: {shown}")
        finally:
            os.close(terminal)

    def test_recorded_and_played_back(self):
        status, shown = self.record([("Pick", "2"), ("Name", "Ada"), ("Which", "1, 2"), ("Secret", "1234"), ("Sure", "2")])
        self.assertEqual(status, 3, shown)
        self.assert_answered()
        recorded = self.read("recorded.yaml")
        self.assertIn("coordinatorctl exec --answers FILE -- PROGRAM", recorded)
        self.assertNotIn("1234", recorded)
        self.assertNotIn("Answers given before", recorded)
        self.assertEqual((self.world.home / "recorded.yaml").stat().st_mode & 0o777, 0o600)
        for name in ("menu", "input", "check", "password", "sure"):
            (self.world.home / name).unlink()
        run = self.world.exec(self.world.home / "program", options=["--answers", self.world.home / "recorded.yaml"])
        self.assertEqual(run.wait(), 3, run.said + recorded)
        self.assert_answered()

    def round_trip(self, lines, script, status=0):
        """Records a program, and answers it with the recording, to the same result: what it writes into the files of $OUT/results."""
        results = self.world.home / "results"
        results.mkdir()
        ended, shown = self.record(lines, script=script)
        self.assertEqual(ended, status, shown)
        by_hand = {path.name: path.read_text() for path in results.iterdir()}
        self.assertTrue(by_hand)
        for path in results.iterdir():
            path.unlink()
        recorded = self.read("recorded.yaml")
        run = self.world.exec(self.world.home / "program", options=["--answers", self.world.home / "recorded.yaml"])
        self.assertEqual(run.wait(), status, run.said + recorded)
        self.assertNotIn("never requested", run.said)
        self.assertEqual({path.name: path.read_text() for path in results.iterdir()}, by_hand, recorded)
        return recorded

    def test_boxes_of_dialog(self):
        self.round_trip([("Pick", "2"), ("Level", "2"), ("Which", "1"), ("Age", "37"), ("Sure", "1")], r"""
cd $OUT/results
dialog --menu "Pick" 0 0 0 a Alpha b Beta 2>menu
dialog --radiolist "Level" 0 0 0 low Low on high High off 2>radio
dialog --checklist "Which" 0 0 0 x X off y Y on 2>check
dialog --inputbox "Age" 0 0 2>input
dialog --yesno "Sure" 0 0; echo $? >sure
exit 4
""", 4)

    def test_passwords_and_prompts(self):
        """Askpass, whose answer the recording takes from a credential, and the prompt of apt."""
        (self.world.home / "credentials" / "askpass-password.answer").write_text("hush-hush")
        recorded = self.round_trip([("Enter passphrase", "hush-hush"), ("continue", "1")], r"""
cd $OUT/results
"$SSH_ASKPASS" "Enter passphrase for key '/k': " >secret
printf 'Do you want to continue? [Y/n] '; read -r sure; echo "$sure" >sure
""")
        self.assertNotIn("hush-hush", recorded)

    @unittest.skipIf(missing(), missing() or "")
    def test_questions_of_debconf(self):
        debconf = DebconfWorld(None)
        self.addCleanup(debconf.close)
        kinds = {"name": "string", "colour": "select", "extras": "multiselect", "sure": "boolean", "pin": "password"}
        debconf.load("trial", debconf.write("trial.templates", "\n".join(
            f"Template: trial/{name}\nType: {kind}\n" + ("Choices: red, blue\n" if "select" in kind else "") + f"Description: The {name}\n"
            for name, kind in kinds.items())))
        module = debconf.write("module", "#!/bin/sh -e\n. /usr/share/debconf/confmodule\n" + "".join(
            f"db_fset trial/{name} seen false\ndb_input critical trial/{name} || true\ndb_go\ndb_get trial/{name}\necho \"$RET\" >$OUT/results/{name}\n"
            for name in kinds))
        self.world.environment |= {name: value for name, value in debconf.environment().items() if name.startswith(("DEB", "LC_"))}
        (self.world.home / "credentials" / "trial-pin.trial-pin").write_text("hush-hush")
        lines = [("The name", "Ada"), ("The colour", "2"), ("The extras", "1, 2"), ("The sure", "2"), ("The pin", "hush-hush")]
        self.assertNotIn("hush-hush", self.round_trip(lines, f"exec debconf -o trial {module}"))

    def test_following(self):
        """Another client answers; its choices are recorded as far as they are known."""
        run = self.world.exec_script("whiptail --yesno Sure 0 0; exit 2", command=("record", "--exec"), options=["--follow", "-o", "followed.yaml"])
        run.asks("yesno-sure")
        run.send("yes")
        self.assertEqual(run.wait(), 2, run.said)
        self.assertIn('yesno-sure: "yes"', self.read("followed.yaml"))

    def test_left_before_the_end(self):
        """The file contains the answers; the program continues, and its status is that of the command."""
        def answer():
            self.assertEqual(self.world.tool("send", "here", "ok", "value=Ada").returncode, 0)

        status, shown = self.record([("Pick", "2"), ("Name", ":q"), ("the program goes on", answer)], "--token", "here", script=(
            "whiptail --menu Pick 0 0 0 a A b B 2>$OUT/menu; whiptail --inputbox Name 0 0 2>$OUT/input; exit 8"))
        self.assertEqual((status, self.read("menu"), self.read("input")), (8, "b", "Ada"), shown)
        self.assertIn("menu-pick:", self.read("recorded.yaml"))
        self.assertIn("which is still running", self.read("recorded.yaml"))

    def test_interrupted(self):
        """Ctrl-C ends the program; the file contains the answers."""
        status, shown = self.record([("Pick", "2"), ("Name", "\x03")], script=(
            "whiptail --menu Pick 0 0 0 a A b B 2>$OUT/menu; whiptail --inputbox Name 0 0 2>$OUT/input; exit 8"))
        self.assertEqual((status, self.read("menu")), (143, "b"), shown)
        self.assertIn("menu-pick:", self.read("recorded.yaml"))

    def test_a_program_that_asks_nothing(self):
        run = self.world.exec("true", command=("record", "--exec"), options=["-o", "nothing.yaml"])
        self.assertEqual(run.wait(), 0, run.said)
        played = self.world.exec("true", options=["--answers", "nothing.yaml"])
        self.assertEqual(played.wait(), 0, played.said)

    def test_usage(self):
        for words in (["record", "--exec"], ["record", "--exec", "true"], ["record", "--exec", "true", "-o", "x"]):
            result = self.world.tool(*words)
            self.assertEqual(result.returncode, 64, result.stderr)
        self.assertEqual(self.world.tool("record", "--exec", "--", "/nonexistent").returncode, 127)


if __name__ == "__main__":
    main()
