"""Where Back leads, and what is in its way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coordinator.scripts.log import Entry, Log, is_effect, is_open, name_of


@dataclass(frozen=True)
class Way:
    """The way back: the question to ask again, or None if there is none, and the steps to undo, newest first."""

    question: int | None
    undo: Sequence[int] = ()
    is_barred: bool = False


def way_back(log: Log) -> Way:
    """Returns the way back from the open question, or from the answered question that is shown busy."""
    here = log.question
    if here is None:
        asks = log.asks(len(log.entries))
        target = asks[-1] if asks else None
    else:
        while log.entries[here].get("corrects"):
            here = log.asks(here)[-1]
        asks = log.asks(here)
        target = asks[-1] if asks else None
    after = range(-1 if target is None else target, len(log.entries))[1:]
    effects = [place for place in after if is_effect(log.entries[place])]
    ordered = [place for place in after if log.entries[place]["kind"] == "step" and is_open(log.entries[place])]
    barred = any(not can_undo(log.entries[place]) for place in (*effects, *ordered))
    if target is None:
        barred = bool(effects or ordered) or log.again
    return Way(target, effects[::-1], barred or log.undoing is not None)


def can_undo(entry: Entry) -> bool:
    """Whether an entry is a step that can be undone."""
    return entry["kind"] == "step" and bool(entry.get("undo"))


def corrects(log: Log, name: str, has_error: bool, place: int) -> bool:
    """Whether a question takes the place of the previous one, whose answer could not be used."""
    asks = log.asks(place)
    if not has_error or not asks or name_of(log.entries[asks[-1]]) != name:
        return False
    return all(_is_passed_over(entry) for entry in log.entries[asks[-1] + 1 : place])


def _is_passed_over(entry: Entry) -> bool:
    return entry["kind"] in ("look", "value", "patch") or (entry["kind"] == "step" and not is_effect(entry))
