"""exec_tests.py DIRECTORY: programs under `coordinatorctl exec`, with the daemon and the engine of that directory."""

import os
import signal
import threading

from exec_world import NAME, ExecTestCase, Refused, TerminalTestCase, has_ended, is_alive, main, needs

from gi.repository import GLib


@needs("whiptail")
class WhiptailTests(ExecTestCase):
    def test_every_box(self):
        """A script with all boxes gets the answers, byte by byte, and exec ends with the script's status."""
        # One for each, because a reader that reads again may meet the previous writer.
        for number in range(3):
            os.mkfifo(self.world.home / f"go.{number}")
        run = self.world.exec_script(r"""
whiptail --title "The title" --menu "Pick" 0 0 0 a Alpha b Beta 2>$OUT/menu; echo $? >>$OUT/statuses
whiptail --yesno "Sure?" 0 0; echo $? >>$OUT/statuses
whiptail --inputbox "Name" 0 0 "at first" 2>$OUT/input; echo $? >>$OUT/statuses
whiptail --passwordbox "Secret" 0 0 2>$OUT/password; echo $? >>$OUT/statuses
whiptail --checklist "Which" 0 0 0 x X on y Y off z Z off 2>$OUT/check; echo $? >>$OUT/statuses
whiptail --radiolist "One" 0 0 0 x X on y Y off 2>$OUT/radio; echo $? >>$OUT/statuses
TERM=ansi whiptail --infobox "Nearly there" 0 0; read line <$OUT/go.0; echo $? >>$OUT/statuses
{ echo 10; read line <$OUT/go.1; printf 'XXX\n55\nHalf way\nXXX\n'; read line <$OUT/go.2; echo 100; } |
  whiptail --gauge "Copying" 0 0 0; echo $? >>$OUT/statuses
whiptail --msgbox "Done" 0 0; echo $? >>$OUT/statuses
printf 'last words\n'
exit 7
""")
        def answer(name, event, **payload):
            screen = run.asks(name)
            run.send(event, **payload)
            return screen

        menu = answer("menu-the-title-pick", "select", id="b")
        self.assertEqual((menu["title"], menu["body"], menu["kind"]), ("The title", "Pick", "list"))
        answer("yesno-sure", "no")
        answer("inputbox-name", "ok", value="  \"quotes\" $HOME `ü` \\ ")
        secret = answer("passwordbox-secret", "ok", value="s3cr\\et \"ü'")
        self.assertTrue(secret["schema"]["properties"]["value"]["writeOnly"])
        answer("checklist-which", "select", ids=["z", "x"])
        answer("radiolist-one", "select", id="y")
        run.shows_text("Nearly there")
        (self.world.home / "go.0").write_text("\n")
        run.shows_text("Copying")
        (self.world.home / "go.1").write_text("\n")
        run.shows_text("Half way")
        self.assertEqual(run.top["progress"]["fraction"], 0.55)
        (self.world.home / "go.2").write_text("\n")
        answer("msgbox-done", "ok")
        self.finishes(run, 7)
        self.assertEqual(self.read("menu"), "b")
        self.assertEqual(self.read("input"), "  \"quotes\" $HOME `ü` \\ ")
        self.assertEqual(self.read("password"), "s3cr\\et \"ü'")
        self.assertEqual(self.read("check"), '"x" "z"')
        self.assertEqual(self.read("radio"), "y")
        self.assertEqual(self.read("statuses").split(), ["0", "1", "0", "0", "0", "0", "0", "0", "0"])

    def test_answers_of_the_tool(self):
        """The output and the commands of `coordinatorctl` suffice to answer."""
        run = self.world.exec_script("whiptail --menu Pick 0 0 0 a Alpha b Beta 2>$OUT/menu\nwhiptail --cancel-button Back --menu Again "
                                     "0 0 0 c C 2>/dev/null; echo $? >$OUT/status\nwhiptail --passwordbox Secret 0 0 2>$OUT/password")
        run.asks("menu-pick")
        name = run.path.rpartition("/")[2]
        self.assertIn("Alpha", self.world.tool("show", name).stdout)
        self.assertEqual(self.world.tool("send", name, "select", "id=a").returncode, 0)
        run.asks("menu-again")
        back = self.world.tool("back", name)
        self.assertEqual((back.returncode, back.stderr), (0, ""))
        run.asks("passwordbox-secret")
        (self.world.home / "given").write_text("hush")
        self.assertEqual(self.world.tool("send", name, "ok", f"value=@{self.world.home}/given").returncode, 0)
        self.finishes(run)
        self.assertEqual((self.read("menu"), self.read("status").strip(), self.read("password")), ("a", "1", "hush"))

    def test_back_only_where_the_program_offers_it(self):
        run = self.world.exec_script("whiptail --menu One 0 0 0 a A 2>/dev/null\nwhiptail --cancel-button Back --inputbox Two 0 0 2>/dev/null\n"
                                     "echo $? >$OUT/status")
        run.asks("menu-one")
        self.assertFalse(run.top["back"])
        with self.assertRaises(Refused):
            run.back()
        run.send("cancel")
        run.asks("inputbox-two")
        self.assertTrue(run.top["back"])
        run.back()
        self.finishes(run)
        self.assertEqual(self.read("status").strip(), "1")

    def test_two_renderers_answer_at_once(self):
        """One of them answers; the other receives that the screen is gone. The program gets one answer to each
        question."""
        run = self.world.exec_script("for n in one two three four five; do whiptail --inputbox $n 0 0 2>>$OUT/answers; echo >>$OUT/answers; done")
        refusals = []
        for number, name in enumerate(["one", "two", "three", "four", "five"]):
            screen = run.asks(f"inputbox-{name}")
            taken = []

            def answer(value, screen=screen, taken=taken):
                body = GLib.Variant("(tsa{sv}a{sv})", (screen["id"], "ok", {"value": GLib.Variant("s", value)}, {}))
                try:
                    self.world.call_of(NAME, screen["coordinator"], f"{NAME}.Coordinator", "Delegate", body)
                    taken.append(value)
                except Refused as refused:
                    refusals.append(refused.name)

            threads = [threading.Thread(target=answer, args=(f"{who}{number}",)) for who in "ab"]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(len(taken), 1)
            self.assertIn(taken[0], self.world.until(lambda: self.read("answers").split()[number:], "the answer"))
        self.finishes(run)
        self.assertEqual(len(self.read("answers").split()), 5)
        self.assertLessEqual(set(refusals), {"StaleScreen", "Denied", "UnknownEvent"})

    def test_the_answer_is_busy_until_it_has_arrived(self):
        """A second answer to an answered question is refused."""
        run = self.world.exec_script("whiptail --inputbox One 0 0 2>$OUT/answer")
        run.asks()
        os.kill(run.keeper, signal.SIGSTOP)
        self.addCleanup(self.continue_process, run.keeper)
        run.send("ok", value="first")
        with self.assertRaises(Refused):
            run.send("ok", value="second")
        self.continue_process(run.keeper)
        self.finishes(run)
        self.assertEqual(self.read("answer"), "first")

    @staticmethod
    def continue_process(process):
        try:
            os.kill(process, signal.SIGCONT)
        except ProcessLookupError:
            pass


