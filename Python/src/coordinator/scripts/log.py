"""The log of a script: what a run is given, and all that is stored of a flow."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from coordinator.codec import JSON, text

Entry: TypeAlias = Mapping[str, JSON]
"""An operation of a run: `kind`, `key`, and what the protocol's table lists."""

MAX_ENTRIES = 1000
MAX_BYTES = 256 * 1024
UNKNOWN = {"type": "Unknown", "message": "It is not known whether this was done."}
MAY_BE_DONE = ("Unknown", "no-result", "too-long")
"""Types of the errors of steps that were done, or may have been."""


@dataclass(frozen=True, repr=False)
class Log:
    """The entries of a run, and what else survives between runs.

    `suggestions` are answers by key that were dropped. `notices` are messages that the engine adds to the question that
    is shown next. `undoing` is the index of the question that is asked again once all steps after it are undone.
    `begun` is how often open steps were begun, by key, that were dropped.
    """

    input: Mapping[str, JSON] = field(default_factory=dict)
    entries: tuple[Entry, ...] = ()
    suggestions: Mapping[str, JSON] = field(default_factory=dict)
    notices: tuple[Mapping[str, JSON], ...] = ()
    undoing: int | None = None
    begun: Mapping[str, int] = field(default_factory=dict)
    again: bool = False
    version: int = 1
    digest: str = ""
    # Known of most logs, because measuring a long one takes long.
    _size: int | None = field(default=None, compare=False)

    @staticmethod
    def from_json(value: Mapping[str, JSON]) -> Log:
        """Reads a log."""
        if value.get("format", "script/1") != "script/1":
            raise ValueError(f"a log has the format 'script/1', not '{value['format']}'")
        return Log(
            value.get("input", {}), tuple(value.get("entries", ())), value.get("suggestions", {}),
            tuple(value.get("notices", ())), value.get("undoing"), value.get("begun", {}), value.get("again", False),
            value.get("version", 1), value.get("digest", ""),
        )  # fmt: skip

    def to_json(self) -> dict[str, JSON]:
        """Returns the log as it is stored. Members that have no meaning are left out."""
        more: dict[str, JSON] = {"suggestions": dict(self.suggestions), "notices": list(self.notices)}
        more |= {"again": self.again, "digest": self.digest, "begun": dict(self.begun)}
        kept = {key: value for key, value in more.items() if value}
        undoing = {} if self.undoing is None else {"undoing": self.undoing}
        return {
            "format": "script/1", "version": self.version, "input": dict(self.input),
            "entries": [dict(entry) for entry in self.entries], **kept, **undoing,
        }  # fmt: skip

    def text(self) -> str:
        """Returns the log as it is stored, as a string."""
        return text(self.to_json())

    def with_(self, **changes: Any) -> Log:
        """Returns a copy with changes."""
        return dataclasses.replace(self, **{"_size": None, **changes})

    def index(self, key: str) -> int | None:
        """Returns the index of the entry with a key."""
        return next((place for place, entry in enumerate(self.entries) if entry["key"] == key), None)

    def key(self, name: str, place: int) -> str:
        """Returns the key of an operation with a name at a place: `NAME`, or `NAME#n` for its n-th use."""
        used = sum(name_of(entry) == name for entry in self.entries[:place])
        return name if used == 0 else f"{name}#{used + 1}"

    @property
    def size(self) -> int:
        """The length of the stored log, in bytes."""
        if self._size is None:
            object.__setattr__(self, "_size", len(self.text().encode()))
        assert self._size is not None
        return self._size

    def changed(self, place: int, **members: JSON) -> Log:
        """Returns the log with other members of an entry."""
        return self.replaced(place, {**self.entries[place], **members})

    def replaced(self, place: int, entry: Entry) -> Log:
        """Returns the log with another entry in place of one."""
        before = self.entries[place]
        size = self.size + _size(entry) - _size(before)
        return self.with_(entries=(*self.entries[:place], entry, *self.entries[place + 1 :]), _size=size)

    def appended(self, entry: Entry) -> Log:
        """Returns the log with another entry."""
        comma = 1 if self.entries else 0
        return self.with_(entries=(*self.entries, entry), _size=self.size + comma + _size(entry))

    def cut(self, place: int) -> Log:
        """Drops the entries from a place on. Their answers become suggestions, and open steps stay begun."""
        if place >= len(self.entries):
            return self
        suggestions, begun = dict(self.suggestions), dict(self.begun)
        for entry in self.entries[place:]:
            answer = entry.get("answer")
            if answer and "event" in answer:
                suggestions[entry["key"]] = without_secrets(answer)
            if entry["kind"] == "step" and is_open(entry) and (times := begun_of(entry)):
                begun[entry["key"]] = times
        return self.with_(entries=self.entries[:place], suggestions=suggestions, begun=begun)

    def is_followed(self, place: int) -> bool:
        """Whether a run sends the operation after this one without waiting."""
        return 0 <= place < len(self.entries) and bool(self.entries[place].get("more"))

    def following(self, place: int, more: bool) -> Log:
        """Returns the log with an entry that is followed by the next operation at once, or that is not."""
        if self.is_followed(place) == more:
            return self
        entry = {name: value for name, value in self.entries[place].items() if name != "more"}
        entry |= {"more": True} if more else {}
        return self.with_(entries=(*self.entries[:place], entry, *self.entries[place + 1 :]))

    def waits(self, place: int) -> bool:
        """Whether a run gets no further once the operation at a place is recorded: another one beside it is open."""
        start, end = place, place
        while self.is_followed(start - 1):
            start -= 1
        while self.is_followed(end):
            end += 1
        return end < len(self.entries) and any(is_open(entry) for entry in self.entries[start : end + 1])

    @property
    def question(self) -> int | None:
        """The index of the open question, which is the last entry."""
        last = len(self.entries) - 1
        return last if last >= 0 and self.entries[last]["kind"] == "ask" and is_open(self.entries[last]) else None

    def asks(self, before: int) -> Sequence[int]:
        """Returns the indexes of the questions before a place."""
        return [place for place in range(before) if self.entries[place]["kind"] == "ask"]


