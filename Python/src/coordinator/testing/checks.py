"""`python3 -m coordinator check`: walks scripts, and compares their runs in different processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from coordinator import codec
from coordinator.codec import JSON
from coordinator.scripts.flow import Script
from coordinator.scripts.log import Log
from coordinator.scripts.session import Clock, Held, Session
from coordinator.testing.coordinators import Walk
from coordinator.testing.scripts import NotDeterministic, compare
from coordinator.testing.walks import explore


def check(script: Script, scripts: Sequence[Script], source: str, **options: Any) -> Walk:
    """Walks a script without doing its steps, and repeats each run in a process with another environment.

    `options` are those of `explore`.
    """
    runs: list[dict[str, JSON]] = []

    def passed(session: Session) -> None:
        log = session.engine.log.to_json()
        runs.append({"flow": session.script.name, "log": log, "trace": session.trace, "is_over": session.is_over})

    walk = explore(script, flows=scripts, passed=passed, **options)
    given = json.dumps([{"flow": run["flow"], "log": run["log"]} for run in runs])
    command = [sys.executable, "-m", "coordinator", "check", source, "--repeat"]
    got = subprocess.run(command, input=given, env=_other_environment(), stdout=subprocess.PIPE, text=True, check=False)
    if got.returncode != 0:
        raise NotDeterministic(f"'{script.name}' cannot be loaded in another environment")
    for run, trace in zip(runs, json.loads(got.stdout), strict=True):
        compare(run["flow"], json.loads(json.dumps(run["trace"])), trace, is_over=run["is_over"])
    return walk


def repeat(scripts: Sequence[Script]) -> None:
    """Runs scripts with the logs on the standard input, and prints their traces: their questions and actions."""
    known = {script.name: script for script in scripts}
    sys.stdout.write(codec.text([_trace(known[run["flow"]], run["log"]) for run in json.load(sys.stdin)]))


def _trace(script: Script, log: Mapping[str, JSON]) -> list[Mapping[str, JSON]]:
    session = Session(script, Log.from_json(log), Clock())
    try:
        session.repeat()
    except (Held, Exception):
        # The trace shows how far the run came, and what it did then.
        pass
    session.stop()
    return session.trace


def _other_environment() -> dict[str, str]:
    """Returns an environment that differs in everything except what Python needs to find its modules."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PYTHON", "LD_")) or name == "PATH"}
    # A time zone and a language that no machine uses.
    other = {"HOME": "/nonexistent", "TZ": "XXX-7", "LANG": "C.UTF-8", "USER": "nobody", "PYTHONHASHSEED": "4242"}
    return {**kept, **other}
