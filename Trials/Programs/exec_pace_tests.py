"""exec_pace_tests.py DIRECTORY: a program prints under coordinatorctl exec as fast as under script(1).

The program itself measures both in the same run, alternately; the best time of each counts.
"""

import shutil
import subprocess
import sys
import unittest

from exec_world import PATIENCE, ExecTestCase, main

ROUNDS = 9
MOST = 1.2
PROSE = "words = (b'The keeper passes on what a program prints, whatever it ends with. ' * 60)[:4096]\nwrites = [words] * 5000\n"
PROMPTS = "writes = [b'item [%06d] ' % number for number in range(200000)]\n"
LINES = "writes = [b'*** item %06d ? ' % number for number in range(200000)]\n"
# Measures until all output has been read.
TIMED = """
import os, sys, termios, time
begun = time.monotonic()
for bytes in writes:
    while bytes:
        bytes = bytes[os.write(1, bytes):]
termios.tcdrain(1)
with open(os.environ["OUT"] + "/seconds", "w") as file:
    file.write(str(time.monotonic() - begun))
"""


@unittest.skipUnless(shutil.which("script"), "script is not installed")
class PaceTests(ExecTestCase):
    def seconds(self):
        return float(self.read("seconds"))

    def alone(self, program):
        subprocess.run(["script", "-qec", program, "/dev/null"], env=self.world.environment, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, cwd=self.world.home, timeout=PATIENCE, check=True)
        return self.seconds()

    def kept(self, program):
        self.assertEqual(self.world.exec(program).wait(), 0)
        return self.seconds()

    def measure(self, name, text):
        program = self.world.script(name, text + TIMED, interpreter=sys.executable)
        times = [(self.kept(program), self.alone(program)) for _ in range(ROUNDS)]
        kept, alone = (min(column) for column in zip(*times))
        print(f"{name}: {kept:.3f} s under exec, {alone:.3f} s under script, ratio {kept / alone:.2f}", file=sys.stderr)
        self.assertLessEqual(kept, MOST * alone, times)

    def test_20_mb_of_prose(self):
        self.measure("prose", PROSE)

    def test_200_000_prints_that_end_like_a_question(self):
        self.measure("prompts", PROMPTS)

    def test_200_000_prints_that_look_like_a_question_of_dpkg(self):
        self.measure("lines", LINES)


if __name__ == "__main__":
    main()
