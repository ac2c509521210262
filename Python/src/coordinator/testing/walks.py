"""Walks every path through a script."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from coordinator import codec
from coordinator.codec import JSON
from coordinator.scripts.engine import Engine
from coordinator.scripts.flow import Script
from coordinator.scripts.log import Log
from coordinator.scripts.session import Session
from coordinator.testing.coordinators import Stuck, Walk, _ways
from coordinator.testing.scripts import ScriptPlay


@dataclass(frozen=True)
class _Place:
    """A question that was reached, with all that is needed to continue from it."""

    engines: tuple[Engine, ...]
    secrets: Mapping[str, bytes]
    way: tuple[str, ...] = ()


class _Walker(ScriptPlay):
    """A play that can be set to the place of another one."""

    def place(self, *way: str) -> _Place:
        return _Place(tuple(session.engine for session in self._sessions), dict(self.top.secrets), way)

    def back(self) -> _Walker:
        super().back()
        return self

    def put(self, place: _Place) -> _Walker:
        other = copy.copy(self)
        other._sessions = [copy.copy(session) for session in self._sessions[:1]]
        other._sessions[0].reset(Engine(place.engines[0].log))
        other._sessions[0].end = None
        other.top.secrets = dict(place.secrets)
        other.settle()
        for engine in place.engines[1:]:
            other.top.reset(Engine(engine.log))
            other.settle()
        return other


def explore(
    flow: Script, *, flows: Iterable[Script] = (), input: Any = None,
    answers: Mapping[str, Iterable[Mapping[str, Any]]] | None = None, max_states: int = 500, items_per_list: int = 3,
    repeats: int = 2, stubs: Mapping[str, JSON] | None = None, passed: Callable[[Session], None] | None = None,
    **dependencies: Any,
) -> Walk:  # fmt: skip
    """Walks every path through a script: every choice, Back from everywhere, and a restart at each question.

    A question is followed up to its `repeats`-th use, so that loops end. `answers` are payloads for forms that
    cannot be guessed, by name. Raises `Stuck` if the script raises an exception, if the flow fails, if Back does not
    return to the previous question, or if a restart changes the screen; and `NotDeterministic` if two runs with the
    same log differ. Steps are executed, so pass `dependencies` without side effects, or results of steps by name as
    `stubs`. `passed` is called with each session whenever it waits or has ended.
    """
    walk = _Explorer(answers or {}, max_states, items_per_list, repeats)
    script = flow.using(**dependencies) if dependencies else flow
    walk.walk(_Walker(script, list(flows), Log(codec.encode(input) or {}), stubs=stubs, passed=passed))
    return Walk(frozenset(walk.screens), frozenset(walk.ends), len(walk.seen))


class _Explorer:
    """The visited states, screens and outcomes, and the queue of places."""

    def __init__(
        self, answers: Mapping[str, Iterable[Mapping[str, Any]]], max_states: int, items: int, repeats: int
    ) -> None:
        self.answers, self.max_states, self.items, self.repeats = answers, max_states, items, repeats
        self.seen: set[str] = set()
        self.screens: set[str] = set()
        self.ends: set[str] = set()
        self.waiting: deque[_Place] = deque()

    def walk(self, start: _Walker) -> None:
        if self._reached(start, ()):
            self.waiting.append(start.place())
            if start.can_go_back:
                self._reached(start.put(start.place()).back(), ("Back",))
        while self.waiting:
            place = self.waiting.popleft()
            for event, payload in self._ways(start.put(place)):
                self._go(start.put(place), place.way, event, payload)
            self._restarts(start, place)

    def _ways(self, here: _Walker) -> list[tuple[str, dict[str, JSON]]]:
        key = here.top.engine.log.entries[-1]["key"]
        _, _, use = key.partition("#")
        # Beyond its last allowed use, a question in a loop is not followed.
        return _ways(here, self.answers, self.items) if int(use or 1) <= self.repeats else []  # type: ignore[arg-type]

    def _go(self, here: _Walker, way: tuple[str, ...], event: str, payload: Mapping[str, JSON]) -> None:
        screen = here.screen
        name = f"{screen.name} ▸ {next(iter(payload.values()), event) if event == 'select' else event}"
        try:
            here.send(event, payload)
        except AssertionError:
            raise
        except Exception as error:
            raise Stuck(f"{_told(way)} ▸ {name}: {type(error).__name__}: {error}") from error
        there = (*way, name)
        if not self._reached(here, there):
            return
        self.waiting.append(here.place(*there))
        is_same = here.top.engine.log.entries[-1].get("corrects", False)
        if here.can_go_back and not is_same and len(here._sessions) == 1:
            self._back(here, screen.data, there)

    def _back(self, here: _Walker, before: Mapping[str, JSON], way: tuple[str, ...]) -> None:
        here.back()
        if here.end is None and _shown(here.screen.data) != _shown(before):
            raise Stuck(f"{_told(way)} ▸ Back: leads to {here.screen}, not to '{before['name']}' as it was")

    def _reached(self, here: _Walker, way: tuple[str, ...]) -> bool:
        """Records a question or an end. Returns whether it is a new question."""
        if here.end is not None:
            self.ends.add({"finish": "finished", "cancel": "cancelled", "fail": "failed"}[next(iter(here.end))])
            if "fail" in here.end:
                raise Stuck(f"{_told(way)}: the flow fails, {here.end['fail']}")
            return False
        if here.top.engine.question is None:
            here.advance((here.due or 0) - here._clock.time)
            return self._reached(here, way)
        self.screens.add(here.screen.name)
        state = codec.text([_state(session.engine.log) for session in here._sessions])
        if state in self.seen:
            return False
        self.seen.add(state)
        if len(self.seen) > self.max_states:
            raise Stuck(f"the flow has more than {self.max_states} states")
        return True

    def _restarts(self, start: _Walker, place: _Place) -> None:
        here = start.put(place)
        before = here.screen.data
        if not here.top.secrets and here.restart().screen.data != before:
            raise Stuck(f"{_told(place.way)}: a restart changes what is shown")


def _shown(data: Mapping[str, JSON]) -> dict[str, JSON]:
    return {name: part for name, part in data.items() if name not in ("values", "suggested", "messages", "back")}


def _state(log: Log) -> JSON:
    recorded = ("kind", "key", "answer", "error")
    return [{name: entry.get(name) for name in recorded} for entry in log.entries] + [dict(log.input)]


def _told(way: Iterable[str]) -> str:
    return " ▸ ".join(way) or "at the start"
