"""Back, and the undoing of the steps in between."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from coordinator.codec import JSON
from coordinator.scripts.back import can_undo, way_back
from coordinator.scripts.log import Log, is_effect
from coordinator.scripts.outcome import REFUSED, Effects

if TYPE_CHECKING:
    from coordinator.scripts.engine import Engine


def back(engine: Engine, happening: Mapping[str, JSON]) -> tuple[Engine, Effects]:
    """Goes back from the question that is shown."""
    way = way_back(engine.log)
    if way.is_barred:
        return engine, REFUSED
    if way.question is None:
        return engine, Effects(end={"cancel": True})
    return _next(engine, engine.log.with_(undoing=way.question))


def done(engine: Engine, key: str) -> tuple[Engine, Effects]:
    """Takes note that the newest step is undone."""
    place = newest(engine.log)
    if place is None or engine.log.entries[place]["key"] != key:
        return engine, Effects()
    # It was done, and is no more: it may be begun as often as before.
    return _next(engine, engine.log.changed(place, result=None).cut(place))


def failed(engine: Engine, key: str) -> tuple[Engine, Effects]:
    """Gives up: the user stays where they are, and is told."""
    place = newest(engine.log)
    if place is None or engine.log.entries[place]["key"] != key:
        return engine, Effects()
    message = {"level": "error", "code": "undo-failed", "text": "This could not be undone."}
    engine = engine.with_log(engine.log.with_(undoing=None, notices=(message,)))
    is_asked = engine.log.question is not None and engine.question is not None
    return engine, Effects(rerun=None if is_asked else "undo-failed")


def again(engine: Engine, key: str) -> tuple[Engine, Effects]:
    """Undoes a step again whose undoing was interrupted."""
    return engine.with_log(engine.log, attached=False), Effects(rerun="interrupted", undo=key)


def newest(log: Log) -> int | None:
    """Returns the index of the step to undo now."""
    assert log.undoing is not None
    after = range(len(log.entries) - 1, log.undoing, -1)
    return next((place for place in after if is_effect(log.entries[place]) and can_undo(log.entries[place])), None)


def _next(engine: Engine, log: Log) -> tuple[Engine, Effects]:
    assert log.undoing is not None
    place = newest(log)
    if place is not None:
        return engine.with_log(log, attached=False), Effects(rerun="back", undo=log.entries[place]["key"])
    log = log.cut(log.undoing).with_(undoing=None)
    return engine.with_log(log, attached=False), Effects(rerun="back")
