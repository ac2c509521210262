"""Walks all paths through a script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from coordinator import codec
from coordinator.codec import JSON
from coordinator.scripts.engines import PATIENCE, Mode
from coordinator.scripts.flow import Script
from coordinator.scripts.stages import EndlessWork
from coordinator.testing.coordinators import Stuck, Walk
from coordinator.testing.scripts import NotDeterministic, start_of
from coordinator.testing.theatres import Theatre


def explore(
    flow: Script, *, flows: Iterable[Script] = (), input: Any = None,
    answers: Mapping[str, Iterable[Mapping[str, Any]]] | None = None, stubs: Mapping[str, JSON] | None = None,
    max_paths: int = 2_000, max_seconds: float = 30.0, patience: float = PATIENCE, **dependencies: Any,
) -> Walk:  # fmt: skip
    """Walks all paths through a script by `coordinator-scripts check`: each choice, time limits, and Back everywhere.

    `answers` contains payloads, by name, in place of guessed ones. Raises `Stuck` for what `check` calls an error, with
    the answers that lead to it; the cause is the exception of the script, if it has raised one. Raises
    `NotDeterministic` if two runs with the same log differ, and `EndlessWork` if a step or a look takes longer than
    `patience`, in seconds. Steps are executed, so pass `dependencies` without side effects, or results of steps by name
    as `stubs`. The walk stops after `max_paths`, or after `max_seconds`: it is not `complete` then.
    """
    script = flow.using(**dependencies) if dependencies else flow
    theatre = Theatre((script, *flows), "en", Mode.TEST, stubs, patience)
    options = ["--flow", script.name, "--real-steps", "--back", "--max-paths", str(max_paths)]
    options += ["--max-seconds", str(max_seconds)]
    for name, payloads in (answers or {}).items():
        options += ["--values", f"{name}={codec.text(codec.encode([dict(one) for one in payloads]))}"]
    for name, value in start_of(script, input)["input"].items():
        options += ["--input", f"{name}:={codec.text(value)}"]
    found = theatre.check(options)
    for problem in found["problems"]:
        if problem["severity"] == "error":
            raise _error(problem) from theatre.cause(problem["message"])
    # Of a child, the name follows that of its flow.
    screens = frozenset(name.rpartition("/")[2] for name in found["questions"])
    # Of a failure, the code follows.
    ends = frozenset(str(end).partition(" ")[0] for end in found["ends"])
    return Walk(screens, ends, found["states"], found["complete"])


def _error(problem: Mapping[str, JSON]) -> AssertionError:
    message = f"{' ▸ '.join(problem['path']) or 'at the start'}: {problem['message']}"
    match problem["check"]:
        case "difference":
            return NotDeterministic(message)
        case "endless-work":
            return EndlessWork(message)
        case _:
            return Stuck(message)