def _size(entry: Entry) -> int:
    return len(text(entry).encode())


def name_of(entry: Entry) -> str:
    """Returns the name of an entry: its key without the number of its use."""
    return str(entry["key"]).partition("#")[0]


def is_open(entry: Entry) -> bool:
    """Whether an entry has neither answer, result nor error."""
    return not ("answer" in entry or "result" in entry or "error" in entry)


def is_effect(entry: Entry) -> bool:
    """Whether an entry may have changed the world: a step that may have been done, or a child that finished."""
    if entry["kind"] == "child":
        return bool(entry.get("result", {}).get("outcome") == "finished")
    if entry["kind"] != "step":
        return False
    if "error" in entry:
        return entry["error"].get("type") in MAY_BE_DONE
    return "result" in entry or entry.get("attempts", 0) > 0


def begun_of(entry: Entry) -> int:
    """Returns how often a step was begun, also before the log was cut."""
    return int(max(entry.get("attempts", 0), entry.get("earlier", 0)))


def is_exhausted(entry: Entry) -> bool:
    """Whether a step must not be begun any more, though it is not known whether it was done."""
    most = 1 if entry.get("once") else entry.get("most")
    return entry["kind"] == "step" and most is not None and begun_of(entry) >= most


def limited(entry: Entry, message: Mapping[str, JSON]) -> Entry:
    """Returns an open step or look with the limits that the script gives it now.

    Nobody has counted what was begun before there was a limit: a host may have tried as often in one attempt.
    """
    most, times = message.get("attempts"), begun_of(entry)
    if most == entry.get("most") and bool(message.get("once")) == bool(entry.get("once")):
        return entry
    earlier = max(entry.get("earlier", 0), most) if most and "most" not in entry and times else entry.get("earlier", 0)
    kept = {name: value for name, value in entry.items() if name not in ("most", "once", "earlier")}
    limits = {"most": most, "once": message.get("once"), "earlier": earlier}
    found = {**kept, **{name: value for name, value in limits.items() if value}}
    return {**found, "error": UNKNOWN} if is_exhausted(found) else found


def is_tried_again(entry: Entry, error: Mapping[str, JSON]) -> bool:
    """Whether a step or a look begins again because it has failed."""
    if "most" not in entry or entry.get("once") or error.get("type") in (*MAY_BE_DONE, "SecretSpent"):
        return False
    return bool(entry.get("attempts", 0) < entry["most"])


def secrets_of(entry: Entry) -> set[str]:
    """Returns the names of the secrets that came with the answer of a form."""
    payload = (entry.get("answer") or {}).get("payload") or {}
    return {name for name, value in payload.items() if value == {"secret": True}}


def without_secrets(answer: Mapping[str, JSON]) -> dict[str, JSON]:
    """Returns an answer without its secrets."""
    payload = {name: value for name, value in (answer.get("payload") or {}).items() if value != {"secret": True}}
    return {"event": answer["event"], "payload": payload}


def unspent(log: Log, place: int) -> dict[str, int]:
    """Returns the secrets that a step at a place can use, with the indexes of their forms."""
    found: dict[str, int] = {}
    for index, entry in enumerate(log.entries[:place]):
        if entry["kind"] == "step":
            found.clear()
        found.update(dict.fromkeys(secrets_of(entry), index))
    return found
