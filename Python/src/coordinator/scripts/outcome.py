"""What the engine says is to be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from coordinator.codec import JSON
from coordinator.scripts.log import Entry


@dataclass(eq=False)
class Effects:
    """What is to be done after a happening. An operation without a reply waits."""

    reply: Mapping[str, JSON] | None = None
    go: Mapping[str, JSON] | None = None
    rerun: str | None = None
    end: Mapping[str, JSON] | None = None
    hold: str | None = None
    undo: str | None = None
    refused: bool = False
    crash: bool = False


REFUSED = Effects(refused=True)
CRASH = Effects(crash=True)


def reply_of(entry: Entry) -> dict[str, JSON]:
    """Returns the reply to the operation of a recorded entry."""
    if "answer" in entry:
        return {"answer": entry["answer"]}
    if "error" in entry:
        return {"error": entry["error"]}
    if entry["kind"] == "child":
        return dict(entry["result"])
    return {"result": entry["result"]}
