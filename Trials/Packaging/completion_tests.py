"""Completions from the daemon are passed on unchanged, whatever a shell could interpret in them: none of them runs as a
command."""

import pathlib
import time
import unittest

from world import BINARIES, CHECKOUT, World, run

# Possible names of an access point, or of a user of another machine. Each would run a command if a shell executed it.
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
        """Waits for a condition without an event."""
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


if __name__ == "__main__":
    unittest.main()
