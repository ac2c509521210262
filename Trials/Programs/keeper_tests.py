"""keeper_tests.py DIRECTORY: runs coordinator-keeper and coordinator-dialog of that directory with small real programs."""

import os
import pathlib
import shutil
import stat
import subprocess
import sys
import unittest

from keeper_client import SECONDS, World, await_end, is_alive, kill, memory_contains, now

BINARIES = "."


class KeeperTestCase(unittest.TestCase):
    def setUp(self):
        self.world = World(BINARIES)
        self.addCleanup(self.world.close)
        os.mkfifo(self.world.root / "fifo")

    def finish(self, keeper, client=None):
        """Receives the end, acknowledges it, and waits for the keeper's end."""
        client = client or keeper.client()
        end = client.end()
        self.assertEqual(client.ask(end=True), {"ending": True})
        status, complaints = keeper.wait()
        self.assertEqual(complaints, "")
        self.assertFalse(keeper.directory.exists(), "the directory of the program is left")
        return end["ended"], end["lines"], status


class ProgramTests(KeeperTestCase):
    """Programs that ask no questions."""

    def test_what_it_prints_is_shown(self):
        keeper = self.world.script("printf 'one\\ntwo 10%%\\rtwo 99%%\\n\\033[31mred\\033[0m \\033]0;title\\007\\202\\n'")
        self.assertEqual(self.finish(keeper), ({"status": 0}, ["one", "two 99%", "red �"], 0))

    def test_hello(self):
        keeper = self.world.script("read line", options=["--title", "Set up"])
        hello = keeper.client().hello
        self.assertEqual((hello["program"], hello["title"], hello["user"], hello["state"], hello["sequence"]),
                         ("program", "Set up", os.geteuid(), "working", 0))
        self.assertEqual(hello["arguments"], [str(self.world.root / "program.sh")])

    def test_exit_statuses(self):
        for status in (0, 1, 7, 255):
            keeper = self.world.script(f"exit {status}", name=f"status-{status}")
            self.assertEqual(self.finish(keeper), ({"status": status}, [], status))

    def test_signals(self):
        keeper = self.world.script("echo before; kill -9 $$")
        self.assertEqual(self.finish(keeper), ({"signal": 9}, ["before"], 137))

    def test_terminal(self):
        keeper = self.world.script("tty; tty </dev/tty; stty size; echo $TERM $LINES; ps -o sid= -p $$ | grep -qw $$ && echo leads",
                                   options=["--size", "100x30"], LINES="5")
        _, lines, _ = self.finish(keeper)
        self.assertRegex(lines[0], "^/dev/pts/")
        self.assertEqual(lines[1:], ["/dev/tty", "30 100", "xterm-256color", "leads"])

    def test_the_program_is_as_nice_as_who_has_started_the_keeper(self):
        nice = self.world.root / "nice-keeper"
        nice.write_text(f'#!/bin/sh\nexec nice -n 7 {self.world.keeper} "$@"\n')
        nice.chmod(0o755)
        self.world.keeper = str(nice)
        self.assertEqual(self.finish(self.world.start("nice"))[1], [str(min(os.nice(0) + 7, 19))])

    def test_environment(self):
        keeper = self.world.script(
            "echo $DEBIAN_FRONTEND; echo $DEBCONF_PIPE; echo $COORDINATOR_PROGRAM; command -v whiptail; echo $SSH_ASKPASS; "
            "echo $SUDO_ASKPASS; echo $GIT_ASKPASS; echo $SSH_ASKPASS_REQUIRE; echo $LC_ALL",
            options=["--size", "200x24"], LC_ALL="C")
        _, lines, _ = self.finish(keeper)
        place = keeper.directory
        self.assertEqual(lines, ["passthrough", f"{place}/debconf", f"{place}/shim", f"{place}/bin/whiptail",
                                 *[f"{place}/bin/askpass"] * 3, "force", "C.UTF-8"])

    def test_arguments_and_variables_stay_as_they_are(self):
        keeper = self.world.script('printf %s "$1$TRIAL" | od -An -tx1 | tr -d "\\n "; echo; printf %s "$1" >$OUT/bytes')
        self.finish(keeper)
        keeper = self.world.start(str(self.world.root / "program.sh"), b"\xff\xe4\n ", TRIAL=b"\xfe")
        self.assertEqual(self.finish(keeper)[1], ["ffe40a20fe"])

    def test_a_program_without_an_interpreter_is_run_by_sh(self):
        path = self.world.root / "plain"
        path.write_text("echo plain $1\n")
        path.chmod(0o755)
        self.assertEqual(self.finish(self.world.start(path, "x"))[1], ["plain x"])

    def test_debconf_is_not_passed_on_without_what_it_needs(self):
        commands = self.world.root / "commands"
        commands.mkdir()
        (commands / "perl").write_text("#!/bin/sh\nexit 2\n")
        (commands / "perl").chmod(0o755)
        path = f"{commands}:{os.environ['PATH']}"
        keeper = self.world.script("echo ${DEBIAN_FRONTEND-none} ${DEBCONF_PIPE-none}", PATH=path)
        self.assertEqual(self.finish(keeper)[1], ["none none"])
        status, complaint = self.world.start("dpkg-reconfigure", "tzdata", name="other", PATH=path).wait()
        self.assertEqual(status, 125)
        self.assertIn("libtext-iconv-perl", complaint)

    def test_only_the_last_output_is_kept(self):
        keeper = self.world.script("yes | head -c 3000000; echo end")
        ended, lines, _ = self.finish(keeper)
        self.assertEqual((ended, lines), ({"status": 0}, ["y"] * 23 + ["end"]))

    def test_progress_is_pushed(self):
        keeper = self.world.script("echo begun; read line <$OUT/fifo; echo done")
        client = keeper.client()
        client.until_printed("begun")
        (self.world.root / "fifo").write_text("on\n")
        self.assertEqual(client.watch()["ended"], {"status": 0})

    def test_sockets_are_this_users_alone(self):
        keeper = self.world.script("read line")
        for place in (keeper.directory, keeper.directory.parent, keeper.directory.parent.parent):
            self.assertEqual(stat.S_IMODE(place.stat().st_mode), 0o700)
        for name in ("control", "shim", "debconf"):
            self.assertEqual(stat.S_IMODE((keeper.directory / name).stat().st_mode), 0o600)

    def test_a_name_is_used_once(self):
        keeper = self.world.script("read line")
        other = self.world.start("true")
        self.assertEqual(other.wait(), (125, "coordinator-keeper: a program with the name 'program' is running already\n"))
        # A killed keeper leaves its directory behind, which the next one takes over.
        kill(keeper.process.pid)
        keeper.process.wait()
        self.assertEqual(self.finish(self.world.start("true"))[0], {"status": 0})

    def test_a_directory_of_others_is_refused(self):
        (self.world.runtime / "coordinatord").mkdir()
        (self.world.runtime / "coordinatord").chmod(0o755)
        status, complaint = self.world.start("true").wait()
        self.assertEqual(status, 125)
        self.assertIn("must be a directory that only this user can enter", complaint)

    @unittest.skipIf(os.geteuid() != 0, "only root can become somebody else")
    def test_other_users(self):
        # A process that is not dumpable must not need its own files in /proc.
        os.chmod(self.world.root, 0o755)
        for name in ("run", "fifo"):
            os.chown(self.world.root / name, 65534, 65534)
        for name in ("coordinator-keeper", "coordinator-dialog"):
            shutil.copy(pathlib.Path(BINARIES) / name, self.world.root)
        self.world.keeper = str(self.world.root / "coordinator-keeper")
        keeper = self.world.script("whiptail --yesno 'As you?' 0 0; echo $?; id -u; read line", user=65534, group=65534, extra_groups=[])
        client = keeper.client()
        self.assertEqual(client.hello["user"], 65534)
        client.answer(client.question(), "no")
        client.until_printed("65534")
        # Root may connect, but other users may not, even if they can reach the socket.
        for place in (self.world.runtime, *keeper.directory.parents[:2][::-1], keeper.directory):
            os.chmod(place, 0o711)
        os.chmod(keeper.path, 0o666)
        os.seteuid(65533)
        try:
            stranger = keeper.client()
        except ConnectionResetError:
            stranger = None
        finally:
            os.seteuid(0)
        if stranger:
            self.assertIsNone(stranger.hello)
        client.ask(end=True)
        self.assertEqual(self.finish(keeper, client)[0], {"signal": 15})

    def test_programs_that_cannot_be_started(self):
        self.assertEqual(self.world.start("no-such-program").wait()[0], 127)
        self.assertEqual(self.world.start("/etc/passwd").wait()[0], 126)
        self.assertEqual(list((self.world.runtime / "coordinatord/programs").iterdir()), [])

    def test_nonsense_closes_the_connection(self):
        keeper = self.world.script("read line")
        for line in (b"{}\n", b"[1]\n", b"\xff\n", b'{"watch": -1}\n', b'{"answer": 1}\n', b'{"answer": "a", "secrets": {"b": 1}}\n'):
            client = keeper.client()
            client.socket.sendall(line)
            self.assertIn("error", client.read(), line)
            self.assertIsNone(client.read())
        self.assertEqual(keeper.client().ask(answer="nonsense", event="ok"), {"stale": "nonsense"})

    def test_the_exit_status_waits_a_bounded_time(self):
        keeper = self.world.start("sh", "-c", "exit 3", options=["--keep", "1"])
        self.assertEqual(keeper.wait(), (3, ""))