class EndTests(ExecTestCase):
    """The ends of programs, exec and the flow."""

    def test_statuses(self):
        for status in (0, 1, 126, 255):
            self.finishes(self.world.exec("sh", "-c", f"exit {status}"), status)

    def test_a_signal(self):
        run = self.world.exec("sh", "-c", "echo almost; kill -KILL $$")
        self.assertEqual(run.wait(), 137)
        outcome, result = run.flow_ends()
        self.assertEqual((outcome, result["code"]), ("failed", "program-ended"))
        self.assertIn("signal 9", result["message"])
        self.assertIn("almost", result["message"])

    def test_not_found_and_not_executable(self):
        plain = self.world.home / "plain"
        plain.write_text("text")
        for program, status in (("/nonexistent/program", 127), ("no-such-program", 127), (plain, 126)):
            run = self.world.exec(program)
            self.assertEqual(run.wait(), status, run.said)
            self.assertIn(str(program), run.said)
        self.assertEqual(self.world.manager("ListActive"), [])

    def tree_of_processes(self, waits="sleep 600"):
        """Starts a program that asks, with children, grandchildren, and one process in another session."""
        run = self.world.exec_script(f"sh -c 'sleep 600 & echo $! >>$OUT/pids; echo $$ >>$OUT/pids; wait' &\n"
                                     "setsid sh -c 'echo $$ >>$OUT/pids; exec sleep 600' &\n"
                                     f"echo $$ >$OUT/main; echo $$ >>$OUT/pids\nwhiptail --msgbox Wait 0 0 & echo $! >>$OUT/pids\n{waits}")
        run.asks("msgbox-wait")
        self.world.until(lambda: len(self.read("pids").split()) == 5, "all processes")
        return run, [int(word) for word in self.read("pids").split()]

    def assert_all_end(self, processes):
        for process in processes:
            self.assertTrue(has_ended(process), f"{process} lives on")

    def test_signals_to_exec_end_the_program_and_what_it_started(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number=number):
                (self.world.home / "pids").unlink(missing_ok=True)
                run, processes = self.tree_of_processes()
                keeper = run.keeper
                run.process.send_signal(number)
                self.assertEqual(run.wait(), 143, run.said)
                self.assert_all_end([*processes, keeper])
                self.assertEqual(run.flow_ends()[0], "failed")

    def test_dismiss_ends_the_program_and_what_it_started(self):
        run, processes = self.tree_of_processes()
        keeper = run.keeper
        run.dismiss()
        self.assertEqual(run.wait(), 143, run.said)
        self.assert_all_end([*processes, keeper])
        self.assertEqual(run.flow_ends()[0], "cancelled")

    def test_dismiss_ends_what_ignores_signals(self):
        run, processes = self.tree_of_processes(waits="trap '' TERM HUP INT\nwhile :; do sleep 600; done")
        run.dismiss()
        self.assertEqual(run.wait(), 137, run.said)
        self.assert_all_end(processes)

    def test_exec_is_killed_and_the_program_goes_on(self):
        run = self.world.exec_script("whiptail --inputbox One 0 0 2>$OUT/one\nwhiptail --inputbox Two 0 0 2>$OUT/two\necho $? >$OUT/status")
        run.asks("inputbox-one")
        keeper = run.keeper
        run.process.kill()
        run.process.wait()
        self.assertEqual(run.asks()["name"], "inputbox-one")
        run.send("ok", value="1")
        run.asks("inputbox-two")
        run.send("ok", value="2")
        self.assertEqual(run.flow_ends(), ("finished", {"status": 0}))
        self.assertEqual((self.read("one"), self.read("two"), self.read("status").strip()), ("1", "2", "0"))
        self.assertTrue(has_ended(keeper), "the keeper waits for nobody")

    def test_keeper_is_killed(self):
        run, processes = self.tree_of_processes()
        os.kill(run.keeper, signal.SIGKILL)
        self.assertEqual(run.wait(), 125, run.said)
        outcome, result = run.flow_ends()
        self.assertEqual((outcome, result["code"]), ("failed", "program-ended"))
        # Processes that the end of the terminal reaches have ended; a process in another session has not.
        self.assert_all_end([int(self.read("main"))])
        for process in processes:
            if is_alive(process):
                os.kill(process, signal.SIGKILL)

    def test_a_program_that_asks_nothing(self):
        for _ in range(5):
            self.finishes(self.world.exec("true"))

    def test_what_it_prints_is_shown(self):
        run = self.world.exec("sh", "-c", "printf 'Unpacking\\n\\033[1mbold\\033[0m\\n'; read line; exit 3")
        run.shows_text("bold")
        self.assertIn("Unpacking", str(run.top))
        self.assertNotIn("\x1b", str(run.top))
        run.dismiss()
        run.wait()

    def test_arguments_arrive_byte_by_byte_and_make_one_short_title(self):
        for argument in (b"x\ny \x1b[31mred\x07 \xff", b"long" * 30_000):
            run = self.world.exec_script("printf %s \"$1\" >$OUT/bytes; >$OUT/written; read line", argument)
            run.shows_text("program")
            self.assertLessEqual(len(run.top["title"]), 80)
            self.assertNotRegex(run.top["title"], "[\0-\x1f]")
            # The shell creates the file before it writes into it.
            self.world.until(lambda: (self.world.home / "written").exists(), "the argument")
            self.assertEqual((self.world.home / "bytes").read_bytes(), argument)
            (self.world.home / "written").unlink()
            run.dismiss()
            run.wait()

    def test_several_programs_at_a_time(self):
        runs = [self.world.exec_script(f"whiptail --inputbox Number 0 0 2>$OUT/number.{n}; exit {n}", name=f"program{n}", options=[
            "--token", f"number{n}"]) for n in range(5)]
        for number, run in enumerate(runs):
            run.asks("inputbox-number")
            run.send("ok", value=str(number * 11))
        for number, run in enumerate(runs):
            self.finishes(run, number)
            self.assertEqual(self.read(f"number.{number}"), str(number * 11))

    def test_a_token_names_one_program(self):
        first = self.world.exec_script("whiptail --msgbox Wait 0 0", options=["--token", "mine"])
        first.asks()
        second = self.world.exec_script("whiptail --msgbox Wait 0 0", options=["--token", "mine"])
        self.assertEqual(second.wait(), 1, second.said)
        self.assertIn("runs already", second.said)
        self.assertEqual(first.asks()["name"], "msgbox-wait")
        first.send("ok")
        self.finishes(first)
        third = self.world.exec_script("exit 0", options=["--token", "mine"])
        self.assertNotEqual(third.wait(), 0)
        self.finishes(self.world.exec_script("exit 0", options=["--token", "mine", "--fresh"]))

    def test_without_anybody_to_show_it(self):
        self.world.kill_engine()
        run = self.world.exec("true")
        self.assertNotIn(run.wait(), (0, 125, 126, 127))
        self.assertIn("nobody on this bus can show programs", run.said)


