"""Without an engine and a terminal, `ask` ends the script, which would otherwise continue with an empty answer."""

import concurrent.futures
import contextlib
import ctypes
import errno
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

from fake_engine import ASK, PATIENCE, run_alone

MENU = "ask menu size 'How large?' small=Small"
QUESTIONS = {
    "menu": MENU, "list": "ask list a A x=X", "form": "ask form a A --text b", "confirm": "ask confirm a A", "message": "ask message a A",
    "the secret of a step": "ask step a --stdin b -- touch ran-on", "another flow": "ask run account", "an input that is no input": "COORDINATOR_INPUT=x ask input a",
    "the end as cancelled": "ask cancel", "a new beginning": "ask again",
}
SCRIPTS = {
    "in a command substitution": f"x=$({MENU}); touch ran-on",
    "in a local variable": f"f() {{ local x=$({MENU}); touch ran-on; }}; f",
    "in a condition": "if ask confirm a A; then touch ran-on; else touch ran-on; fi",
    "in a loop until it succeeds": "until ask confirm a A; do touch ran-on; done",
    "in a loop": f"while [ \"$x\" != small ]; do x=$({MENU}); touch ran-on; done",
    "in a subshell": f"( {MENU}; touch ran-on ); touch ran-on",
    "in nested subshells": f"x=$( ( y=$({MENU}); touch ran-on ); touch ran-on ); touch ran-on",
    "in a pipeline": f"{MENU} | cat; touch ran-on",
    "at the end of a pipeline": "echo a | ask list size A --items=-; touch ran-on",
    "read by a subshell": f"{MENU} | {{ read -r x; touch ran-on; }}; touch ran-on",
    "read by a program": f"{MENU} | tr a b | xargs touch ran-on; touch ran-on",
    "in a background job": f"{MENU} & wait; touch ran-on",
    "with traps": f"trap : TERM INT HUP; x=$({MENU}); touch ran-on",
    "with ignored signals": f"trap '' TERM INT HUP; x=$({MENU}); touch ran-on",
    "with a trap that asks": f"trap 'ask confirm a A; touch ran-on' EXIT; x=$({MENU}); touch ran-on",
    "after || true": f"{MENU} || true; touch ran-on",
    "in code for another shell": f"sh -c 'x=$({MENU.replace(chr(39), chr(34))}); touch ran-on'; touch ran-on",
    "with a time limit": f"timeout 60 {MENU}; touch ran-on",
    "in code for another shell with a time limit": "timeout 60 sh -c 'ask confirm a A; touch ran-on'; touch ran-on",
}
BASH_SCRIPTS = {
    "with job control": f"set -m; x=$({MENU}); touch ran-on",
    "in a session of its own": f"setsid --wait {MENU}; touch ran-on",
    "in a process substitution": f"while read -r line; do touch ran-on; done < <({MENU}; touch ran-on); touch ran-on",
    "from a process substitution": f"read -r x < <({MENU}); touch ran-on",
    "read by a program from a process substitution": f"xargs -a <({MENU}) touch ran-on; touch ran-on",
    "with errors on": f"set -euo pipefail; if x=$({MENU}); then touch ran-on; fi; touch ran-on",
}


def refuse_process_descriptors():
    """Makes pidfd_open and pidfd_send_signal fail with ENOSYS, in this process and its descendants."""
    # Load the number of the call; if it is one of the two, the error, else the call itself. (linux/filter.h, linux/seccomp.h)
    code = [(0x20, 0, 0, 0), (0x15, 1, 0, 434), (0x15, 0, 1, 424), (0x06, 0, 0, 0x00050000 | errno.ENOSYS), (0x06, 0, 0, 0x7FFF0000)]
    instructions = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *one) for one in code))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code), ctypes.addressof(instructions)))
    libc = ctypes.CDLL(None, use_errno=True)
    # PR_SET_NO_NEW_PRIVS, then PR_SET_SECCOMP with SECCOMP_MODE_FILTER.
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, program, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "seccomp")


def can_refuse_calls():
    with contextlib.suppress(subprocess.SubprocessError):
        test = "import os, sys\ntry: os.pidfd_open(os.getpid())\nexcept OSError as error: sys.exit(error.errno)"
        return subprocess.run([sys.executable, "-c", test], preexec_fn=refuse_process_descriptors).returncode == errno.ENOSYS
    return False


