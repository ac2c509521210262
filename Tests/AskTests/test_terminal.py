"""Without an engine, the same questions are asked on the terminal."""

import contextlib
import json
import os
import pathlib
import platform
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from fake_engine import ASK, PATIENCE, run_alone
from script_terminal import Terminal


def wait_until(holds, complaint):
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, complaint
        time.sleep(0.001)


def clocks_of(process):
    """The clocks of the timers that a process has, and those that the threads of its children sleep by; none as long as they may not be looked at."""
    clock_nanosleep = {"x86_64": "230", "aarch64": "115"}[platform.machine()]
    clocks, directory = set(), pathlib.Path(f"/proc/{process}")
    with contextlib.suppress(PermissionError, FileNotFoundError, ProcessLookupError):
        for file in (directory / "fdinfo").iterdir():
            clocks |= {int(line.split()[1]) for line in file.read_text().splitlines() if line.startswith("clockid:")}
        for child in (directory / "task" / str(process) / "children").read_text().split():
            calls = [thread.read_text().split() for thread in pathlib.Path(f"/proc/{child}/task").glob("*/syscall")]
            clocks |= {int(arguments[0], 16) for number, *arguments in calls if number == clock_nanosleep}
    return clocks


def states_below(process):
    """The states of all threads of the processes below one. A thread stops after the first one of its process, and reads what is typed until then."""
    states = set()
    for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split():
        for thread in pathlib.Path(f"/proc/{child}/task").glob("*/stat"):
            states.add(thread.read_text().rpartition(")")[2].split(" ")[1])
        states |= states_below(child)
    return states


