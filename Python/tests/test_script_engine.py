"""The engine of plays: coordinator-scripts, with the test as the host of its scripts."""

import os
import threading
import warnings
from pathlib import Path
from typing import Any

import pytest

from coordinator import UI, flow
from coordinator.errors import FlowError
from coordinator.scripts.engines import NoEngine
from coordinator.testing import play, theatres


@flow("where")
async def where(ui: UI, found: Any = None) -> dict[str, Any]:
    size = await ui.menu("size", "How large?", small="Small", large="Large")
    await ui.step("note", lambda: found.append((size, os.getpid(), threading.current_thread().name)))
    return {"size": size}


def test_functions_are_called_in_the_process_of_the_test() -> None:
    found: list[Any] = []
    assert play(where, found=found).answer("large").result == {"size": "large"}
    assert found == [("large", os.getpid(), "step")]


def test_an_engine_serves_one_play_after_the_other_and_plays_side_by_side_have_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stages = theatres.Stages()
    monkeypatch.setattr("coordinator.testing.theatres.STAGES", stages)
    found: list[Any] = [[], []]
    one, other = (play(where, found=notes) for notes in found)
    assert other.answer("small").result == {"size": "small"} and one.answer("large").result == {"size": "large"}
    assert [notes[0][0] for notes in found] == ["large", "small"]
    used = {id(stage._theatre._stage) for stage in (one, other)}
    del one, other
    assert {id(stage) for _, stage in stages._idle} == used
    another = play(where, found=[])
    assert id(another._theatre._stage) in used and another.screen.name == "size" and len(stages._idle) == 1
    del another
    for _, stage in stages._idle:
        stage.close()


def test_an_engine_that_was_killed_is_not_used_again() -> None:
    one = play(where, found=[])
    one._theatre._stage._engine._process.kill()
    with pytest.raises(FlowError, match="coordinator-scripts has ended"):
        one.answer("large")
    del one
    assert play(where, found=[]).answer("large").result == {"size": "large"}


def test_a_process_that_was_forked_has_engines_of_its_own() -> None:
    one = play(where, found=[])
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # Python warns of threads, and a library may fork all the same.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        found = b"nothing"
        try:
            found = str(play(where, found=[]).answer("small").result["size"]).encode()
        finally:
            os.write(writing, found)
            os._exit(0)
    assert os.read(reading, 100) == b"small" and os.waitpid(child, 0)[1] == 0
    os.close(reading)
    os.close(writing)
    assert one.answer("large").result == {"size": "large"}


def test_what_a_run_does_at_its_end_is_done_when_a_test_goes_on() -> None:
    left: list[str] = []

    @flow("leaving")
    async def leaving(ui: UI) -> None:
        try:
            await ui.message("one", "One")
        finally:
            left.append("left")

    one = play(leaving)
    count = len(left)
    assert count > 0 and one.back().is_cancelled and len(left) == count


def test_without_the_program_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    @flow("uninstalled")
    async def uninstalled(ui: UI) -> None:
        await ui.message("one", "One")

    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoEngine, match="coordinator-scripts plays scripts, and is not in PATH: install"):
        play(uninstalled)


def test_a_flow_that_cannot_be_served_is_said_to_be_that() -> None:
    @flow("No Name!")
    async def nameless(ui: UI) -> None:
        await ui.message("one", "One")

    with pytest.raises(FlowError, match="'--describe' prints a flow without a name"):
        play(nameless)


def test_a_child_that_is_not_given_is_named() -> None:
    @flow("parent")
    async def parent(ui: UI) -> None:
        await ui.run("nobody")

    with pytest.raises(FlowError, match="the flow 'nobody' is not known here"):
        play(parent)
