"""checks_tests.py [--all]: what checks of scripts find, and what they do not.

Each script in the directory mistakes has one mistake, and says in its third line which check finds it, and in which
words. No example of this repository has any: the test prints the paths and the seconds of each. With --all, the
examples are walked for two minutes each instead of ten seconds.
"""

import itertools
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
MISTAKES = sorted((CHECKOUT / "Trials/Scripts/mistakes").iterdir())
ALL = "--all" in sys.argv
SECONDS = 120 if ALL else 10

# The programs that looks of the examples call do not exist on every machine.
FAKES = {
    "nmcli": "printf 'home\\ncafe\\n'",
    "lsblk": "case $1 in -dnpo) echo '/dev/fake 3M' ;; *) echo 3145728 ;; esac",
    "timedatectl": "printf 'Europe/Berlin\\nAfrica/Cairo\\n'",
    "list-backups": "printf 'monday\\nsunday\\n'",
}
# What steps print, where the script goes on with it, and the values of forms that cannot be guessed.
STUBS = {
    "enrol.sh": "begin=echo otpauth://totp/ada?secret=ABC", "enrol.py": 'begin="otpauth://totp/ada?secret=ABC"',
    "make-coffee.sh": "order=echo 7", "brew-coffee.py": "order=7", "make-coffee.py": 'order={"number": 1}',
}  # fmt: skip


def examples():
    """All scripts of examples and templates."""
    found = [*CHECKOUT.glob("Examples/scripts/*.sh"), *CHECKOUT.glob("Python/examples/scripts/*.py")]
    found += [CHECKOUT / "Examples/new/shell/greet-people", CHECKOUT / "Examples/new/python/greet_people.py"]
    return sorted(found)


