"""Runs that do not fit their log."""

from __future__ import annotations

from collections.abc import Mapping

from coordinator.codec import JSON
from coordinator.scripts.log import Entry, Log, is_effect, name_of

_KINDS = ("ask", "step", "look", "value", "child", "timer")


def kind_of(message: Mapping[str, JSON]) -> tuple[str, str]:
    """Returns the kind and the name of an operation."""
    for kind in _KINDS:
        if kind in message:
            return kind, str(message[kind])
    raise ValueError(f"no operation: {', '.join(sorted(message))}")


def is_held(log: Log, place: int) -> bool:
    """Whether what follows a misfit has an effect, so that it cannot be dropped."""
    return any(is_effect(entry) for entry in log.entries[place:])


def hold_text(log: Log, place: int, message: Mapping[str, JSON]) -> str:
    """Tells the author of a script what was recorded, and what the script does now."""
    effect = next(entry for entry in log.entries[place:] if is_effect(entry))
    name = name_of(effect)
    because = f'{effect["kind"]} "{name}" cannot be undone by asking again'
    verb = next((verb for verb in ("finish", "cancel", "fail", "again") if verb in message), None)
    now = verb or _now(message)
    advice = (
        "undo the change" if verb else f'undo the change, or put the new part behind patched("{kind_of(message)[1]}")'
    )
    return f"recorded {place + 1}. {_recorded(log.entries[place])}; now {place + 1}. {now}. {because}: {advice}"


def _recorded(entry: Entry) -> str:
    return f'{entry["kind"]} "{name_of(entry)}"' + (f" at {entry['at']}" if "at" in entry else "")


def _now(message: Mapping[str, JSON]) -> str:
    kind, name = kind_of(message)
    kind = str(message["screen"]["kind"]) if kind == "ask" else kind
    return f'{kind} "{name}"' + (f" at {message['at']}" if "at" in message else "")
