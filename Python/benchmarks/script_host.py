"""Measures what a host of scripts costs: its start, and the replay of recorded answers."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from coordinator import flow
from coordinator.scripts.run import Run

SOURCES = Path(__file__).parents[1] / "src"
ANSWERS = 50


def seconds(code: str, times: int = 20) -> float:
    best = 9.9
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PYTHONPATH": str(SOURCES), "PYTHONPYCACHEPREFIX": cache}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for _ in range(times):
            begun = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], env=environment, check=True)
            best = min(best, time.perf_counter() - begun)
    return best


@flow("many", title="Many questions")
async def many(ui):
    for number in range(ANSWERS):
        await ui.menu("number", f"How is number {number}?", small="Small", large="Large", medium="Neither")
    return {}


def refused(message):
    raise AssertionError(message)


def log_of_answers() -> list[dict]:
    run, entries = Run(many, {}, refused), []
    messages = run.start()
    while "ask" in messages[0]:
        message, answer = messages[0], {"event": "large", "payload": {}}
        key = "number" if not entries else f"number#{len(entries) + 1}"
        entries.append({"kind": "ask", "key": key, "digest": message["digest"], "answer": answer})
        messages = run.reply(message["entry"], {"answer": answer})
    return entries


def main() -> None:
    log = log_of_answers()
    best = 9.9
    for _ in range(20):
        begun = time.perf_counter()
        messages = Run(many, {}, refused, log=log).start()
        best = min(best, time.perf_counter() - begun)
        assert messages == [{"entry": ANSWERS, "finish": {}}]
    print(f"{ANSWERS} recorded answers replay in {best * 1000:.1f} ms")
    assert best < 0.020, "the goal is 20 ms"
    empty = seconds("pass")
    host = seconds("from coordinator import flow, serve; import coordinator.scripts.serving, coordinator.scripts.host")
    print(f"an interpreter starts in {empty * 1000:.0f} ms, a host in {host * 1000:.0f} ms")


if __name__ == "__main__":
    main()
