"""The engine of scripts, as a pure value: a log and a happening give another log, and what to do.

It decides as `coordinator-scripts` does. Tests/ScriptVectors holds both to the same cases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from coordinator.codec import JSON
from coordinator.scripts import happenings
from coordinator.scripts.back import corrects, way_back
from coordinator.scripts.divergence import hold_text, is_held, kind_of
from coordinator.scripts.fits import fits, suggested, with_suggestion
from coordinator.scripts.log import (
    MAX_BYTES,
    MAX_ENTRIES,
    UNKNOWN,
    Log,
    is_exhausted,
    is_open,
    limited,
    name_of,
    unspent,
)
from coordinator.scripts.outcome import CRASH, Effects, reply_of

Operation = Mapping[str, JSON]
Draw = Callable[[str], JSON]

SPENT = {
    "type": "SecretSpent",
    "message": "A secret can be used by the first step after its form only. Ask for it again.",
}


def draw(name: str) -> JSON:
    """Returns the value of `now`, `random` or `uuid`."""
    import random
    import time
    import uuid

    match name:
        case "now":
            return time.time()
        case "random":
            return random.random()
        case "uuid":
            return str(uuid.uuid4())
    raise ValueError(f"there is no value '{name}': it is now, random or uuid")


@dataclass(frozen=True)
class Engine:
    """A flow: its log, which is stored, and the question that a run has attached to it, which is not."""

    log: Log = field(default_factory=Log)
    question: Operation | None = None

    # What is shown.

    @property
    def can_go_back(self) -> bool:
        """Whether the question that is shown, open or busy, allows Back."""
        return not way_back(self.log).is_barred

    @property
    def messages(self) -> list[Mapping[str, JSON]]:
        """The messages of the question that is shown."""
        screen = self.question["screen"] if self.question else {}
        return [*self.log.notices, *screen.get("messages", ())]

    @property
    def suggested(self) -> JSON:
        """What the question preselects: the ID of an action or an item, or the values of a form."""
        return suggested(self.question["screen"], self._suggestion) if self.question else None

    @property
    def screen(self) -> dict[str, JSON]:
        """The open question as it is shown, with suggestions, messages and `back`."""
        assert self.question is not None, "no run has asked the question"
        shown = with_suggestion(self.question["screen"], self._suggestion)
        return {**shown, "messages": self.messages, "back": self.can_go_back}

    @property
    def _suggestion(self) -> Mapping[str, JSON] | None:
        place = self.log.question
        return None if place is None else self.log.suggestions.get(self.log.entries[place]["key"])

    # What a script does.

    def operation(self, message: Operation, draw: Draw = draw) -> tuple[Engine, Effects]:
        """Takes an operation of a run."""
        ending = next((verb for verb in ("finish", "cancel", "fail", "again", "crash") if verb in message), None)
        if ending is not None:
            return self._end(ending, message)
        place, count = int(message["entry"]), len(self.log.entries)
        if place > count:
            return self, CRASH
        if "patched" in message:
            return self._patched(str(message["patched"]), place)
        kind, name = kind_of(message)
        if kind == "ask" and (message.get("more") or self.log.is_followed(place - 1)):
            # Only one question is open at a time, and nothing beside it.
            return self, CRASH
        if place == count:
            return self._append(kind, name, message, draw)
        entry = self.log.entries[place]
        if (kind, name) == (entry["kind"], name_of(entry)):
            log = self.log.following(place, bool(message.get("more")))
            if kind in ("step", "look") and is_open(entry):
                log = log.replaced(place, limited(log.entries[place], message))
            engine, entry = self.with_log(log), log.entries[place]
            if is_open(entry):
                return engine._attached(kind, message, place), Effects()
            if (
                kind != "ask"
                or entry.get("digest") == message.get("digest")
                or fits(message["screen"], entry["answer"])
            ):
                return engine, Effects(reply=reply_of(entry))
        if is_held(self.log, place):
            return self, Effects(hold=hold_text(self.log, place, message))
        return replace(self, log=self.log.cut(place), question=None)._append(kind, name, message, draw)

    def _attached(self, kind: str, message: Operation, place: int) -> Engine:
        if kind != "ask":
            return self
        known = {"digest": message["digest"]} if "digest" in message else {}
        return replace(self, log=self.log.changed(place, **known), question=message)

    def _append(self, kind: str, name: str, message: Operation, draw: Draw) -> tuple[Engine, Effects]:
        log = self.log
        if log.undoing is not None:
            # The run that undoes a step must not get ahead of it. It is run again after that.
            return self, Effects()
        place = len(log.entries)
        if place >= MAX_ENTRIES:
            return self, too_long()
        entry: dict[str, JSON] = {"kind": kind, "key": log.key(name, place)}
        entry |= {name: message[name] for name in ("at", "more") if message.get(name)}
        match kind:
            case "ask":
                entry |= {"digest": message["digest"]} if "digest" in message else {}
                has_error = any(one["level"] == "error" for one in message["screen"].get("messages", ()))
                entry |= {"corrects": True} if corrects(log, name, has_error, place) else {}
            case "step":
                entry |= {name: message[name] for name in ("undo", "once", "secrets") if message.get(name)}
                entry |= {"attempts": 0, **_attempts(message)}
                begun = dict(log.begun)
                if earlier := begun.pop(entry["key"], 0):
                    entry["earlier"], log = earlier, log.with_(begun=begun)
                if is_exhausted(entry):
                    entry |= {"error": UNKNOWN}
                elif not set(entry.get("secrets", ())) <= set(unspent(log, place)):
                    entry |= {"error": SPENT}
            case "look":
                entry |= _attempts(message)
            case "value":
                entry["result"] = draw(name)
        log = log.appended(entry)
        engine = replace(self, log=log, question=message if kind == "ask" else None)
        return engine.checked(Effects(reply=None if is_open(entry) else reply_of(entry)))

    def _patched(self, name: str, place: int) -> tuple[Engine, Effects]:
        if place < len(self.log.entries):
            entry = self.log.entries[place]
            return self, Effects(reply={"result": entry["kind"] == "patch" and name_of(entry) == name})
        if self.log.undoing is not None:
            return self, Effects()
        entry = {"kind": "patch", "key": self.log.key(name, place), "result": True}
        return self.with_log(self.log.appended(entry)).checked(Effects(reply=reply_of(entry)))

    def _end(self, verb: str, message: Operation) -> tuple[Engine, Effects]:
        if verb == "crash":
            return self, CRASH
        if self.log.undoing is not None:
            return self, Effects()
        place = int(message.get("entry", len(self.log.entries)))
        if is_held(self.log, place):
            return self, Effects(hold=hold_text(self.log, place, message))
        if verb == "again":
            log = Log(message["again"] or {}, again=True, version=self.log.version, digest=self.log.digest)
            return Engine(log), Effects(rerun="again")
        end = message[verb]
        if verb == "fail":
            # What else it has is for the author's log.
            end = {name: end[name] for name in ("code", "message") if name in end}
        return replace(self, log=self.log.cut(place)), Effects(end={verb: end})

    # What happens to it.

    def happens(self, happening: Mapping[str, JSON], draw: Draw = draw) -> tuple[Engine, Effects]:
        """Takes any happening, in the format of the conformance vectors."""
        if "operation" in happening:
            return self.operation(happening["operation"], draw)
        return happenings.take(self, happening)

    def checked(self, effects: Effects) -> tuple[Engine, Effects]:
        """Returns the effects, or those of a log that is too long."""
        return (self, too_long()) if self.log.size > MAX_BYTES else (self, effects)

    def with_log(self, log: Log, *, attached: bool = True) -> Engine:
        """Returns the engine with another log, with or without what its run has asked."""
        return replace(self, log=log, question=self.question if attached else None)


def _attempts(message: Operation) -> dict[str, JSON]:
    return {"most": message["attempts"]} if message.get("attempts") else {}


def too_long() -> Effects:
    """Returns the end of a flow that has reached a limit."""
    limits = f"{MAX_ENTRIES} entries and {MAX_BYTES // 1024} KiB"
    return Effects(
        end={"fail": {"code": "too-long", "message": f"the log may have {limits}; start it again with again()"}}
    )
