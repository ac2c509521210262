"""A directory with the answers of program-trial, and programs that it answers."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

# The directory of the built programs.
DIRECTORY = []


def trial():
    return pathlib.Path(DIRECTORY[0], "program-trial").absolute()


def needs(*programs):
    missing = [program for program in programs if not shutil.which(program)]
    return unittest.skipIf(missing, f"{', '.join(missing)} is not installed")


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.02)


class ProgramTestCase(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="program-trial."))
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        (self.root / "screens").touch()
        self.answer({})

    def answer(self, answers):
        (self.root / "answers.json").write_text(json.dumps(answers))

    @property
    def screens(self):
        return [json.loads(line) for line in (self.root / "screens").read_text().splitlines()]

    def names(self):
        return [screen["name"] for screen in self.screens]

    def script(self, *words):
        path = self.root / words[0]
        path.write_text(f"#!/bin/sh\nexec {trial()} {self.root} {' '.join(words)}\n")
        path.chmod(0o755)
        return str(path)

    def askpass(self, program):
        path = self.root / f"askpass-{program}"
        path.write_text(f'#!/bin/sh\nexec {trial()} {self.root} askpass {program} "$1"\n')
        path.chmod(0o755)
        return str(path)

    def run_program(self, *command, check=True, **environment):
        return subprocess.run(command, env=os.environ | {"LC_ALL": "C.UTF-8", "HOME": str(self.root)} | environment, check=check,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, start_new_session=True, cwd=self.root)


def main():
    """Runs the tests of the calling module with the programs in the directory that the first argument names."""
    DIRECTORY.append(sys.argv[1])
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
