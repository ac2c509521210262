"""What the daemon knows is completed as it is, whatever it looks like to a shell: nothing of it is a command."""

import os
import pathlib
import pty
import select
import signal
import time
import unittest

from world import BINARIES, CHECKOUT, World, run

# What an access point, or the user of another machine, may be called. Each would run a command if a shell took it for code.
NAMES = [
    "$(touch ran-1)", "`touch ran-2`", "plain; touch ran-3", "${x:-$(touch ran-4)}", "it's $(touch ran-5)", '"$(touch ran-6)"',
    "\\$(touch ran-7)", "é$(touch ran-8)", "\u0d4e$(touch ran-9)", "<(touch ran-10)", "a & touch ran-11", "!touch", "~root",
    "*", "two words", "aa:bb:cc", "x\\:y", "Café", "plain",
]
FLOW = """#!/bin/sh
# coordinator: title=Join; version=1
ask list network Network --items=- <<'END' >/dev/null
%s
END
ask form one One --choice name --option 'only`touch ran-12`$(touch ran-13)=Only' >/dev/null
ask finish
"""


class CompletionTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World(serves_programs=True)
        cls.addClassCleanup(cls.world.__exit__, None, None, None)
        cls.world.__enter__()
        cls.home = pathlib.Path(cls.world.home.name)
        for shell in ("bash", "zsh", "fish"):
            run(CHECKOUT / "Packaging/completion", BINARIES / "coordinatorctl", shell, cls.home)
        flow = cls.home / "coordinatord/flows/join"
        flow.parent.mkdir(parents=True)
        flow.write_text(FLOW % "\n".join(NAMES))
        flow.chmod(0o755)
        cls.until(lambda: "join" in cls.world.run("coordinatorctl", "flows").stdout)
        for tree in ("list", "form"):
            cls.world.run("coordinatorctl", "start", "join", "--token", tree)
            cls.world.run("coordinatorctl", "wait", tree, "--screen", "network")
        cls.world.run("coordinatorctl", "send", "form", "select", "plain", "--wait")

    @staticmethod
    def until(condition):
        """Waits for what emits no event."""
        for _ in range(1200):
            if condition():
                return
            time.sleep(0.05)
        raise AssertionError("it does not come")

    def assert_nothing_ran(self):
        ran = sorted(path.name for path in self.home.glob("ran-*"))
        for name in ran:
            (self.home / name).unlink()
        self.assertEqual(ran, [])

    def test_bash_offers_what_is_there_and_runs_nothing(self):
        words = "coordinatorctl send list select"
        script = f"""
          . ./coordinatorctl
          COMP_WORDS=({words} '') COMP_CWORD=4 COMP_LINE='{words} ' COMP_POINT={len(words) + 1}
          _coordinatorctl coordinatorctl '' select
          # As they are when the line runs.
          eval "printf '%s\\n' ${{COMPREPLY[*]}}"
        """
        for locale in ("C.UTF-8", "C"):
            with self.subTest(locale):
                found = self.world.run("bash", "--norc", "-c", f"export LC_ALL={locale}\n{script}").stdout
                self.assert_nothing_ran()
                self.assertEqual(sorted(found.splitlines()), sorted(NAMES))

    def test_no_shell_runs_what_it_inserts_into_a_line(self):
        for shell, begin in SHELLS.items():
            for typed, completed in (
                ("coordinatorctl send list select \t", "aa:bb:cc"), ("coordinatorctl send list select é", "ran-8"),
                ("coordinatorctl send form submit n", "ran-13"),
            ):
                with self.subTest(f"{shell[0]}: {typed}"), Terminal(self.world, shell, begin) as terminal:
                    terminal.type(typed + "\t")
                    terminal.expect(completed)
                    terminal.type("\x03" if typed.endswith("\t") else "\n")
                    terminal.type("\necho DO''NE\n")
                    terminal.expect("DONE")
                self.assert_nothing_ran()


SHELLS = {
    ("bash", "--norc", "--noprofile", "-i"): ". ./coordinatorctl; PS1='READ''Y> '",
    ("zsh", "-f", "-i"): "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; PS1='READ''Y> '",
    ("fish", "--no-config", "-i"): "source ./coordinatorctl.fish; function fish_prompt; echo 'READ''Y> '; end",
}


class Terminal:
    """A shell at a terminal, in the directory of a world."""

    def __init__(self, world, shell, begin):
        self.world, self.shell, self.begin = world, shell, begin

    def __enter__(self):
        self.output = ""
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.chdir(self.world.home.name)
            environment = dict(self.world.environment, INPUTRC="/dev/null", HISTFILE="", HOME=self.world.home.name)
            os.execvpe(self.shell[0], self.shell, environment)
        self.type(self.begin + "\n")
        self.expect("READY> ")
        return self

    def type(self, text):
        os.write(self.descriptor, text.encode())

    def expect(self, text):
        """Reads up to a text."""
        while text not in self.output:
            if not select.select([self.descriptor], [], [], 60)[0]:
                raise AssertionError(f"'{text}' is not printed: {self.output}")
            try:
                self.output += os.read(self.descriptor, 4096).decode(errors="replace")
            except OSError:
                raise AssertionError(f"'{text}' is not printed: {self.output}") from None
        self.output = self.output.partition(text)[2]

    def __exit__(self, *_):
        os.kill(self.process, signal.SIGKILL)
        os.close(self.descriptor)
        os.waitpid(self.process, 0)


if __name__ == "__main__":
    unittest.main()