def documented():
    """All whole scripts in documents: their names, and their texts."""
    for document in [CHECKOUT / "README.md", CHECKOUT / "Python/README.md", *sorted(CHECKOUT.glob("Docs/*.md"))]:
        for text in re.findall(r"^```\w+\n(#!.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL):
            if "# coordinator: title=Make coffee" in text:
                yield f"{document.stem}/make-coffee.sh", text
            elif name := re.search(r'@flow\("([^"]+)"', text):
                yield f"{document.stem}/{name[1]}.py", text


class CheckTests(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="checks-")
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name)
        for name, body in FAKES.items():
            self.write(self.root / "fakes" / name, f"#!/bin/sh\n{body}\n")
        self.variables = os.environ | {
            "PATH": f"{self.root}/fakes:{os.environ['COORDINATORD_BINARIES']}:{os.environ['PATH']}",
            "PYTHONPATH": f"{CHECKOUT}/Python/src", "SCRATCH": str(self.root), "XDG_RUNTIME_DIR": str(self.root),
            "TMPDIR": str(self.root),
        }  # fmt: skip

    def write(self, path, text):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def check(self, script, *options):
        command = ["coordinator-scripts"] if script.suffix != ".py" else [sys.executable, "-m", "coordinator"]
        command += ["check", str(script), "--json", *options]
        done = subprocess.run(command, env=self.variables, capture_output=True, text=True, timeout=300, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done, [json.loads(line) for line in done.stdout.splitlines()]

    def test_every_mistake_is_found(self):
        self.assertGreaterEqual(len(MISTAKES), 20)
        for script in MISTAKES:
            with self.subTest(script.name):
                lines = dict(line[2:].split(": ", 1) for line in script.read_text().splitlines()[1:4] if line.startswith("# "))
                check, text = lines["finds"].split(": ", 1)
                done, flows = self.check(script, "--strict", *shlex.split(lines.get("options", "")))
                self.assertEqual(done.returncode, 1, done.stdout)
                problems = [problem for flow in flows for problem in flow["problems"]]
                found = [problem for problem in problems if problem["check"] == check and text in problem["message"]]
                self.assertTrue(found, f"{lines['finds']}\n{done.stdout}{done.stderr}")

    def test_no_example_is_flagged(self):
        whole = 0.0
        scripts = {str(script.relative_to(CHECKOUT)): script for script in examples()}
        for name, text in documented():
            scripts[name] = self.root / name
            self.write(scripts[name], text)
        for name, script in scripts.items():
            with self.subTest(name):
                options = ["--stub", STUBS[script.name]] if script.name in STUBS else []
                done, flows = self.check(script, "--strict", "--max-seconds", str(SECONDS), *options)
                for flow in flows:
                    whole += flow["seconds"]
                    bound = "all paths" if flow["complete"] else f"until the limit of {flow['bound']}"
                    print(f"{name}: {flow['paths']} paths, {flow['seconds']:.1f} s, {bound}")
                    self.assertEqual(flow["problems"], [], done.stdout)
                    self.assertGreater(flow["paths"], 0)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        print(f"all examples: {whole:.1f} s")

    def test_a_report_can_be_read_by_ci(self):
        report = self.root / "report.xml"
        self.check(CHECKOUT / "Trials/Scripts/mistakes/exit-on-one-path", "--junit", str(report))
        suites = xml.etree.ElementTree.parse(report).getroot()
        self.assertEqual(suites.tag, "testsuites")
        failures = suites.findall("testsuite/testcase/failure")
        self.assertEqual([failure.get("type") for failure in failures], ["mistake"])
        self.assertIn("exited with status 3", failures[0].text)
        self.assertEqual(suites.get("failures"), "1")

    def test_the_files_for_ci_check_scripts(self):
        for name in ("github.yml", "gitlab.yml"):
            with self.subTest(name):
                commands = block(CHECKOUT / "Examples/scripts/ci" / name, "mkdir -p reports")
                project = self.root / name
                visit = (CHECKOUT / "Examples/scripts/schedule-visit.sh").read_text()
                project.mkdir()
                self.write(project / "flows" / "visit", visit)
                done = self.run_in(project, commands)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.write(project / "flows" / "wrong", visit.replace("ask finish", "exit 3; ask finish"))
                done = self.run_in(project, commands)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                reports = {path.name: xml.etree.ElementTree.parse(path).getroot() for path in (project / "reports").iterdir()}
                self.assertEqual({name: root.get("failures") for name, root in reports.items()}, {"visit.xml": "0", "wrong.xml": "1"})

    def run_in(self, directory, commands):
        command = ["sh", "-e", "-c", commands]
        return subprocess.run(command, cwd=directory, env=self.variables, capture_output=True, text=True, timeout=300, check=False)

    def test_an_interrupted_check_prints_what_it_has_found(self):
        script = self.root / "wizard"
        lines = "for n in 1 2 3 4 5 6 7 8 9; do ask menu q$n Q a=A b=B c=C >/dev/null; done; echo x >>$SCRATCH/ends; ask finish"
        self.write(script, f"#!/bin/sh\n# coordinator: title=Wizard; version=1\n{lines}\n")
        command = ["coordinator-scripts", "check", str(script), "--max-seconds", "300", "--max-paths", "1000000"]
        process = subprocess.Popen(command, env=self.variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 120
        while not (self.root / "ends").exists() and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, errors)
        self.assertRegex(output, "^wizard: [0-9]+ paths?, 9 questions")
        self.assertIn("wizard: interrupted after", errors)


def block(path, first):
    """Returns the lines of a file with the same indentation, from the one that begins with some words."""
    lines = path.read_text().splitlines()
    start = next(number for number, line in enumerate(lines) if line.strip().startswith(first))
    indentation = len(lines[start]) - len(lines[start].lstrip())
    found = itertools.takewhile(lambda line: line.startswith(" " * indentation), lines[start:])
    return "\n".join(line[indentation:] for line in found)


if __name__ == "__main__":
    unittest.main(argv=[argument for argument in sys.argv if argument != "--all"])
