"""A flow that is played in this process: the engine, its run, and the work of its steps."""

from __future__ import annotations

import random
import uuid
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from coordinator.codec import JSON
from coordinator.scripts.engine import Engine
from coordinator.scripts.flow import Script
from coordinator.scripts.log import Log, is_open, name_of
from coordinator.scripts.outcome import Effects
from coordinator.scripts.run import Run
from coordinator.work import WorkContext

Crash: TypeAlias = Literal["before-step", "during-step", "after-step"]


class Held(AssertionError):
    """A script does not fit its log, and an effect follows."""


class Refused(AssertionError):
    """The flow does not accept what was done: a wrong answer, or Back where there is none."""


@dataclass
class Clock:
    """The time of a session, in seconds since 1970, and its random numbers."""

    time: float = 1_700_000_000.0
    numbers: random.Random | None = None

    def read(self) -> float:
        """Returns the time by which durations are measured."""
        return self.time

    def left(self, due: float, *, is_time: bool) -> float:
        """Returns how long something is not due yet: by the time of day if the script has named a time."""
        return due - self.time

    def draw(self, name: str) -> JSON:
        """Returns a value for a script."""
        numbers = self.numbers = self.numbers or random.Random(0)
        match name:
            case "now":
                return self.time
            case "random":
                return numbers.random()
        return str(uuid.UUID(int=numbers.getrandbits(128), version=4))