class WithoutTerminalScriptTests(unittest.TestCase):
    def setUp(self):
        self.directory = self.new_directory()

    def new_directory(self):
        home = tempfile.TemporaryDirectory(prefix="ask-script-")
        self.addCleanup(home.cleanup)
        directory = pathlib.Path(home.name)
        (directory / "ask").symlink_to(ASK)
        return directory

    @property
    def environment(self):
        return {"PATH": f"{self.directory}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "ASAN_OPTIONS": "detect_leaks=0"}

    def write(self, name, script, shell="sh"):
        path = self.directory / name
        path.write_text(f"#!{shutil.which(shell)}\n{script}\n")
        path.chmod(0o755)
        return path

    def run_script(self, script, shell="sh", **options):
        (self.directory / "ran-on").unlink(missing_ok=True)
        return self.run_written(self.write("script", script, shell), **options)

    def run_written(self, path, **options):
        done = subprocess.run(
            [path], env=self.environment, cwd=self.directory, start_new_session=True, capture_output=True, text=True,
            timeout=PATIENCE, **({"stdin": subprocess.DEVNULL} | options))
        self.assertFalse((self.directory / "ran-on").exists(), done.stderr)
        return done

    def run_scripts(self, scripts, check, **options):
        """Runs scripts side by side, because some wait: each a name, its text and its shell. `check` is called with how each has ended."""
        # All are written before the first is started. A process that another thread starts at the same time holds the file
        # open for writing until it executes its program, and until then the kernel executes no such file (ETXTBSY).
        written = []
        for name, script, shell in scripts:
            # A separate test, in a separate directory.
            one = WithoutTerminalScriptTests()
            self.addCleanup(one.doCleanups)
            one.setUp()
            written.append((name, one, one.write("script", script, shell)))
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            ends = [(name, pool.submit(one.run_written, path, **options)) for name, one, path in written]
            for name, end in ends:
                with self.subTest(name):
                    check(end.result())

    def test_a_script_ends_however_it_asks(self):
        shells = [("sh", SCRIPTS), ("bash", SCRIPTS | BASH_SCRIPTS)] + ([("zsh", SCRIPTS)] if shutil.which("zsh") else [])
        self.run_scripts([(f"{shell}, {name}", script, shell) for shell, scripts in shells for name, script in scripts.items()], self.check_end)

    def check_end(self, done):
        self.assertIn(done.returncode, (-signal.SIGTERM, -signal.SIGKILL))
        self.assertEqual(done.stdout, "")
        self.assertIn("ask: there is no terminal to ask on: run the script in a terminal, as a flow (coordinatorctl run NAME)", done.stderr)

    def test_a_script_ends_under_a_kernel_without_descriptors_of_processes(self):
        """Before Linux 5.1 and 5.3, and under seccomp, which some containers have."""
        if not can_refuse_calls():
            self.skipTest("this machine cannot refuse system calls")
        chosen = ("in a command substitution", "in a loop until it succeeds", "in nested subshells", "read by a program", "with ignored signals")
        self.run_scripts([(name, SCRIPTS[name], "sh") for name in chosen], self.check_end, preexec_fn=refuse_process_descriptors)

    def test_a_script_is_terminated_and_hears_one_sentence(self):
        """`setsid -w ./erase.sh </dev/null` erased everything, as cron and `ssh host script` would have."""
        script = "disk=$(ask list disk 'Which disk?' a=A); ask confirm sure 'Erase it?' || exit; ask step erase -- touch ran-on"
        for shell in ("sh", "bash"):
            done = self.run_script(script, shell)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (-signal.SIGTERM, 1))

    def test_every_command_that_needs_an_answer_ends_the_script(self):
        for name, question in QUESTIONS.items():
            for script in (f"{question}; touch ran-on", f"x=$({question}) || true; touch ran-on"):
                with self.subTest(name):
                    self.assertIn(self.run_script(script).returncode, (-signal.SIGTERM, -signal.SIGINT))

    def test_no_file_or_pipe_is_a_terminal(self):
        reading, writing = os.pipe()
        with open(reading) as pipe, open(writing, "w"):
            self.assertEqual(self.run_script(f"x=$({MENU}); touch ran-on", stdin=pipe).returncode, -signal.SIGTERM)
        self.assertEqual(self.run_script(f"echo small | {MENU}; touch ran-on").returncode, -signal.SIGTERM)
        self.assertEqual(self.run_script(f"exec <&- >&-; x=$({MENU}); touch ran-on").returncode, -signal.SIGTERM)

    def test_a_trap_of_the_end_of_a_script_is_executed(self):
        done = self.run_script(f"trap 'echo cleaned >cleaned' EXIT; x=$({MENU}); touch ran-on", "bash")
        self.assertEqual((done.returncode, (self.directory / "cleaned").read_text()), (-signal.SIGTERM, "cleaned\n"))

    def test_a_script_that_asks_nothing_needs_no_terminal(self):
        done = self.run_script("ask look a -- echo seen; ask step b -- echo done; ask sleep c 0.001; ask input d e; ask patched f; ask finish")
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("seen\ndone\ne\n", "", 0))

    def test_whoever_has_started_the_script_goes_on(self):
        self.write("asks", f"x=$({MENU}); touch ran-on")
        callers = {"sh": "./asks; echo $? >status", "bash": "set +e; ./asks; echo $? >status", "python3": "import subprocess\nopen('status', 'w').write('%d\\n' % (128 - subprocess.run(['./asks']).returncode))"}
        for shell, script in callers.items():
            with self.subTest(shell):
                self.run_script(script, shell)
                self.assertEqual((self.directory / "status").read_text(), "143\n")

    def test_the_first_process_of_a_container_stays_where_it_is(self):
        """Nothing ends it from inside, and it must not go on."""
        path = self.write("script", f"x=$({MENU}); touch ran-on")
        process = subprocess.Popen(
            ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", path], env=self.environment, cwd=self.directory, start_new_session=True,
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        with process:
            lines = [process.stderr.readline()]
            if "unshare" in lines[0]:
                process.wait(PATIENCE)
                self.skipTest(lines[0])
            lines.append(process.stderr.readline())
            process.kill()
        self.assertIn("there is no terminal to ask on", lines[0])
        self.assertEqual(lines[1], "ask: the script cannot be ended, and is stopped here; end it from outside\n")
        self.assertFalse((self.directory / "ran-on").exists())

    def test_a_script_ends_that_has_hardly_any_descriptors(self):
        """It was stopped, and then neither ended nor went on."""
        scripts = {"substitution": f"x=$({MENU}); touch ran-on", "subshell": f"x=$( ( y=$({MENU}); touch ran-on ); touch ran-on ); touch ran-on",
                   "trap": f"trap : TERM; x=$({MENU}); touch ran-on"}
        self.run_scripts([(f"{name}, {limit}", f"ulimit -n {limit}; {script}", "bash") for limit in (5, 6, 7, 12) for name, script in scripts.items()],
                         lambda done: self.assertIn(done.returncode, (-signal.SIGTERM, -signal.SIGKILL)))

    @unittest.skipUnless(os.geteuid() == 0, "only root starts programs as another user")
    def test_a_script_of_another_user_stops_where_it_is(self):
        ask = self.directory / "ask"
        ask.unlink()
        shutil.copy(ASK, ask)
        self.directory.chmod(0o755)
        path = self.write("script", f"x=$(setpriv --reuid=65534 --regid=65534 --clear-groups {MENU}); touch ran-on")
        process = subprocess.Popen([path], env=self.environment, cwd=self.directory, start_new_session=True, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        with process:
            lines = [process.stderr.readline(), process.stderr.readline()]
            os.killpg(process.pid, signal.SIGKILL)
        self.assertIn("there is no terminal to ask on", lines[0])
        self.assertEqual(lines[1], "ask: the script cannot be ended, and is stopped here; end it from outside\n")
        self.assertFalse((self.directory / "ran-on").exists())

    def test_a_script_that_asks_through_another_program_is_told_that_it_has_to_end_itself(self):
        code = "import subprocess, sys; sys.exit(subprocess.run(['ask', 'confirm', 'a', 'A']).returncode)"
        done = self.run_script(f"python3 -c \"{code}\" || exit 9; touch ran-on")
        self.assertEqual(done.returncode, 9)
        self.assertRegex(done.stderr, "ask: the script that has started 'python3[^']*' cannot be ended from here; it has to heed the exit status\n$")

    def test_a_program_that_is_no_shell_sees_the_status(self):
        self.assertEqual(run_alone("menu", "a", "A", "x=X").returncode, 3)
        script = "import subprocess\nopen('status', 'w').write(str(subprocess.run(['ask', 'confirm', 'a', 'A']).returncode))"
        self.run_script(script, "python3")
        self.assertEqual((self.directory / "status").read_text(), "3")


if __name__ == "__main__":
    unittest.main()
