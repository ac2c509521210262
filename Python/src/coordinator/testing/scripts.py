"""Plays scripts in tests.

```python
def test_faking() -> None:
    flow = play(schedule_visit).answer("select-visit-type", "sick").answer("little").back()
    assert flow.screen.name == "select-pain-level" and flow.screen.suggested == "little"
    assert flow.answer("little").answer("yes").result == {"visit": "sick", "pain": "little", "faked": True}
```

The run is evicted after every answer, and each log is replayed twice: the test fails if the runs differ.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from coordinator import codec
from coordinator.codec import JSON
from coordinator.scripts.divergence import kind_of
from coordinator.scripts.flow import Script
from coordinator.scripts.log import Log
from coordinator.scripts.player import Player
from coordinator.scripts.session import Clock, Crash, Held, Refused, Session
from coordinator.testing.coordinators import ShownScreen


class NotDeterministic(AssertionError):
    """Two runs of a script with the same log differ: it depends on something outside of its log."""


class ScriptPlay(Player):
    """A script in a test. Methods return `self`, so that calls can be chained."""

    def __init__(
        self, script: Script, flows: Iterable[Script], log: Log, language: str = "en", evict: bool = True,
        stubs: Mapping[str, JSON] | None = None, passed: Callable[[Session], None] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(script, flows, log, language, Clock(), stubs)
        self._evict = evict
        self._passed = passed
        self.settle()

    # The screen.

    @property
    def screen(self) -> ShownScreen:
        """The open question, as a renderer shows it, and `suggested`."""
        if self.top.end is not None:
            raise AssertionError(f"no question is open: the flow is {self._describe()}")
        engine = self.top.engine
        if engine.question is None:
            raise AssertionError("no question is open: the flow waits for a timer; advance() the clock")
        return ShownScreen({**engine.screen, "suggested": engine.suggested}, engine.question["ask"])

    @property
    def can_go_back(self) -> bool:
        """Whether Back can leave the question."""
        return self.top.engine.can_go_back

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
        """The log, for example to keep it as a test for `replays`."""
        return self._sessions[0].engine.log.to_json()

    @property
    def log_text(self) -> str:
        """All logs so far, as they are stored, for example to search for secrets."""
        return "\n".join([*self._texts, *(session.engine.log.text() for session in self._sessions)])

    @property
    def progress(self) -> list[Mapping[str, JSON]]:
        """The progress that steps and looks have reported."""
        return [report for session in self._sessions for report in session.progress]

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
        rows = [item["id"] for item in self.screen.data.get("items", [])]
        if isinstance(names[0], list):
            return self.send("select", {"ids": names[0]}, crash=crash)
        if names[0] in rows:
            several = "choosing" in self.screen.data
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
        given = dict(payload or {})
        secrets = {name: str(value).encode() for name, value in given.items() if name in hidden and value is not None}
        open_payload = {name: value for name, value in given.items() if name not in hidden and value is not None}
        happening = {"event": event, "payload": open_payload, "secrets": sorted(secrets)}
        session, before = self.top, self.top.secrets
        session.crash, session.secrets = crash, {**before, **secrets}
        try:
            self.happens(happening, evict=self._evict)
        except Exception:
            session.secrets = before
            raise
        finally:
            session.crash = None
        return self

    def back(self) -> ScriptPlay:
        """Goes back from the question."""
        if not self.can_go_back:
            raise Refused(f"there is no way back from '{self.screen.name}'")
        self.happens({"back": True}, evict=self._evict)
        return self

    def restart(self) -> ScriptPlay:
        """Simulates a restart of the daemon and of the host: a new run on the stored log, without secrets."""
        for session in self._sessions:
            session.restart()
        self.settle()
        return self

    def advance(self, seconds: float) -> ScriptPlay:
        """Advances the clock. Sleeps and time limits end in their order."""
        end = self._clock.time + seconds
        while self.end is None and self.due is not None and self.due <= end:
            self._clock.time = max(self._clock.time, self.due)
            self.fire(evict=self._evict)
        self._clock.time = max(self._clock.time, end)
        return self

    def checked(self, session: Session) -> None:
        """Runs the script again with the same log, and compares its questions and actions."""
        twin = session.twin()
        twin.stop()
        compare(session.script.name, session.trace, twin.trace, is_over=session.is_over)
        if self._passed is not None:
            self._passed(session)


Trace: TypeAlias = Sequence[Mapping[str, JSON]]


def compare(name: str, first: Trace, second: Trace, *, is_over: bool = False) -> None:
    """Raises `NotDeterministic` if the questions or actions of a script differ between two runs with the same log.

    `is_over` is whether something other than the script ended the first run.
    """
    for number, (one, other) in enumerate(zip(first, second, strict=False), 1):
        if _compared(one) != _compared(other):
            raise NotDeterministic(
                f"two runs of '{name}' with the same log differ at their {number}. operation:\n"
                f"{_told(one)}\n{_told(other)}\n"
                "What depends on time, chance, files or the environment belongs in a look, ui.now() or ui.random()"
            )
    if len(first) != len(second) and not is_over:
        raise NotDeterministic(
            f"a run of '{name}' has {len(first)} operations, another one with the same log {len(second)}"
        )


def _compared(message: Mapping[str, JSON]) -> str:
    return codec.text({name: value for name, value in message.items() if name not in ("digest", "at")})


def _told(message: Mapping[str, JSON]) -> str:
    place = f" at {message['at']}" if message.get("at") else ""
    for verb in ("finish", "fail", "cancel", "again", "crash"):
        if verb in message:
            return f"{verb} {codec.text(message[verb])}{place}"
    if "patched" in message:
        return f'patched "{message["patched"]}"{place}'
    kind, name = kind_of(message)
    text = f" {codec.text(message['screen'])}" if kind == "ask" else ""
    return f'{kind} "{name}"{place}{text}'


def _stored(log: Mapping[str, JSON] | Path | str) -> Log:
    value = json.loads(Path(log).read_text()) if isinstance(log, Path | str) else log
    return Log.from_json(value.get("log", value))


def play(
    flow: Script, *, flows: Iterable[Script] = (), input: Any = None, language: str = "en", evict: bool = True,
    log: Mapping[str, JSON] | Path | str | None = None, stubs: Mapping[str, JSON] | None = None, **dependencies: Any,
) -> ScriptPlay:  # fmt: skip
    """Starts a script in memory.

    `flows` are the flows of its children. `dependencies` replace parameters of its function. `log` is a log to
    continue. With `stubs`, steps are not executed: it contains the results of steps and looks by name. Without
    `evict`, the run continues after an answer, as in a host.
    """
    script = flow.using(**dependencies) if dependencies else flow
    stored = Log(codec.encode(input) or {}) if log is None else _stored(log)
    return ScriptPlay(script, flows, stored, language, evict, stubs)


def replays(flow: Script, log: Mapping[str, JSON] | Path | str, **dependencies: Any) -> bool:
    """Whether a script still fits a log that was recorded with an earlier version of it.

    It fits if it passes all entries: no question is asked again, and the flow is not held. Steps are not executed.
    """
    script = flow.using(**dependencies) if dependencies else flow
    stored = _stored(log)
    try:
        twin = Session(script, stored, Clock()).twin()
    except Held:
        return False
    twin.stop()
    found, count = twin.engine.log.entries, len(stored.entries)
    kept = [(entry["kind"], entry["key"]) for entry in found[:count]]
    last = max((message["entry"] for message in twin.trace), default=0)
    return kept == [(entry["kind"], entry["key"]) for entry in stored.entries] and last >= count - 1