class Session:
    """A flow in this process. Nothing of it but its engine survives `evict` and `restart`."""

    def __init__(self, script: Script, log: Log, clock: Clock, language: str = "en") -> None:
        self.script = script
        self.engine = Engine(log)
        self.clock = clock
        self.language = language
        self.end: Mapping[str, JSON] | None = None
        self.run: Run | None = None
        self.trace: list[Mapping[str, JSON]] = []
        self.progress: list[Mapping[str, JSON]] = []
        self.crash: Crash | None = None
        self.stubs: Mapping[str, JSON] | None = None
        self.secrets: dict[str, bytes] = {}
        self.due: dict[str, float] = {}
        self.times: set[str] = set()
        """Which of `due` are times that the script has named."""
        self._undo: str | None = None
        self._asked: Effects | None = None
        self._outbox: deque[tuple[Run, Mapping[str, JSON]]] = deque()

    @property
    def child(self) -> Mapping[str, JSON] | None:
        """The operation of the open child, if there is one."""
        run = self.run
        return next((one for one in self.trace if "child" in one and run and run.is_waiting(one["entry"])), None)

    def reset(self, engine: Engine) -> None:
        """Goes back to an earlier state, after something that the flow did not survive."""
        self._outbox.clear()
        self._stop("changed")
        self.engine, self._undo = engine, None

    def twin(self) -> Session:
        """Returns a session with the same log, as far as a run gets with it."""
        twin = Session(self.script, self.engine.log, replace(self.clock), self.language)
        twin.repeat()
        return twin

    def repeat(self) -> None:
        """Runs the script as far as the log goes."""
        self._start()

    @property
    def is_over(self) -> bool:
        """Whether the user or a limit has ended the flow, though its script would go on."""
        return self.end is not None and not self.trace[-1].keys() & {"finish", "cancel", "fail"}

    def stop(self) -> None:
        """Stops the run, without any effect on the flow."""
        self._stop("evicted")

    # What happens.

    def happens(self, happening: Mapping[str, JSON], *, evict: bool = False) -> Effects:
        """Takes a happening, and tells the run, or stops it instead."""
        engine, effects = self.engine.happens(happening, self.clock.draw)
        if effects.refused:
            raise Refused(f"the flow does not accept {happening}")
        self.engine = engine
        key = next(
            (happening[k] for k in ("done", "failed", "timer", "child-ended", "timeout") if k in happening), None
        )
        entry = engine.log.index(key) if key is not None else engine.log.question
        if "event" in happening:
            entry = len(engine.log.entries) - 1
        if evict and effects.end is None:
            self._stop("evicted")
        self._effects(effects, entry)
        self._deliver()
        return effects

    def restart(self) -> None:
        """Simulates a restart of the daemon and of the host: the log is read again, secrets are lost."""
        self._stop("evicted")
        self.engine = Engine(Log.from_json(self.engine.log.to_json()))
        begun = [e["key"] for e in self.engine.log.entries if is_open(e) and e.get("attempts", 0) > 0]
        lost, self.secrets = sorted(self.secrets), {}
        for key in begun:
            self.happens({"interrupted": key})
        if lost:
            self.happens({"secrets-gone": lost})

    def _stop(self, reason: str) -> None:
        if self.run is not None:
            self.run.stop(reason)
        self.run = None

    # Running.

    def settle(self) -> None:
        """Runs until a question is asked, a child or a timer is waited for, or the flow has ended."""
        while self.end is None:
            if self.run is None:
                self._start()
            elif self._undo is not None:
                self._undo_step()
            elif not self._work():
                return

    def _start(self) -> None:
        self.trace = []
        self.run = Run(self.script, self.engine.log.input, self._ask, language=self.language)
        self._outbox += [(self.run, message) for message in self.run.start()]
        self._deliver()

    def _ask(self, message: Mapping[str, JSON]) -> Mapping[str, JSON] | None:
        self.trace.append(message)
        self.engine, effects = self.engine.operation(message, self.clock.draw)
        self._asked = effects if effects.reply is None else None
        return effects.reply

    def _deliver(self) -> None:
        while self._outbox:
            run, message = self._outbox.popleft()
            if self.run is not run:
                continue
            self.trace.append(message)
            self.engine, effects = self.engine.operation(message, self.clock.draw)
            if effects.crash:
                raise run.error or AssertionError(f"the operation {message} is beyond the log")
            self._timers(message)
            self._effects(effects, message["entry"])
        if self._asked is not None:
            asked, self._asked = self._asked, None
            self._effects(asked, None)

    def _timers(self, message: Mapping[str, JSON]) -> None:
        entry = self.engine.log.entries[message["entry"]] if message["entry"] < len(self.engine.log.entries) else None
        if entry is None or not is_open(entry):
            return
        if "seconds" in message or "timeout" in message:
            time = self.clock.read() + message.get("seconds", message.get("timeout", 0))
            self.due.setdefault(entry["key"], time)
        elif "until" in message:
            self.due[entry["key"]] = message["until"]
            self.times.add(entry["key"])

    @property
    def left(self) -> tuple[float, str] | None:
        """How long the next sleep or time limit takes, and its key."""
        return min(
            ((self.clock.left(due, is_time=key in self.times), key) for key, due in self.due.items()), default=None
        )

    def _effects(self, effects: Effects, entry: int | None) -> None:
        if effects.hold:
            raise Held(effects.hold)
        if effects.end is not None:
            self.end = effects.end
            self._stop("finished" if "finish" in effects.end else "cancelled")
            return
        if effects.rerun is not None:
            self._stop(effects.rerun)
            self.due = {}
            self._undo = effects.undo
        elif effects.reply is not None and self.run is not None and entry is not None:
            self._outbox += [(self.run, message) for message in self.run.reply(entry, effects.reply)]

    # Work.

    def _work(self) -> bool:
        """Performs the steps and looks that are open, side by side. Returns whether there were any."""
        run = self.run
        assert run is not None
        waiting = [
            place for place, found in enumerate(self.engine.log.entries)
            if found["kind"] in ("step", "look") and is_open(found) and run.is_waiting(place)
        ]  # fmt: skip
        crash = self.crash
        if crash is not None and any(self.engine.log.entries[place]["kind"] == "step" for place in waiting):
            self.crash = None
        else:
            crash = None
        if crash == "before-step":
            self.restart()
            return True
        works = [self._begin(run, place) for place in waiting]
        if crash == "during-step":
            self.restart()
            return True
        keys = [self.engine.log.entries[place]["key"] for place in waiting]
        ended = _side_by_side(works)
        has_step = any(self.engine.log.entries[place]["kind"] == "step" for place in waiting)
        if has_step and crash is not None:
            self.secrets = {}
        if crash == "after-step":
            self.restart()
            return True
        for key, message in zip(keys, ended, strict=True):
            self.happens(_ended(key, message))
        # One that is tried again needs its secrets again.
        if has_step and not any(entry.get("secrets") and is_open(entry) for entry in self.engine.log.entries):
            self.secrets = {}
        return bool(waiting)

    def _begin(self, run: Run, entry: int) -> Callable[[], Mapping[str, JSON]]:
        found = self.engine.log.entries[entry]
        go = self.happens({"began": found["key"]}).go
        assert go is not None
        name = name_of(found)
        if self.stubs is not None and (found["kind"] == "step" or name in self.stubs):
            value = self.stubs.get(name)
            return lambda: run.pretend(entry, value)
        values = {name: self.secrets[name] for name in go["secrets"]}
        context = WorkContext(found["key"], go["attempt"], self.progress.append)
        return lambda: run.perform(entry, context, values, is_counted="most" in found)

    def _undo_step(self) -> None:
        key, self._undo = self._undo, None
        entry = self.engine.log.index(str(key))
        assert self.run is not None and entry is not None
        if not self.run.can_undo(entry):
            raise AssertionError(f"the step '{key}' cannot be undone any more: the script has changed")
        context = WorkContext(f"{key}/undo", 1, self.progress.append)
        is_real = self.stubs is None
        message = self.run.perform(entry, context, {}, undo=True) if is_real else {"entry": entry, "done": None}
        self.happens(_ended(str(key), message))


def _side_by_side(works: Sequence[Callable[[], Mapping[str, JSON]]]) -> list[Mapping[str, JSON]]:
    """Does several pieces of work at a time. Returns what they return, in their order."""
    if len(works) < 2:
        return [work() for work in works]
    with ThreadPoolExecutor(len(works)) as threads:
        return [future.result() for future in [threads.submit(work) for work in works]]


def _ended(key: str, message: Mapping[str, Any]) -> dict[str, JSON]:
    return {"failed": key, "error": message["error"]} if "error" in message else {"done": key, "value": message["done"]}