@needs("whiptail")
class TerminalTests(TerminalTestCase):
    """exec in a terminal shows the program there, with coordinator-tui."""

    def test_answered_in_the_terminal(self):
        self.start("echo before; whiptail --menu Pick 0 0 0 a Alpha b Beta 2>$OUT/menu; echo last words; exit 4")
        self.shows("Alpha")
        os.write(self.terminal, b"\r")
        self.ends(4)
        self.assertEqual((self.world.home / "menu").read_text(), "a")
        self.assertTrue(self.shown.endswith(b"before\r\nlast words\r\n"), self.shown)
        self.assertNotIn(b"goes on", self.shown)

    def test_answered_elsewhere_while_it_is_shown(self):
        self.start("whiptail --menu Pick 0 0 0 a Alpha b Beta 2>$OUT/menu; whiptail --inputbox Name 0 0 2>$OUT/name; exit 6")
        self.shows("Alpha")
        sent = self.world.tool("send", "here", "select", "id=b")
        self.assertEqual((sent.returncode, sent.stderr), (0, ""))
        self.shows("Name")
        os.write(self.terminal, b"Ada\r")
        self.ends(6)
        self.assertEqual([(self.world.home / name).read_text() for name in ("menu", "name")], ["b", "Ada"])

    def test_left_and_ended(self):
        """Ctrl-C leaves the renderer, and the next one ends the program."""
        self.start("whiptail --menu Pick 0 0 0 a Alpha b Beta")
        self.shows("Alpha")
        os.write(self.terminal, b"\x03")
        self.shows("the program goes on. Ctrl-C ends it; coordinator-tui ")
        self.shows("here shows it again")
        os.write(self.terminal, b"\x03")
        self.ends(143)

    def test_left_and_answered_elsewhere(self):
        self.start("whiptail --menu Pick 0 0 0 a Alpha b Beta 2>$OUT/menu; exit 6")
        self.shows("Alpha")
        os.write(self.terminal, b"\x03")
        self.shows("the program goes on")
        sent = self.world.tool("send", "here", "select", "id=b")
        self.assertEqual((sent.returncode, sent.stderr), (0, ""))
        self.ends(6)
        self.assertEqual((self.world.home / "menu").read_text(), "b")

    def test_the_terminal_goes_away(self):
        """Closing the terminal ends exec and the renderer, but not the program."""
        self.start("whiptail --menu Pick 0 0 0 a Alpha b Beta 2>$OUT/menu")
        self.shows("Alpha")
        replacement = os.open("/dev/null", os.O_RDWR)
        os.dup2(replacement, self.terminal)
        os.close(replacement)
        os.waitpid(self.child, 0)
        sent = self.world.tool("send", "here", "select", "id=b")
        self.assertEqual((sent.returncode, sent.stderr), (0, ""), (self.shown, self.world.tool("tree").stdout, self.world.written()))
        self.world.until(lambda: (self.world.home / "menu").exists() and (self.world.home / "menu").read_text(), "the answer")


if __name__ == "__main__":
    main()