class TerminalTests(unittest.TestCase):
    def play(self, script, *answers, expected, status=0):
        with Terminal(script) as terminal:
            for prompt, line in answers:
                terminal.answer(prompt, line)
            self.assertEqual(terminal.end(), (expected, status))

    def test_a_menu_takes_numbers_ids_and_titles(self):
        script = "ask menu size 'How large?' small=Small large='Very large'"
        for line, expected in (("2", "large\n"), ("small", "small\n"), (" Very large ", "large\n"), ("=large", "large\n")):
            self.play(script, ("Choice: ", line), expected=expected)
        self.play(script, ("Choice: ", "3"), ("Enter a number from 1 to 2.\nChoice: ", ""), ("Choice: ", "1"), expected="small\n")

    def test_a_screen_is_shown_as_the_linear_mode_shows_it(self):
        with Terminal("ask menu a Title x=X --summary More y=Y --disabled 'Not now' --error Wrong --paragraph Text --bullet Point --qr CODE "
                      "--step 2/3") as terminal:
            shown = terminal.answer("Choice [1]: ", "y")
            self.assertEqual(shown, "\nTitle\nStep 2 of 3\n\nError: Wrong\n\nText\n\n- Point\n\nQR code: CODE\n\n  1) X: More\n  2) Y (Not now)\n")
            terminal.wait_for("Note: Not now\n")
            terminal.answer("Choice [1]: ", "x")
            self.assertEqual(terminal.end(), ("x\n", 0))

    def test_control_characters_do_not_reach_the_terminal(self):
        with Terminal("ask message a \"$(printf 'a\\033[2Jb\\007')\"") as terminal:
            self.assertNotRegex(terminal.answer("Choice [1]: ", ""), "[\x00-\x09\x0b-\x1f\x7f]")
            self.assertEqual(terminal.end(), ("", 0))

    def test_an_action_that_asks_first_is_asked_about(self):
        self.play("ask menu a A --destructive erase=Erase --sure 'Really?' keep=Keep", ("Choice: ", "1"), ("Really? (y/N): ", "n"),
                  ("Choice: ", "1"), ("Really? (y/N): ", "y"), expected="erase\n")

    def test_a_list_takes_one_row_or_an_action(self):
        script = "printf 'home\\tHome\\tstrong\\nwork\\n' | ask list network 'Which?' --items=- again='Look again'"
        for line, expected in (("1", "home\n"), ("work", "work\n"), ("3", "again\n"), ("Look again", "again\n"), ("Home", "home\n")):
            self.play(script, ("Choice: ", line), expected=expected)

    def test_a_list_without_rows_can_be_cancelled(self):
        with Terminal("ask look scan -- true | ask list network 'Which?' --items=-; echo ran on") as terminal:
            shown = terminal.answer("Choice: ", "cancel")
            self.assertEqual(shown, "\nWhich?\n\nWarning: There is nothing to choose.\n\n  1) Cancel\n")
            self.assertEqual(terminal.end(), ("ask: the list 'network' has no rows and no actions, so it can only be cancelled\n", -signal.SIGTERM))

    def test_a_list_takes_several_rows(self):
        script = "ask list toppings Which? --multiple=1-2 a=A b=B c=C --disabled 'Sold out' --initial b"
        for lines, expected in ((["1, b"], "a\nb\n"), ([""], "b\n"), (["1,2,3", "2,1,2"], "a\nb\n"), (["x", "a"], "a\n")):
            self.play(script, *[("Choose 1 to 2, separated by commas [2]: ", line) for line in lines], expected=expected)

    def test_a_confirmation_is_a_choice(self):
        for line, status in (("1", 0), ("yes", 0), ("Erase", 0), ("2", 1), ("no", 1)):
            self.play("ask confirm a Sure? --yes Erase", ("Choice: ", line), expected="", status=status)

    def test_a_form_is_checked_as_everywhere(self):
        self.play(
            "ask form a A --text login --length 2..4 --pattern '^[a-zäöü]*$' --integer age --range 0..150 --optional --choice size --option s=Small "
            "--option l=Large --flag news --several t --option x=X --option y=Y --count 1..2 --date day --text nick --value 'old one' --assignments",
            ("Login: ", "a"), ("Login must have 2 to 4 characters\nLogin: ", "ABC"), ("Login: ", "äöü"), ("Age (optional): ", "200"),
            ("Age must be 0 to 150\nAge (optional): ", ""), ("2) Large\nSize: ", "3"), ("Size is not one of the choices\n", ""),
            ("Size: ", "2"), ("News (y/n): ", "y"), ("T (separated by commas): ", "1, Y"), ("Day: ", "2026-02-30"), ("Day: ", "2026-07-21"),
            ("Nick [old one]: ", ""), ("Number to change, or send [Continue]: ", ""),
            expected="login='äöü'\nage=''\nsize='l'\nnews='true'\nt='x\ny'\nday='2026-07-21'\nnick='old one'\n")

    def test_a_text_that_is_not_optional_is_not_empty(self):
        self.play("ask form a A --text name", ("Name: ", ""), ("Name is required\nName: ", "Ada"), expected="Ada\n")
        self.play("ask form a A --text name --optional", ("Name (optional): ", ""), expected="\n")

    def test_one_field_is_printed_as_it_is_and_assignments_are_safe(self):
        self.play("ask form a A --text b", ("B: ", "it's $HOME"), expected="it's $HOME\n")
        self.play("eval \"$(ask form a A --text b-c --text 1d --assignments)\"; echo \"$b_c|$_1d\"", ("B c: ", "it's $HOME;`id`"), ("1d: ", "'\\"),
                  ("send [Continue]: ", ""), expected="it's $HOME;`id`|'\\\n")

    def test_several_lines_end_with_a_dot(self):
        self.play("ask form a A --multiline b", ("B (a line with only a dot ends): ", "one\ntwo\n."), expected="one\ntwo\n")

    def test_a_form_shows_fields_when_they_are_wanted(self):
        script = "ask form a A --choice kind --option wpa=WPA --option none=None --text key --shown-if kind=wpa --secret pin --shown-if kind=wpa --json"
        with Terminal(script) as terminal:
            terminal.answer("Kind: ", "none")
            self.assertEqual(json.loads(terminal.end()[0]), {"event": "submit", "payload": {"kind": "none"}})
        with Terminal(script) as terminal:
            terminal.answer("Kind: ", "wpa")
            terminal.answer("Key: ", "k")
            terminal.answer("send [Continue]: ", "")
            self.assertEqual(json.loads(terminal.end()[0]), {"event": "submit", "payload": {"kind": "wpa", "key": "k", "pin": {"secret": True}}})

    def test_a_form_with_actions_says_which_was_chosen(self):
        script = "ask form a A --text b --action later=Later --submit send=Send --assignments"
        self.play(script, ("B: ", "!later"), expected="action='later'\nb=''\n")
        self.play(script, ("B: ", "x"), expected="action='send'\nb='x'\n")

    def test_there_is_no_way_back(self):
        self.play("ask menu a A x=X", ("Choice [1]: ", ":b"), ("There is no way back from this screen.\n", "x"), expected="x\n")

    def test_json_is_printed_on_demand(self):
        for script, answer, expected in (
            ("ask menu a A x=X --json", "x", {"event": "x", "payload": {}}), ("ask list a A x=X --json", "x", {"event": "select", "payload": {"id": "x"}}),
            ("ask list a A x=X --multiple --json", "x", {"event": "select", "payload": {"ids": ["x"]}}),
        ):
            with Terminal(script) as terminal:
                terminal.answer(": ", answer)
                self.assertEqual(json.loads(terminal.end()[0]), expected)

    def test_cancel_leaving_the_end_of_the_input_and_ctrl_c_end_the_script(self):
        for typed, number in (("cancel\n", signal.SIGTERM), ("q\n", signal.SIGTERM), ("\x04", signal.SIGTERM), ("\x03", signal.SIGINT)):
            with self.subTest(typed), Terminal("x=$(ask menu a A x=X --cancel) || true; echo ran on") as terminal:
                terminal.wait_for("Choice: ")
                terminal.type(typed)
                self.assertEqual(terminal.end(), ("", -number))

    def test_a_timeout_takes_the_default(self):
        self.play("ask menu a A x=X y=Y --timeout 0.001 --default y", expected="y\n")
        self.play("ask list a A x=X y=Y --multiple --timeout 0.001 --default y --default x", expected="y\nx\n")
        self.play("ask form a A --text b --value v --timeout 0.001 --default submit", expected="v\n")
        self.play("ask confirm a A --timeout 0.001 --default yes", expected="")
        self.play("ask menu a A x=X --timeout 0.001; echo $?", expected="124\n")
        self.play("ask menu a A x=X --timeout 0.001 --json", expected='{"timeout":true}\n', status=124)

    def test_a_timeout_is_counted_down_to(self):
        with Terminal("ask menu a A x=X y=Y --timeout 100000") as terminal:
            self.assertIn("Continues by itself in 1 d 3 h.\n", terminal.answer("Choice: ", "x"))
            self.assertEqual(terminal.end(), ("x\n", 0))

    def test_a_question_that_cannot_be_shown_is_a_mistake(self):
        self.play("ask form a A --text b --pattern '('; echo $?", expected="ask: the question a cannot be shown: 'schema' is invalid: "
                  "/properties/b/pattern: '(', at 0: this is not terminated\n2\n")

    def test_the_program_that_asks_is_found_in_path_as_well(self):
        asker = ASK.parent / "coordinator-scripts"
        for path, ending in ((f"$PATH:{asker.resolve().parent}", ("x\n", 0)), ("$PATH", None)):
            with self.subTest(path), Terminal(f"cp -L ask other; rm ask; mv other ask; PATH={path}; ask menu a A x=X; echo ran on >&2") as terminal:
                if ending:
                    terminal.answer("Choice [1]: ", "")
                output, status = terminal.end()
                self.assertEqual(status, 0 if ending else -signal.SIGTERM)
                self.assertEqual(output, "x\nran on\n" if ending else "ask: coordinator-scripts, which shows the question, is neither beside this "
                                 "program nor in PATH: install the package coordinatord\n")

    def test_durations_are_measured_by_the_clock_that_nobody_sets(self):
        """A clock that is set back made nothing longer, but a computer that sleeps did."""
        # Only root sees the files of a process that keeps secrets. The user who has created a namespace is root
        # there.
        namespace = [] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user"]
        if namespace and subprocess.run([*namespace, "true"], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("this machine allows users no namespaces of their own")
        for script, shown in (("menu a A x=X --timeout 100000", "[1]: "), ("form a A --text b --timeout 100000", "B: "), ("sleep a 100000", "")):
            with self.subTest(script), Terminal(" ".join(["exec", *namespace, "ask", script])) as terminal:
                if shown:
                    terminal.wait_for(shown)
                wait_until(lambda: clocks_of(terminal.process.pid), "there is no timer")
                self.assertEqual(clocks_of(terminal.process.pid), {time.CLOCK_BOOTTIME})

    def test_steps_and_looks_run_at_once(self):
        self.play("ask look a -- sh -c 'echo seen; exit 3'", expected="seen\n", status=3)
        self.play("ask step a --busy Brewing -- sh -c 'cat; echo $COORDINATOR_KEY $COORDINATOR_ATTEMPT'", expected="Brewing …\na 1\n")

    def test_the_step_asks_for_the_secret_of_its_form_without_showing_it(self):
        script = "ask form a A --secret passphrase && ask step join --stdin passphrase -- wc -c"
        with Terminal(script) as terminal:
            terminal.wait_for("Note: Passphrase is asked for by the step that uses it.\n")
            terminal.answer("Choice [1]: ", "")
            terminal.wait_for("passphrase: ")
            self.assertFalse(terminal.echoes)
            terminal.type("open sesame\n")
            self.assertEqual(terminal.end(), ("11\n", 0))
            self.assertTrue(terminal.echoes)
            self.assertNotIn("sesame", terminal.shown)

    def test_the_step_asks_once_for_a_secret_that_it_takes_twice(self):
        with Terminal("ask step change --stdin old --stdin new --stdin new -- cat | tr '\\n' ,") as terminal:
            terminal.answer("old: ", "tea")
            terminal.answer("new: ", "sesame")
            terminal.answer("Number to change, or send [Continue]: ", "")
            self.assertEqual(terminal.end(), ("tea,(secret),(secret),", 0))

    def test_every_signal_leaves_the_terminal_with_its_echo(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGALRM, signal.SIGUSR1):
            with self.subTest(number.name), Terminal("exec ask step join --stdin passphrase -- cat") as terminal:
                terminal.wait_for("passphrase: ")
                self.assertFalse(terminal.echoes)
                os.kill(terminal.process.pid, number)
                said = "ask: the terminal is gone, so the script ends\n" if number == signal.SIGHUP else ""
                self.assertEqual(terminal.end(), (said, -number))
                self.assertTrue(terminal.echoes)

    @unittest.skipUnless(shutil.which("bash"), "bash is not installed")
    def test_a_stopped_prompt_goes_on_without_echo(self):
        # As SIGTTIN does, SIGSTOP calls no handler.
        stops = {"by the user": lambda terminal: terminal.type("\x1a"),
                 "by another process": lambda terminal: os.killpg(os.tcgetpgrp(terminal.master), signal.SIGSTOP)}
        script = "ask step join --stdin passphrase -- wc -c; echo stopped >/dev/tty; read -r line </dev/tty; fg >/dev/null"
        for name, stop in stops.items():
            with self.subTest(name), Terminal(f"exec bash --norc -ic '{script}'") as terminal:
                terminal.wait_for("passphrase: ")
                stop(terminal)
                terminal.wait_for("stopped")
                wait_until(lambda: states_below(terminal.process.pid) == {"T"}, "the job is not stopped")
                self.assertTrue(terminal.echoes)
                terminal.type("\n")
                wait_until(lambda: not terminal.echoes, "the secret would be shown")
                terminal.type("secret\n")
                self.assertIn("6\n", terminal.end()[0])

    @unittest.skipUnless(shutil.which("bash"), "bash is not installed")
    def test_a_question_of_a_job_in_the_background_waits_for_the_foreground(self):
        script = ("ask menu a A x=X >answer & until jobs -s | grep -q ask; do :; done; echo stopped >/dev/tty; read -r line </dev/tty; "
                  "fg >/dev/null; cat answer")
        with Terminal(f"exec bash --norc -ic '{script}'") as terminal:
            terminal.wait_for("stopped")
            terminal.type("\n")
            terminal.type("x\n")
            self.assertIn("\nx\n", terminal.end()[0])

    def test_a_stop_that_has_no_effect_leaves_the_echo_off(self):
        """Such a process could never be continued: its parent waits for it, and is not a shell."""
        with Terminal("exec ask step join --stdin passphrase -- wc -c") as terminal:
            terminal.wait_for("passphrase: ")
            terminal.type("\x1a\x1a")
            # A process that continues reads the rest.
            terminal.type("secret\n")
            self.assertEqual(terminal.end(), ("6\n", 0))

    def test_a_run_ends_with_a_result_or_a_failure(self):
        self.play("ask finish a=1 b:=true; echo $?", expected="a: 1\nb: true\n0\n")
        self.play("ask fail no-disk 'There is none.'", expected="no-disk: There is none.\n", status=1)
        self.play("x=$(ask cancel) || true; echo ran on", expected="", status=-signal.SIGTERM)
        self.play("ask again a=1; echo ran on", expected="ask: the script would begin anew here; start it again\n", status=-signal.SIGTERM)
        self.play("ask patched sure; echo $?; ask sleep a 0.001; echo $?; ask progress 5 Text", expected="0\n0\n5 % Text\n")
        self.play("ask now | grep -cE '^[0-9]{10}\\.[0-9]{6}$'; ask random | grep -cE '^0\\.[0-9]{15}$'; "
                  "ask uuid | grep -cE '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$'", expected="1\n1\n1\n")


class WithoutTerminalTests(unittest.TestCase):
    def test_every_question_says_that_there_is_no_terminal(self):
        for words in (["menu", "a", "A", "x=X"], ["list", "a", "A", "x=X"], ["form", "a", "A", "--text", "b"], ["confirm", "a", "A"],
                      ["message", "a", "A"], ["step", "a", "--stdin", "b", "--", "true"], ["run", "account"]):
            with self.subTest(words):
                done = run_alone(*words)
                self.assertEqual((done.returncode, done.stdout), (3, ""))
                self.assertIn("coordinatorctl run", done.stderr)

    def test_everything_else_works_without_a_terminal(self):
        self.assertEqual(run_alone("look", "a", "--", "echo", "seen").stdout, "seen\n")
        self.assertEqual(run_alone("input", "a", environment={"COORDINATOR_INPUT": '{"a":1}'}).stdout, "1\n")
        self.assertEqual(run_alone("input", "a", "b").stdout, "b\n")

    def test_an_output_that_is_too_long_is_cut_and_its_step_done_once(self):
        with tempfile.TemporaryDirectory() as directory:
            done = run_alone("step", "charge", "--attempts", "3", "--", "sh", "-c", "echo charged >>log; seq 30000; exit 3", cwd=directory)
            self.assertEqual((pathlib.Path(directory) / "log").read_text(), "charged\n" * 3)
            self.assertEqual(done.returncode, 3)
            done = run_alone("step", "charge", "--attempts", "3", "--", "sh", "-c", "echo charged >log; seq 30000", cwd=directory)
            self.assertEqual(((pathlib.Path(directory) / "log").read_text(), done.returncode), ("charged\n", 0))
            self.assertEqual((done.stdout[:4], done.stdout[-1]), ("1\n2\n", "\n"))
            self.assertIn("the output of the step 'charge' has more than 64 KiB: the first", done.stderr)
        done = run_alone("look", "a", "--", "yes")
        self.assertEqual((done.returncode, set(done.stdout)), (137, {"y", "\n"}))
        self.assertIn("more than 16 MiB", done.stderr)

    def test_input_that_is_not_json_is_refused(self):
        for text in ("{", "[]", '{"a":}', '{"a":1,}', "nothing", '{"a":"\\u12"}', '{"a":"\\ud800\\u00"}', "{" * 100000, '{"a":' + "[" * 100000, "\xff",
                     '{"a":"\\', '{"a', '{"a":1}x', '{"a":tru', '{"a":-}', '{"a":1.}', '{"a":1e}', '{"a":"\n"}', '{,}', '{"a":[1,]}'):
            with self.subTest(text[:20]):
                done = run_alone("input", "a", environment={"COORDINATOR_INPUT": text})
                self.assertEqual((done.returncode, done.stdout), (3, ""))
                self.assertIn("COORDINATOR_INPUT", done.stderr)

    def test_input_with_escapes_is_read(self):
        for text, expected in (('"\\u00e9\\ud83d\\ude00\\n\\/"', "é😀\n/\n"), ('"\\ud800x"', "�x\n"), ('"a\\u0000b"', "ab\n"), ("[]", "\n"), ("1e5", "1e5\n"),
                               ('"\\udc00\\ud800\\u0041"', "��A\n")):
            done = run_alone("input", "a", environment={"COORDINATOR_INPUT": '{"b":{"a":2},"a":%s,"a":3}' % text})
            self.assertEqual((done.stdout, done.returncode), (expected, 0), text)


if __name__ == "__main__":
    unittest.main()
