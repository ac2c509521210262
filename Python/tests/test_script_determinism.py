"""Scripts that depend on something outside of their log are found out."""

import asyncio
import itertools
import os
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from coordinator import UI, flow
from coordinator.scripts.calls import ForeignAwait
from coordinator.testing import NotDeterministic, play

ROOT = Path(__file__).parents[1]
NUMBERS = itertools.count()


@pytest.mark.parametrize(
    "changing",
    [random.random, time.perf_counter, time.time_ns, lambda: next(NUMBERS)],
    ids=["random", "clock", "time", "global"],
)
def test_changing_texts_are_found(changing: Callable[[], object]) -> None:
    @flow("changing")
    async def script(ui: UI) -> None:
        await ui.menu("a", f"A? {changing()}", a="A")

    with pytest.raises(NotDeterministic, match=r"differ at their 1\. operation(.|\n)*menu|ask \"a\" at test_script"):
        play(script)


def test_changing_names_results_and_numbers_of_operations_are_found() -> None:
    numbers = itertools.count()

    @flow("names")
    async def names(ui: UI) -> None:
        await ui.menu(f"a{next(numbers)}", "A?", a="A")

    @flow("results")
    async def results(ui: UI) -> dict[str, Any]:
        return {"number": next(numbers)}

    @flow("kinds")
    async def kinds(ui: UI) -> None:
        if next(numbers) % 2:
            await ui.look("a", lambda: 1)
        await ui.menu("a", "A?", a="A")

    for script in (names, results, kinds):
        with pytest.raises(NotDeterministic):
            play(script)


def test_what_is_recorded_may_change() -> None:
    @flow("recorded")
    async def recorded(ui: UI) -> dict[str, Any]:
        number = await ui.look("number", lambda: next(NUMBERS))
        await ui.menu("a", f"{number} {ui.now()} {ui.random()} {ui.uuid()}?", a="A")
        return {"number": number}

    assert play(recorded).restart().answer("a").result["number"] >= 0


class Foreign:
    def __await__(self) -> Generator[Any, None, None]:
        yield self


def test_a_foreign_await_is_found_at_once_where_it_stands() -> None:
    @flow("foreign")
    async def foreign(ui: UI) -> None:
        await Foreign()

    with pytest.raises(ForeignAwait, match="awaits Foreign, which is neither a question nor a step") as caught:
        play(foreign)
    assert any(entry.name == "foreign" for entry in caught.traceback)

    @flow("sleeping")
    async def sleeping(ui: UI) -> None:
        await asyncio.sleep(1)

    with pytest.raises(ForeignAwait, match="asyncio"):
        play(sleeping)

    @flow("gathering")
    async def gathering(ui: UI) -> None:
        await asyncio.gather(ui.step("a", lambda: 1), ui.step("b", lambda: 2))

    # Versions of asyncio that create an event loop implicitly warn that this will change.
    with warnings.catch_warnings(), pytest.raises(ForeignAwait, match=r"asyncio.* ui\.all"):
        warnings.simplefilter("ignore", DeprecationWarning)
        play(gathering)


SCRIPT = """
import os
from coordinator import flow, serve

@flow("kinds")
async def kinds(ui):
    kind = await ui.menu("kind", "Which?", {choices})
    return {{"kind": kind}}

serve(kinds) if __name__ == "__main__" else None
"""


@pytest.mark.parametrize(
    ("choices", "is_fine"),
    [
        ("{name: name for name in {'a', 'b', 'c', 'd', 'e', 'f'}}", False),
        ("{'a': os.environ['HOME']}", False),
        ("{'a': str(hash('a'))}", False),
        ("{'a': __import__('time').strftime('%Z')}", False),
        ("{'a': 'A', 'b': 'B'}", True),
    ],
    ids=["order", "environment", "hash", "zone", "fine"],
)
def test_check_runs_scripts_in_different_processes(tmp_path: Path, choices: str, is_fine: bool) -> None:
    path = tmp_path / "kinds.py"
    path.write_text(SCRIPT.format(choices=choices))
    command = [sys.executable, "-m", "coordinator", "check", str(path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONHASHSEED": "1"}
    got = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)
    assert (got.returncode == 0) == is_fine, got.stdout + got.stderr
    assert is_fine or 'ask "kind"' in got.stdout
