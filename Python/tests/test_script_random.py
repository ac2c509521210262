"""Random walks: whichever process is killed, and wherever the user goes back, scripts do their steps as written."""

import random
from collections import Counter
from typing import Any

import pytest

from coordinator import UI, flow
from coordinator.testing import ScriptPlay, play, replays

CRASHES = ["before-step", "during-step", "after-step", None]


class World:
    """Counts the executions of steps, by key."""

    def __init__(self) -> None:
        self.done: Counter[str] = Counter()
        self.undone: Counter[str] = Counter()


@flow("journey")
async def journey(ui: UI, world: World = World()) -> dict[str, Any]:  # noqa: B008
    def do(what: str) -> str:
        world.done[ui.key] += 1
        return what

    def undo(what: str) -> None:
        world.undone[what] += 1

    stops: list[str] = []
    while True:
        seen = await ui.look("towns", lambda: ["rome", "oslo", "lima"])
        town = await ui.list("town", f"Stop {len(stops) + 1}?", seen, extra={"enough": "That is all"})
        if town == "enough":
            break
        stops.append(town)
        if await ui.confirm("hotel", f"A hotel in {town}?"):
            await ui.step("hotel", do, town, undo=undo)
        if len(stops) == 3:
            break
    await ui.confirm("pay", f"Pay for {', '.join(stops)} at {ui.now() > 0}?")
    await ui.step("payment", do, "paid")
    form = await ui.form("rate", "How was it?", ui.integer("stars", range=(1, 5)), ui.text("why").optional)
    return {"stops": stops, "stars": form.stars}


def moved(flow: ScriptPlay, chance: random.Random) -> None:
    """Makes a random move."""
    kind = chance.random()
    if kind < 0.25 and flow.can_go_back:
        flow.back()
    elif kind < 0.4:
        flow.restart()
    else:
        crash: Any = chance.choice(CRASHES)
        match flow.screen.name:
            case "rate":
                flow.answer(stars=chance.randint(1, 5))
            case "town":
                flow.answer(chance.choice(["rome", "oslo", "lima", "enough"]))
            case _:
                flow.answer(chance.choice(["yes", "no"]), crash=crash)


@pytest.mark.parametrize("seed", range(1, 26))
def test_random_walks_end_with_what_was_chosen(seed: int) -> None:
    chance, world = random.Random(seed), World()
    one = play(journey, world=world, evict=chance.random() < 0.5)
    for _ in range(200):
        if one.end is not None:
            break
        before = one.log
        moved(one, chance)
        attempts = {e["key"]: e["attempts"] for e in one.log["entries"] if e["kind"] == "step" and "result" in e}
        # Nothing that is recorded was left undone.
        assert all(world.done[key] >= 1 for key in attempts), before
        assert replays(journey, one.log, world=World())
    assert one.end is not None
    if not one.is_cancelled:
        asked = [entry for entry in one.log["entries"] if entry["kind"] == "ask"]
        answers = [entry["answer"] for entry in asked if entry["key"].startswith("town")]
        towns = [answer["payload"]["id"] for answer in answers if answer["event"] == "select"]
        assert one.result["stops"] == towns and world.done["payment"] >= 1


@flow("steps")
async def three_steps(ui: UI, world: World = World()) -> dict[str, Any]:  # noqa: B008
    def do(number: int) -> int:
        world.done[ui.key] += 1
        return number

    results = []
    for number in range(3):
        await ui.message("next", f"Number {number}")
        results.append(await ui.step("do", do, number))
    return {"results": results}


@pytest.mark.parametrize("evict", [False, True])
@pytest.mark.parametrize("crash", ["before-step", "during-step", "after-step"])
@pytest.mark.parametrize("where", range(3))
def test_no_step_is_lost_or_done_twice_without_saying_so(where: int, crash: Any, evict: bool) -> None:
    world = World()
    one = play(three_steps, world=world, evict=evict)
    for number in range(3):
        one.answer("okay", crash=crash if number == where else None)
    assert one.result == {"results": [0, 1, 2]}
    attempts = {entry["key"]: entry["attempts"] for entry in one.log["entries"] if entry["kind"] == "step"}
    key = ["do", "do#2", "do#3"][where]
    assert dict(world.done) == {**dict.fromkeys(attempts, 1), key: 2 if crash == "after-step" else 1}
    assert attempts == {**dict.fromkeys(attempts, 1), key: 1 if crash == "before-step" else 2}
