"""What happens to a flow while a run waits: answers, Back, timers, and the ends of steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from coordinator.codec import JSON
from coordinator.scripts import undo
from coordinator.scripts.fits import fits
from coordinator.scripts.log import UNKNOWN, Log, begun_of, is_effect, is_exhausted, is_open, is_tried_again, unspent
from coordinator.scripts.outcome import REFUSED, Effects, reply_of

if TYPE_CHECKING:
    from coordinator.scripts.engine import Engine

Happening = Mapping[str, JSON]
LOST = {"level": "warning", "code": "secret-lost", "text": "Please enter the secret again."}


def take(engine: Engine, happening: Happening) -> tuple[Engine, Effects]:
    """Takes a happening that no run has caused. A happening of an entry that is not open is ignored."""
    for name, taking in _TAKING.items():
        if name in happening:
            return taking(engine, happening)
    raise ValueError(f"nothing that happens: {', '.join(sorted(happening))}")


def _event(engine: Engine, happening: Happening) -> tuple[Engine, Effects]:
    place = engine.log.question
    if place is None or engine.question is None or engine.log.undoing is not None:
        return engine, REFUSED
    event, payload = str(happening["event"]), dict(happening.get("payload") or {})
    actions = {action["id"]: action for action in engine.question["screen"].get("actions", ())}
    if actions.get(event, {}).get("role") == "cancel":
        return engine, Effects(end={"cancel": True})
    payload |= {name: {"secret": True} for name in happening.get("secrets") or ()}
    answer = {"event": event, "payload": payload}
    if not fits(engine.question["screen"], answer):
        return engine, REFUSED
    return _answered(engine, place, answer)


def _answered(engine: Engine, place: int, answer: JSON) -> tuple[Engine, Effects]:
    log = engine.log.changed(place, answer=answer)
    suggestions = {key: value for key, value in log.suggestions.items() if key != log.entries[place]["key"]}
    log = log.with_(suggestions=suggestions, notices=())
    return engine.with_log(log, attached=False).checked(_reply(log, reply_of(log.entries[place])))


def _reply(log: Log, reply: JSON) -> Effects:
    # No run waits for what is over while a step is undone: the next one does, unless it is dropped.
    return Effects(reply=reply if log.undoing is None else None)


def _timeout(engine: Engine, happening: Happening) -> tuple[Engine, Effects]:
    place = engine.log.question
    is_shown = place is not None and engine.log.entries[place]["key"] == happening["timeout"]
    if place is None or not is_shown or engine.question is None:
        return engine, Effects()
    return _answered(engine, place, engine.question.get("default") or {"timeout": True})


def _timer(engine: Engine, happening: Happening) -> tuple[Engine, Effects]:
    return _recorded(engine, str(happening["timer"]), "timer", result=True)


def _child_ended(engine: Engine, happening: Happening) -> tuple[Engine, Effects]:
    given = {name: happening[name] for name in ("outcome", "result", "error") if name in happening}
    return _recorded(engine, str(happening["child-ended"]), "child", result=given)


def _recorded(engine: Engine, key: str, *kinds: str, **members: JSON) -> tuple[Engine, Effects]:
    place = _open(engine.log, key, *kinds)
    if place is None:
        return engine, Effects()
    log = engine.log.changed(place, **members)
    if is_effect(log.entries[place]):
        log = log.with_(suggestions={})
    is_work = log.entries[place]["kind"] in ("step", "look")
    reply = {"recorded": True} if is_work else reply_of(log.entries[place])
    return engine.with_log(log).checked(_reply(log, reply))


def _open(log: Log, key: str, *kinds: str) -> int | None:
    place = log.index(key)
    if place is None or log.entries[place]["kind"] not in kinds or not is_open(log.entries[place]):
        return None
    return place


def _began(engine: Engine, happening: Happening) -> tuple[Engine, Effects]:
    key = str(happening["began"])
    place = _open(engine.log, key, "step", "look")
    if place is None:
        return engine, Effects()
    entry = engine.log.entries[place]
    if is_exhausted(entry):
        return _recorded(engine, key, "step", error=UNKNOWN)
    attempt = max(happening.get("attempt", 0), begun_of(entry) + 1)
    engine = engine.with_log(engine.log.changed(place, attempts=attempt))
    return engine, Effects(go={"key": key, "attempt": attempt, "secrets": entry.get("secrets", [])})


def _done(engine: Engine, happening: Happening) -> tuple[Engine, Effects]:
    key = str(happening["done"])
    if engine.log.undoing is not None:
        return undo.done(engine, key)
    return _recorded(engine, key, "step", "look", result=happening.get("value"))


def _failed(engine: Engine, happening: Happening) -> tuple[Engine, Effects]:
    key = str(happening["failed"])
    if engine.log.undoing is not None:
        return undo.failed(engine, key)
    place = _open(engine.log, key, "step", "look")
    if place is not None and is_tried_again(engine.log.entries[place], happening["error"]):
        return engine, Effects()
    return _recorded(engine, key, "step", "look", error=happening["error"])


def _interrupted(engine: Engine, happening: Happening) -> tuple[Engine, Effects]:
    key, log = str(happening["interrupted"]), engine.log
    if log.undoing is not None:
        return undo.again(engine, key)
    place = _open(log, key, "step", "look")
    if place is None:
        return engine, Effects()
    entry = log.entries[place]
    if entry["kind"] == "step" and entry.get("attempts", 0) > 0:
        if is_exhausted(entry):
            log = log.changed(place, error=UNKNOWN).with_(suggestions={})
            return engine.with_log(log, attached=False), Effects(rerun="interrupted")
        if names := entry.get("secrets"):
            forms = unspent(log, place)
            return _lost(engine, min(forms[name] for name in names))
    return engine.with_log(log, attached=False), Effects(rerun="interrupted")


def _secrets_gone(engine: Engine, happening: Happening) -> tuple[Engine, Effects]:
    log, gone = engine.log, set(happening["secrets-gone"])
    # Those of forms that no step has followed yet, and those that wait for a step to begin.
    lost = [form for name, form in unspent(log, len(log.entries)).items() if name in gone]
    for place, entry in enumerate(log.entries):
        if entry["kind"] == "step" and is_open(entry) and not entry.get("attempts"):
            needed = gone & set(entry.get("secrets", ()))
            lost += [form for name, form in unspent(log, place).items() if name in needed]
    return _lost(engine, min(lost)) if lost else (engine, Effects())


def _lost(engine: Engine, form: int) -> tuple[Engine, Effects]:
    log = engine.log.cut(form).with_(notices=(LOST,))
    return engine.with_log(log, attached=False), Effects(rerun="secret-lost")


_TAKING: Mapping[str, Callable[[Engine, Happening], tuple[Engine, Effects]]] = {
    "event": _event, "back": undo.back, "timeout": _timeout, "timer": _timer, "began": _began, "done": _done,
    "failed": _failed, "interrupted": _interrupted, "secrets-gone": _secrets_gone, "child-ended": _child_ended,
}  # fmt: skip
