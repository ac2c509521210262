"""`python3 -m coordinator check`: walks scripts, and compares their runs in different processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from coordinator import codec
from coordinator.codec import JSON
from coordinator.scripts.engines import Mode
from coordinator.scripts.flow import Script
from coordinator.testing.coordinators import Walk
from coordinator.testing.scripts import NotDeterministic, difference
from coordinator.testing.theatres import Theatre
from coordinator.testing.walks import explore


def check(script: Script, scripts: Sequence[Script], source: str, **options: Any) -> Walk:
    """Walks a script without executing its steps, and repeats each run in a process with a different environment.

    `options` are those of `explore`.
    """
    runs: list[dict[str, JSON]] = []
    walk = explore(script, flows=scripts, passed=lambda flow, log: runs.append({"flow": flow, "log": log}), **options)
    command = [sys.executable, "-m", "coordinator", "check", source, "--repeat"]
    environment = _other_environment()
    given = json.dumps(runs)
    got = subprocess.run(command, input=given, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if got.returncode != 0:
        raise NotDeterministic(f"'{script.name}' cannot be loaded in another environment")
    for run, here, there in zip(runs, _traces(scripts, runs), json.loads(got.stdout), strict=True):
        _compare(run["flow"], here, there)
    return walk


def repeat(scripts: Sequence[Script]) -> None:
    """Executes scripts with the logs on standard input, and prints their operations."""
    sys.stdout.write(codec.text(_traces(scripts, json.load(sys.stdin))))


def _traces(scripts: Sequence[Script], runs: Sequence[Mapping[str, JSON]]) -> list[list[dict[str, JSON]]]:
    theatre = Theatre(scripts, "en", Mode.TEST, None)
    return [theatre.ask({"trace": run["flow"], "log": run["log"]})["trace"] for run in runs]


def _compare(flow: str, here: Sequence[Mapping[str, JSON]], there: Sequence[Mapping[str, JSON]]) -> None:
    for number, (one, other) in enumerate(zip_longest(here, there), 1):
        if one is None or other is None or {**one, "at": ""} != {**other, "at": ""}:
            found = {"flow": flow, "number": number, "one": one, "other": other}
            raise NotDeterministic(difference({name: part for name, part in found.items() if part is not None}))


def _other_environment() -> dict[str, str]:
    """Returns an environment that differs in everything except what Python needs to find its modules."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PYTHON", "LD_")) or name == "PATH"}
    # A time zone and a language that no machine uses.
    other = {"HOME": "/nonexistent", "TZ": "XXX-7", "LANG": "C.UTF-8", "USER": "nobody", "PYTHONHASHSEED": "4242"}
    return {**kept, **other}
