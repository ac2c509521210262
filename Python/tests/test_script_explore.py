"""Every path through a script."""

from typing import Any

import pytest

from coordinator import UI, flow
from coordinator.testing import Stuck, explore
from scripts.join_network import join_network
from scripts.schedule_visit import schedule_visit
from test_script_sketch import FakeRadio


def test_the_examples_can_be_walked() -> None:
    walk = explore(schedule_visit)
    assert walk.screens == {"select-visit-type", "select-pain-level", "faking-it", "no-appointment-required"}
    assert walk.ends == {"finished", "cancelled"} and walk.states == 8
    passphrases = [{"passphrase": "wrong-one"}, {"passphrase": "open-sesame"}]
    walk = explore(join_network, radio=FakeRadio(["home", "work"], "open-sesame"), answers={"passphrase": passphrases})
    assert walk.screens == {"network", "passphrase", "joined"} and walk.ends == {"finished", "cancelled"}


def test_a_mistake_is_found_with_the_path_to_it() -> None:
    @flow("mistake")
    async def mistake(ui: UI) -> dict[str, Any]:
        one = await ui.menu("one", "One?", a="A", b="B")
        two = await ui.menu("two", "Two?", a="A", b="B")
        return {"one": {"a": 1}[one] if two == "b" else 2}

    with pytest.raises(Stuck, match="one ▸ b ▸ two ▸ b: KeyError: 'b'"):
        explore(mistake)


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
    assert walk.screens == {"first", "name", "end"} and walk.ends == {"finished", "cancelled"}
