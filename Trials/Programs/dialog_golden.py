#!/usr/bin/env python3
"""Compares the shim's knowledge of whiptail and dialog with the real programs.

usage: dialog_golden.py TRIAL [--shim DIRECTORY] [--count N] [--seed N] [--only whiptail|dialog] [--record FILE]

TRIAL is the program `dialog-trial`. DIRECTORY contains the shim as `whiptail` and `dialog`, which is compared, too.
Prints each case that differs, and the seed.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from dialog_fuzz import FuzzMaker  # noqa: E402
from dialog_maker import DialogMaker  # noqa: E402
from real_dialog import play  # noqa: E402
from whiptail_cases import WhiptailMaker  # noqa: E402

KEPT = ["program", "arguments", "environment", "files", "acts"]


def ours(trial, cases):
    """Returns the results of the Swift code for the cases."""
    lines = "".join(json.dumps({key: case[key] for key in KEPT if key in case}) + "\n" for case in cases)
    done = subprocess.run([trial], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def is_quoted_otherwise(case, outcome):
    """Whether quotation marks are quoted for a shell, which dialog itself does incorrectly."""
    printed = "".join(outcome["outputs"].values())
    marks = ('"', "'\\''") if "--single-quoted" in case["arguments"] else ("'",)
    return "--quoted" in case["arguments"] and any(mark in printed for mark in marks)


def generate(arguments, trial):
    """Generates the cases, in which those of the fuzzer escape from every box."""
    chance = random.Random(arguments.seed)
    makers = {"whiptail": [WhiptailMaker(chance)], "dialog": [DialogMaker(chance)], None: [WhiptailMaker(chance), DialogMaker(chance)]}
    cases = []
    for index in range(arguments.count):
        if index % 4 == 3:
            cases.append(FuzzMaker(chance, arguments.only).make())
        else:
            cases.append(chance.choice(makers[arguments.only]).make())
    for _ in range(4):
        for case, outcome in zip(cases, ours(trial, cases)):
            if case.get("escapes") and outcome.get("problem") == "asked more often":
                case["acts"].append({"event": "escape"})
                case["keys"] += [None, "\x1b"]
    kept = []
    for case, outcome in zip(cases, ours(trial, cases)):
        case["reads_stdout"] = "1" in outcome["outputs"] or "--stdout" in case["arguments"]
        if not is_quoted_otherwise(case, outcome):
            kept.append(case)
    return kept


def compare(case, outcome):
    """Compares with the real program. Repeats more slowly if the result differs, because keys may have arrived too
    early."""
    played = play(case)
    for pace in (0.15, 0.4):
        if played.same_as(outcome):
            break
        played = play(case, pace=pace, limit=20)
    return played


class Shim:
    """The shim, and a keeper that answers its questions as in the cases."""

    def __init__(self, trial, programs):
        self.directory = tempfile.TemporaryDirectory()
        path = os.path.join(self.directory.name, "socket")
        self.variables = {"PATH": os.path.abspath(programs), "COORDINATOR_PROGRAM": path}
        self.keeper = subprocess.Popen([trial, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.keeper.stdout.readline() == "listening\n"

    def play(self, case):
        """Returns the outcome of a case, and its screens."""
        self.keeper.stdin.write(json.dumps({key: case[key] for key in KEPT if key in case}) + "\n")
        self.keeper.stdin.flush()
        played = play({**case, "keys": [], "shim": self.variables, "reads_stdout": True})
        return played, json.loads(self.keeper.stdout.readline())

    def end(self):
        """Ends the keeper."""
        self.keeper.stdin.close()
        self.keeper.stdout.close()
        self.keeper.wait()
        self.directory.cleanup()


def compare_shim(arguments, cases, outcomes):
    """Returns the number of cases that differ if the shim is called."""
    shim = Shim(arguments.trial, arguments.shim)
    differ = 0
    for case, outcome in zip(cases, outcomes):
        played, screens = shim.play(case)
        # The output after the input ends with the last screen.
        if played.same_as(outcome) and ("stdin" in case or screens == outcome["screens"]):
            continue
        differ += 1
        print(f"{case}\n  shim  {played.status} {played.outputs} {played.problem or ''} {screens}", flush=True)
        print(f"  ours  {outcome['status']} {outcome['outputs']} {outcome['screens']}", flush=True)
    shim.end()
    return differ


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trial")
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--only", choices=["whiptail", "dialog"])
    parser.add_argument("--record")
    parser.add_argument("--shim")
    arguments = parser.parse_args()
    if missing := [name for name in ("whiptail", "dialog") if shutil.which(name) is None]:
        print("skipped: there is no " + " and no ".join(missing))
        return 0
    print(f"seed {arguments.seed}", flush=True)
    cases = generate(arguments, arguments.trial)
    outcomes = ours(arguments.trial, cases)
    differ = 0
    recorded = []
    with ThreadPoolExecutor(6) as pool:
        for case, outcome, played in zip(cases, outcomes, pool.map(compare, cases, outcomes)):
            if played.same_as(outcome):
                outputs = {key: value for key, value in played.outputs.items() if value}
                recorded.append({key: case[key] for key in KEPT if key in case}
                                | {"outcome": {"status": played.status, "outputs": outputs}})
                continue
            differ += 1
            print(f"{case}\n  real  {played.status} {played.outputs} {played.problem or ''}", flush=True)
            print(f"  ours  {outcome['status']} {outcome['outputs']} {outcome.get('problem') or ''}", flush=True)
    print(f"{len(cases)} calls, {differ} differ")
    if arguments.shim:
        through_shim = compare_shim(arguments, cases, outcomes)
        print(f"{len(cases)} calls of the shim, {through_shim} differ")
        differ += through_shim
    if arguments.record and differ == 0:
        with open(arguments.record, "w", encoding="utf-8") as file:
            file.write("[\n" + ",\n".join(json.dumps(case, sort_keys=True) for case in recorded) + "\n]\n")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
