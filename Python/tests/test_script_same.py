"""Flows as scripts show what the same flows show as classes: forward, back, and after a restart."""

from typing import Any

import join_network as networks
import schedule_visit as visits
from coordinator import UI, Secret, flow
from coordinator.codec import JSON
from coordinator.testing import Play, ScriptPlay, play
from scripts.schedule_visit import schedule_visit


@flow("visit")
async def visit(ui: UI) -> dict[str, Any]:
    purpose = await ui.menu("select-visit-type", "What is the visit for?", visits.Purpose)
    pain = None
    if purpose is visits.Purpose.SICK:
        pain = await ui.menu("select-pain-level", "How much does it hurt?", visits.Pain)
        if pain.may_be_faked:
            honesty = await ui.menu("faking-it", "Is your pet faking it?", visits.Honesty)
            if honesty is visits.Honesty.FAKE:
                return {"visit": purpose, "pain": pain, "faked": True}
    await ui.message("no-appointment-required", "No appointment required", "Come by whenever it suits you.")
    return {"visit": purpose, "pain": pain}


class Radio:
    def join(self, network: str, passphrase: bytes | None) -> None:
        if passphrase not in (None, b"open-sesame"):
            raise PermissionError("refused")


@flow("join")
async def join(ui: UI, radio: Radio = Radio()) -> dict[str, Any]:  # noqa: B008
    def joined(name: str, passphrase: Secret | None) -> None:
        radio.join(name, bytes(passphrase) if passphrase else None)

    problem = None
    while True:
        form = await ui.form("network", "Which network?", *networks.NETWORK, error=problem, action="Join")
        try:
            await ui.step("join", joined, form.name, form.passphrase)
            break
        except ui.StepFailed:
            problem = "The network does not let this device in."
    await ui.message("joined", "Connected", f"This device is in the network {form.name}.")
    return {"network": form.name}


def shown(flow: Play | ScriptPlay) -> JSON:
    outcome = getattr(flow, "outcome", None)
    if isinstance(flow, ScriptPlay) and flow.end is not None:
        return "cancelled" if flow.is_cancelled else dict(flow.result)
    if outcome is not None:
        return dict(outcome.result) if outcome.finished else outcome.end
    data = flow.screen.data
    keys = ("name", "kind", "title", "body", "schema")
    texts = [message.text for message in flow.screen.messages]
    # The class can also be stopped by an action.
    actions = [action["title"] for action in data["actions"] if action["role"] != "cancel"]
    return {**{key: data.get(key) for key in keys}, "actions": actions, "messages": texts, "back": flow.can_go_back}


def same(flow: Play | ScriptPlay, other: Play | ScriptPlay, moves: tuple[Any, ...]) -> None:
    for number, move in enumerate(moves):
        for one in (flow, other):
            made(one, move)
            # The moves before are the last ones of shorter ways.
            if number >= len(moves) - 2 and isinstance(shown(one), dict) and "name" in shown(one):
                one.restart()
        assert shown(flow) == shown(other), moves
        if not (isinstance(shown(flow), dict) and "name" in shown(flow)):
            return


def made(flow: Play | ScriptPlay, move: Any) -> None:
    if move == "back":
        flow.back()
    elif isinstance(move, dict):
        flow.answer(**move)
    else:
        flow.answer(move)


def possible(flow: Play | ScriptPlay, way: tuple[Any, ...], moves: list[Any]) -> list[Any]:
    """Makes the moves of a way, and returns those that can be made then."""
    for move in way:
        made(flow, move)
    state = shown(flow)
    if not (isinstance(state, dict) and "name" in state):
        return []
    if state["kind"] == "form":
        can = [move for move in moves if isinstance(move, dict)]
    else:
        can = [move for move in moves if not isinstance(move, dict) and move in flow.screen.events]
    return can + [move for move in moves if move == "back" and flow.can_go_back]


def walked(moves: list[Any], depth: int, cls: Any, script: Any, **dependencies: Any) -> int:
    """Makes all possible moves, up to a number of them, in both."""
    ways: list[tuple[Any, ...]] = [()]
    count = 0
    for _ in range(depth):
        ways = [(*way, move) for way in ways for move in possible(play(script, **dependencies), way, moves)]
        for way in ways:
            same(play(cls, **dependencies), play(script, **dependencies), way)
        count += len(ways)
    return count


def test_schedule_visit_is_the_same_as_a_script() -> None:
    moves = ["well", "sick", "little", "severe", "is-fake", "not-fake", "okay", "back"]
    assert walked(moves, 5, visits.Visit, visit) > 40


def test_join_network_is_the_same_as_a_script() -> None:
    wrong = {"name": "home", "security": "wpa", "passphrase": "wrong-one"}
    right = {"name": "home", "security": "wpa", "passphrase": "open-sesame"}
    assert walked([wrong, right, {"name": "cafe", "security": "open"}, "okay", "back"], 4, networks.JoinNetwork, join,
                  radio=Radio()) > 15  # fmt: skip


def test_the_short_example_has_the_same_screens() -> None:
    one, other = play(schedule_visit).answer("sick"), play(visits.Visit).answer("sick")
    assert (one.screen.name, one.screen.title) == (other.screen.name, other.screen.title)
