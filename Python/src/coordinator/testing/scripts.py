"""Plays scripts in tests.

```python
def test_faking() -> None:
    flow = play(schedule_visit).answer("select-visit-type", "sick").answer("little").back()
    assert flow.screen.name == "select-pain-level" and flow.screen.suggested == "little"
    assert flow.answer("little").answer("yes").result == {"visit": "sick", "pain": "little", "faked": True}
```

`coordinator-scripts` plays them, as it does for a daemon, but the functions are called in the process of the test. Each
answer starts a new run, and each log is replayed twice: the test fails if the runs differ.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

from coordinator import codec
from coordinator.codec import JSON
from coordinator.scripts.engines import PATIENCE, Mode
from coordinator.scripts.flow import Script
from coordinator.scripts.stages import EndlessWork, Held, Refused
from coordinator.testing.coordinators import ShownScreen
from coordinator.testing.theatres import Theatre

Crash: TypeAlias = Literal["before-step", "during-step", "after-step"]
StoredLog: TypeAlias = Mapping[str, JSON] | Path | str


class NotDeterministic(AssertionError):
    """Two runs of a script with the same log differ: the script depends on a value that is not in the log."""


class ScriptPlay:
    """A script that is being played. Methods return `self`, so that calls can be chained."""

    def __init__(self, theatre: Theatre, start: Mapping[str, JSON]) -> None:
        self._theatre = theatre
        self._state: dict[str, JSON] = {}
        self._happens(start)

    def _happens(self, request: Mapping[str, JSON], crash: Crash | None = None) -> None:
        """Sends an event, and continues to the next question. If the script makes a mistake, nothing changes."""
        place = {"place": self._state["place"]} if self._state else {}
        self._state = self._theatre.ask({**request, **place, **({"crash": crash} if crash else {})})
        if "differs" in self._state:
            raise NotDeterministic(difference(self._state["differs"]))

    # The screen.

    @property
    def end(self) -> Mapping[str, JSON] | None:
        """The outcome of the flow: `finish` with its result, `cancel`, or `fail` with `code` and `message`."""
        return self._state.get("end")

    @property
    def screen(self) -> ShownScreen:
        """The open question as a renderer shows it, with its suggestion as `suggested`."""
        if self.end is not None:
            raise AssertionError(f"no question is open: the flow is {self._describe()}")
        question = self._state.get("question")
        if question is None:
            raise AssertionError("no question is open: the flow waits for a timer; advance() the clock")
        screen = question["screen"]
        shown = {**screen, "messages": screen.get("messages", []), "back": question["back"]}
        return ShownScreen({**shown, "suggested": self._suggested(screen, question["key"])}, question["name"])

    def _suggested(self, screen: Mapping[str, JSON], key: str) -> JSON:
        """Returns the suggestion of a screen: the ID of an action or an item, IDs of items, or the values of a form."""
        if "schema" not in screen:
            suggested = screen.get("suggested", screen.get("choosing", {}).get("initial"))
            # Only a screen that takes several items can suggest several.
            return suggested[0] if suggested and "max" not in screen.get("choosing", {}) else suggested
        said = self._state["flows"][-1]["log"].get("suggestions", {}).get(key, {}).get("payload", {})
        properties = screen["schema"].get("properties", {})
        return {
            name: value for name, value in said.items() if name in properties and not properties[name].get("writeOnly")
        } or None

    @property
    def can_go_back(self) -> bool:
        """Whether Back is possible from the question."""
        return bool(self._state.get("question", {}).get("back", False))

    @property
    def result(self) -> Mapping[str, JSON]:
        """The result of the flow. Fails the test unless the flow has finished."""
        if self.end is None or "finish" not in self.end:
            raise AssertionError(f"the flow has not finished: it is {self._describe()}")
        result: Mapping[str, JSON] = self.end["finish"]
        return result

    @property
    def is_cancelled(self) -> bool:
        """Whether the flow has ended as cancelled."""
        return self.end is not None and "cancel" in self.end

    @property
    def log(self) -> dict[str, JSON]:
        """The log, for example to store it as a test for `replays`."""
        log: dict[str, JSON] = (self._state["flows"][0] if self.end is None else self._state["ended"][-1])["log"]
        return log

    @property
    def log_text(self) -> str:
        """All logs so far, in the form in which they are stored, for example to search for secrets."""
        return "\n".join(codec.text(one["log"]) for one in (*self._state["ended"], *self._state.get("flows", ())))

    @property
    def progress(self) -> list[Mapping[str, JSON]]:
        """The progress that steps and looks have reported."""
        return self._theatre.played.progress

    def _describe(self) -> str:
        return f"at '{self.screen.name}'" if self.end is None else codec.text(self.end)

    # The user.

    def answer(self, *words: Any, crash: Crash | None = None, **fields: Any) -> ScriptPlay:
        """Answers the question.

        `answer("sick")` sends an action or chooses an item. `answer("select-visit-type", "sick")` checks the name of
        the question first. `answer(name="ada")` sends the fields of a form. With `crash`, the daemon and the host
        crash at the next step: before it begins, before it has ended, or before its result is stored.
        """
        names = [codec.encode(word) for word in words]
        if len(names) == 2 or (fields and names):
            expected = names.pop(0)
            if expected != self.screen.name:
                raise AssertionError(f"the question is '{self.screen.name}', not '{expected}'")
        if fields or not names:
            return self.send(self._primary(), codec.encode(fields), crash=crash)
        rows = [item["id"] for item in self.screen.data.get("items", []) if "disabled" not in item]
        if isinstance(names[0], list):
            return self.send("select", {"ids": names[0]}, crash=crash)
        if names[0] in rows:
            several = "max" in self.screen.data.get("choosing", {})
            return self.send("select", {"ids": [names[0]]} if several else {"id": names[0]}, crash=crash)
        return self.send(str(names[0]), crash=crash)

    def _primary(self) -> str:
        primary = [action["id"] for action in self.screen.data["actions"] if action["role"] == "primary"]
        if not primary:
            raise Refused(f"the question '{self.screen.name}' has no primary action; it has {self.screen.events}")
        return str(primary[0])

    def send(self, event: str, payload: Mapping[str, JSON] | None = None, *, crash: Crash | None = None) -> ScriptPlay:
        """Sends an event of the question."""
        schema = self.screen.data.get("schema", {"properties": {}})
        hidden = {name for name, part in schema["properties"].items() if part.get("writeOnly")}
        given = {name: value for name, value in (payload or {}).items() if value is not None}
        secrets = {name: str(value) for name, value in given.items() if name in hidden}
        shown = {name: value for name, value in given.items() if name not in hidden}
        self._happens({"event": event, "payload": shown, "secrets": secrets}, crash)
        return self

    def back(self) -> ScriptPlay:
        """Goes back from the question."""
        if not self.can_go_back:
            raise Refused(f"there is no way back from '{self.screen.name}'")
        self._happens({"back": True})
        return self

    def restart(self) -> ScriptPlay:
        """Simulates a restart of the daemon and of the host: starts a new run from the stored log, without secrets."""
        if self.end is None:
            self._happens({"restart": True})
        return self

    def advance(self, seconds: float) -> ScriptPlay:
        """Advances the clock. Sleeps and timeouts end in their order."""
        if self.end is None:
            self._happens({"advance": max(0.0, seconds)})
        return self


def difference(found: Mapping[str, JSON]) -> str:
    """Describes where two runs of a script with the same log differ."""
    return (
        f"two runs of '{found['flow']}' with the same log differ at their {found['number']}. operation:\n"
        f"{_told(found.get('one'))}\n{_told(found.get('other'))}\n"
        "What depends on time, chance, files or the environment belongs in a look, ui.now() or ui.random()"
    )


def _told(operation: Mapping[str, JSON] | None) -> str:
    if operation is None:
        return "nothing more"
    kind, content = operation["kind"], operation["content"]
    place = f" at {operation['at']}" if operation["at"] else ""
    if kind in ("finish", "fail", "cancel", "again"):
        return f"{kind} {codec.text(content.get(kind))}{place}"
    text = f" {codec.text(content)}" if kind == "ask" else ""
    return f'{kind} "{operation["key"]}"{place}{text}'


def _stored(log: StoredLog) -> Mapping[str, JSON]:
    value = json.loads(Path(log).read_text()) if isinstance(log, Path | str) else log
    found: Mapping[str, JSON] = value.get("log", value)
    return found


def start_of(script: Script, input: Any, log: StoredLog | None = None) -> dict[str, JSON]:
    """Returns the request that starts a play. Raises `InvalidInput` if the input does not fit."""
    if log is not None:
        return {"start": script.name, "log": _stored(log)}
    given = codec.encode(input) or {}
    script.decoded(given)
    return {"start": script.name, "input": given}


def play(
    flow: Script, *, flows: Iterable[Script] = (), input: Any = None, language: str = "en", evict: bool = True,
    log: StoredLog | None = None, stubs: Mapping[str, JSON] | None = None, patience: float = PATIENCE,
    **dependencies: Any,
) -> ScriptPlay:  # fmt: skip
    """Starts a script in memory.

    `flows` are the flows of its children. `dependencies` replace parameters of its function. `log` is a log to
    continue. `stubs` contains the results of steps and looks by name; they are then not executed. Without `evict`, the
    run continues after an answer, as in a host. A step or a look that takes longer than `patience`, in seconds, raises
    `EndlessWork`, with its name.
    """
    script = flow.using(**dependencies) if dependencies else flow
    start = start_of(script, input, log)
    mode = Mode.TEST if evict else Mode.QUICK_TEST
    return ScriptPlay(Theatre((script, *flows), language, mode, stubs, patience), start)


def replays(flow: Script, log: StoredLog, **dependencies: Any) -> bool:
    """Whether a script still fits a log that was recorded with an earlier version of it.

    It fits if it accepts all entries: it asks no recorded question again, and the flow is not held. Steps are not
    executed.
    """
    script = flow.using(**dependencies) if dependencies else flow
    reply = Theatre((script,), "en", Mode.TEST, None).ask({"fits": script.name, "log": _stored(log)})
    return bool(reply["fits"])


__all__ = [
    "Crash",
    "EndlessWork",
    "Held",
    "NotDeterministic",
    "Refused",
    "ScriptPlay",
    "difference",
    "play",
    "replays",
    "start_of",
]