class EndingTests(KeeperTestCase):
    """Dismiss, and processes that programs leave behind."""

    def processes(self, *names):
        return [int(self.world.read(name)) for name in names]

    def test_everything_ends_when_told(self):
        keeper = self.world.script(
            "(setsid sh -c 'echo $$ >$OUT/daemon; echo >$OUT/fifo; sleep 1000' &)\nread line <$OUT/fifo\necho $$ >$OUT/program\n"
            "whiptail --msgbox ready 0 0\n")
        client = keeper.client()
        client.question()
        processes = self.processes("daemon", "program")
        self.assertEqual(client.ask(end=True), {"ending": True})
        self.assertEqual(self.finish(keeper, client)[0], {"signal": 15})
        self.assertEqual([is_alive(process) for process in processes], [False, False])

    def test_what_ignores_sigterm_is_killed(self):
        keeper = self.world.script(
            "trap '' TERM\nsh -c 'echo $$ >$OUT/child; while :; do sleep 1000; done' &\nwhile ! [ -s $OUT/child ]; do :; done\n"
            "whiptail --msgbox ready 0 0; while :; do sleep 1000; done")
        client = keeper.client()
        client.question()
        begun = now()
        client.ask(end=True)
        self.assertEqual(self.finish(keeper, client)[0], {"signal": 9})
        self.assertGreater(now() - begun, 4.9)
        self.assertFalse(is_alive(self.processes("child")[0]))

    def root_program(self, text, name):
        """Starts a program of another user that becomes root, as with sudo; only that user can enter its directory."""
        os.chown(self.world.root, 65534, 65534)
        os.chown(self.world.runtime, 65534, 65534)
        for program in ("coordinator-keeper", "coordinator-dialog"):
            shutil.copy(pathlib.Path(BINARIES) / program, self.world.root)
        self.world.keeper = str(self.world.root / "coordinator-keeper")
        shutil.copy(shutil.which("setpriv"), self.world.root / "become-root")
        os.chmod(self.world.root / "become-root", 0o4755)
        (self.world.root / "inner.sh").write_text(text)
        return self.world.script("exec $OUT/become-root --reuid 0 --clear-groups sh $OUT/inner.sh", name=name, user=65534, group=65534,
                                 extra_groups=[])

    @unittest.skipIf(os.geteuid() != 0 or not shutil.which("setpriv"), "only root can become somebody else")
    def test_a_hang_up_reaches_what_runs_as_root(self):
        keeper = self.root_program("id -u; whiptail --msgbox ready 0 0", "sudo")
        client = keeper.client()
        client.question()
        client.ask(end=True)
        ended, lines, _ = self.finish(keeper, client)
        self.assertEqual((ended, lines[0]), ({"signal": 1}, "0"))

    @unittest.skipIf(os.geteuid() != 0 or not shutil.which("setpriv"), "only root can become somebody else")
    def test_what_nothing_reaches_is_left(self):
        keeper = self.root_program("trap '' HUP; echo $$ >$OUT/program; whiptail --msgbox ready 0 0; sleep 1000", "stubborn")
        client = keeper.client()
        client.question()
        client.ask(end=True)
        program, = self.processes("program")
        self.assertEqual(self.finish(keeper, client)[0], {"out-of-reach": True})
        self.assertTrue(is_alive(program))
        os.killpg(program, 9)

    def test_sigterm_ends_the_keeper_like_dismiss(self):
        keeper = self.world.script("whiptail --msgbox ready 0 0")
        keeper.client().question()
        keeper.process.terminate()
        self.assertEqual(keeper.wait(), (143, ""))

    def test_sigterm_is_heard_while_the_program_prints_without_end(self):
        keeper = self.world.start("yes", "item ] ")
        keeper.client().until_printed("item ] ")
        keeper.process.terminate()
        self.assertEqual(keeper.wait(), (143, ""))

    def test_sigterm_is_heard_before_the_program_is_started(self):
        os.mkfifo(self.world.root / "answers")
        process = subprocess.Popen(
            [self.world.keeper, "--name", "program", "--selections", self.world.root / "answers", "--", "true"],
            env=self.world.environment, stdout=subprocess.DEVNULL)
        # Once open returns here, the program is reading it.
        with open(self.world.root / "answers", "w"):
            process.terminate()
            self.assertEqual(process.wait(SECONDS), -15)

    def test_a_hang_up_of_the_keeper_is_nothing(self):
        keeper = self.world.script("whiptail --msgbox ready 0 0")
        client = keeper.client()
        question = client.question()
        keeper.process.send_signal(1)
        client.answer(question, "ok")
        self.assertEqual(self.finish(keeper, client)[0], {"status": 0})

    def test_a_daemon_survives_its_program(self):
        keeper = self.world.script("(setsid sh -c 'echo $$ >$OUT/daemon; exec >/dev/null 2>&1 </dev/null; echo >$OUT/fifo; "
                                   "exec sleep 1000' &)\nread line <$OUT/fifo")
        self.assertEqual(self.finish(keeper)[0], {"status": 0})
        daemon, = self.processes("daemon")
        self.assertTrue(is_alive(daemon))
        kill(daemon)

    def test_a_killed_keeper_ends_its_shims_with_a_sentence(self):
        # The terminal of the program hangs up as well, which would otherwise end the program first.
        keeper = self.world.script("trap '' HUP; echo $$ >$OUT/pid; whiptail --msgbox ready 0 0 2>$OUT/complaint; echo $? >$OUT/status",)
        keeper.client().question()
        process, = self.processes("pid")
        kill(keeper.process.pid)
        self.assertTrue(await_end(process))
        self.assertEqual(self.world.read("status"), "255\n")
        self.assertEqual(self.world.read("complaint"), "whiptail: the question was lost: connection closed\n")


if __name__ == "__main__":
    BINARIES = sys.argv.pop(1)
    unittest.main()
