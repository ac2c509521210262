"""Every path through a script."""

import itertools
import threading
from typing import Any

import pytest

from coordinator import UI, Coordinator, Event, Screen, flow, message
from coordinator.testing import EndlessWork, NotDeterministic, Stuck, explore, play
from scripts.join_network import join_network
from scripts.schedule_visit import schedule_visit
from test_script_sketch import FakeRadio


def test_the_examples_can_be_walked() -> None:
    walk = explore(schedule_visit)
    assert walk.screens == {"select-visit-type", "select-pain-level", "faking-it", "no-appointment-required"}
    assert walk.ends == {"finished"} and walk.complete
    passphrases = [{"passphrase": "wrong-one"}, {"passphrase": "open-sesame"}]
    walk = explore(join_network, radio=FakeRadio(["home", "work"], "open-sesame"), answers={"passphrase": passphrases})
    assert walk.screens == {"network", "passphrase", "joined"} and "finished" in walk.ends


def test_a_mistake_is_found_with_the_path_to_it() -> None:
    @flow("mistake")
    async def mistake(ui: UI) -> dict[str, Any]:
        one = await ui.menu("one", "One?", a="A", b="B")
        two = await ui.menu("two", "Two?", a="A", b="B")
        return {"one": {"a": 1}[one] if two == "b" else 2}

    with pytest.raises(Stuck, match=r"one: b ▸ two: b: .*KeyError: 'b'") as caught:
        explore(mistake)
    assert isinstance(caught.value.__cause__, KeyError)


def test_children_are_walked() -> None:
    @flow("child")
    async def child(ui: UI) -> dict[str, Any]:
        return {"name": await ui.menu("name", "Name?", a="A", b="B")}

    @flow("parent")
    async def parent(ui: UI) -> dict[str, Any]:
        await ui.confirm("first", "First?")
        await ui.sleep(10)
        got = await ui.run(child)
        await ui.message("end", f"{got.result}")
        return {}

    walk = explore(parent, flows=[child])
    assert walk.screens == {"first", "name", "end"} and walk.ends == {"finished"}


def test_time_limits_and_loops_are_walked() -> None:
    @flow("rounds")
    async def rounds(ui: UI) -> None:
        try:
            await ui.menu("one", "One?", a="A", timeout=60)
        except ui.TimedOut:
            await ui.message("late", "Too late")
        while await ui.confirm("on", "Once more?"):
            await ui.sleep(3_600)

    assert explore(rounds).screens == {"one", "late", "on"}


def test_a_walk_of_many_paths_stops_at_its_limit() -> None:
    @flow("wizard")
    async def wizard(ui: UI) -> None:
        for number in range(9):
            await ui.menu(f"question-{number}", "Which?", a="A", b="B", c="C")

    walk = explore(wizard, max_paths=5)
    assert not walk.complete and walk.ends == {"finished"}


def test_back_to_another_question_is_found() -> None:
    runs = itertools.count()

    @flow("counter")
    async def counter(ui: UI) -> None:
        await ui.menu("one", f"Run {next(runs)}", a="A")
        await ui.message("two", "Two")

    with pytest.raises((Stuck, NotDeterministic)):
        explore(counter)


def test_a_step_without_end_is_named() -> None:
    @flow("charge")
    async def charge(ui: UI) -> None:
        await ui.step("charge", threading.Event().wait)

    with pytest.raises(EndlessWork, match=r"'charge' has not ended within 1 s: pass stubs=..charge.: …."):
        play(charge, patience=1)
    with pytest.raises(EndlessWork, match='step "charge" has not ended within 1 s'):
        explore(charge, patience=1)
    assert play(charge, stubs={"charge": 1}).end is not None


def test_work_of_a_coordinator_without_end_is_named() -> None:
    class Charge(Coordinator, flow="charge"):
        def start(self) -> None:
            self.present("charge")
            self.start_work("charge")

        def screen(self, key: str) -> Screen:
            return message(key, "Charging")

        def receive(self, event: Event, key: str) -> None:
            raise event.not_taken()

        def perform_charge(self) -> None:
            threading.Event().wait()

    with pytest.raises(EndlessWork, match=r"the work 'charge-1' of Charge has not ended within 0.1 s"):
        play(Charge, patience=0.1)
