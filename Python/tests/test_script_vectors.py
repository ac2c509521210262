"""The engine behaves as Tests/ScriptVectors says, as the engine of coordinator-scripts does."""

import json
from pathlib import Path
from typing import Any

import pytest

from coordinator.scripts.engine import Engine
from coordinator.scripts.log import Log
from coordinator.scripts.outcome import Effects

FOLDER = Path(__file__).parents[2] / "Tests" / "ScriptVectors"
FILES = sorted(FOLDER.glob("*.json"))
CASES = [(path.stem, case) for path in FILES for case in json.loads(path.read_text())]


def log_of(value: dict[str, Any]) -> Log:
    entries: list[dict[str, Any]] = []
    for entry in value.get("entries", []):
        times = entry.get("times", 1)
        rest = {name: part for name, part in entry.items() if name != "times"}
        entries += [{**rest, "key": rest["key"] if n == 1 else f"{rest['key']}#{n}"} for n in range(1, times + 1)]
    return Log.from_json({**value, "entries": entries})


def contains(found: Any, expected: Any) -> bool:
    """Whether an object has the expected members. A member that is false may be missing."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return all(contains(found.get(name), part) for name, part in expected.items())
    return bool(found == expected) or (expected is False and found is None)


def place_of(step: dict[str, Any], engine: Engine) -> int:
    """Returns the entry that a step is about."""
    if "operation" in step:
        return int(step["operation"]["entry"])
    key = next(step[name] for name in ("done", "failed", "timer", "child-ended") if name in step)
    place = engine.log.index(key)
    assert place is not None
    return place


def check(name: str, expected: Any, engine: Engine, effects: Effects, step: dict[str, Any]) -> None:
    match name:
        case "waits":
            more = step.get("operation", {}).get("more", False)
            assert (not more and engine.log.waits(place_of(step, engine))) == expected
        case "reply" | "end" | "go":
            found = getattr(effects, name)
            assert contains(found, expected), f"{name}: {found}"
        case "rerun" | "undo" | "refused" | "crash":
            assert getattr(effects, name) == expected
        case "hold":
            assert (effects.hold is not None) == expected
        case "hold-text-contains":
            assert [part for part in expected if part not in (effects.hold or "")] == [], effects.hold
        case "entries":
            found = list(engine.log.entries)
            assert [entry["key"] for entry in found] == [entry["key"] for entry in expected]
            assert all(contains(one, wanted) for one, wanted in zip(found, expected, strict=True)), found
        case "suggestions":
            assert engine.log.suggestions == expected
        case "back":
            assert engine.can_go_back == expected
        case "messages":
            assert [message["code"] for message in engine.messages] == expected
        case "suggested":
            assert engine.suggested == expected
        case other:
            raise AssertionError(f"an unknown expectation: {other}")


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{stem}: {case['name']}") for stem, case in CASES])
def test_the_engine_behaves_as_the_vectors_say(case: dict[str, Any]) -> None:
    engine = Engine(log_of(case.get("log", {"input": {}})))
    for number, step in enumerate(case["steps"]):
        happening = {name: value for name, value in step.items() if name != "expect"}
        engine, effects = engine.happens(happening)
        assert Log.from_json(json.loads(engine.log.text())) == engine.log
        assert engine.log.size == len(engine.log.text().encode())
        for name, expected in step["expect"].items():
            try:
                check(name, expected, engine, effects, step)
            except AssertionError as error:
                raise AssertionError(f"step {number}, {happening}: expected {name} {expected}\n{error}") from None
