"""Walks all paths through a script."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from coordinator import codec
from coordinator.codec import JSON
from coordinator.scripts.engines import Mode
from coordinator.scripts.flow import Script
from coordinator.testing.coordinators import Stuck, Walk, _ways
from coordinator.testing.scripts import ScriptPlay, start_of
from coordinator.testing.theatres import Theatre

Passed: TypeAlias = Callable[[str, Mapping[str, JSON]], None]
"""Called with a flow's name and log."""


class _Walker(ScriptPlay):
    """A play that can return to an earlier place."""

    way: tuple[str, ...] = ()

    def moved(self, *way: str) -> _Walker:
        """Returns a play that continues from here, so that this one stays at its place."""
        other = copy.copy(self)
        other.way = (*self.way, *way)
        return other

    @property
    def logs(self) -> list[Mapping[str, JSON]]:
        """The logs of the flow and its open children."""
        return [one["log"] for one in self._state["flows"]]

    @property
    def keeps_secrets(self) -> bool:
        """Whether a secret is kept for a step."""
        return any(one["secrets"] for one in self._state["flows"])

    def wait(self) -> None:
        """Advances the clock to the next timer."""
        self.advance(self._state["due"] - self._state["now"])

    @property
    def is_asking(self) -> bool:
        """Whether a question is open."""
        return "question" in self._state

    def tell(self, passed: Passed) -> None:
        """Describes the flow that waits, or that has ended."""
        one = self._state["ended"][-1] if self.end is not None else self._state["flows"][-1]
        passed(one["flow"], one["log"])


def explore(
    flow: Script, *, flows: Iterable[Script] = (), input: Any = None,
    answers: Mapping[str, Iterable[Mapping[str, Any]]] | None = None, max_states: int = 500, items_per_list: int = 3,
    repeats: int = 2, stubs: Mapping[str, JSON] | None = None, passed: Passed | None = None,
    **dependencies: Any,
) -> Walk:  # fmt: skip
    """Walks all paths through a script: each choice, Back from every place, and a restart at each question.

    A question in a loop is followed up to its `repeats`-th use. `answers` contains payloads, by name, for forms that
    cannot be guessed. Raises `Stuck` if the script raises an exception, if the flow fails, if Back does not return to
    the previous question, or if a restart changes the screen; and `NotDeterministic` if two runs with the same log
    differ. Steps are executed, so pass `dependencies` without side effects, or results of steps by name as `stubs`.
    `passed` is called with the name and the log of each flow whenever it waits or has ended.
    """
    script = flow.using(**dependencies) if dependencies else flow
    walk = _Explorer(answers or {}, max_states, items_per_list, repeats, passed)
    walk.walk(_Walker(Theatre((script, *flows), "en", Mode.TEST, stubs), start_of(script, input)))
    return Walk(frozenset(walk.screens), frozenset(walk.ends), len(walk.seen))


class _Explorer:
    """The visited states, screens and outcomes, and the queue of places."""

    def __init__(
        self, answers: Mapping[str, Iterable[Mapping[str, Any]]], max_states: int, items: int, repeats: int,
        passed: Passed | None,
    ) -> None:  # fmt: skip
        self.answers, self.max_states, self.items, self.repeats = answers, max_states, items, repeats
        self.passed = passed
        self.seen: set[str] = set()
        self.screens: set[str] = set()
        self.ends: set[str] = set()
        self.waiting: deque[_Walker] = deque()

    def walk(self, start: _Walker) -> None:
        if self._reached(start):
            self.waiting.append(start)
            if start.can_go_back:
                back = start.moved("Back")
                back.back()
                self._reached(back)
        while self.waiting:
            place = self.waiting.popleft()
            for event, payload in self._ways(place):
                self._go(place, event, payload)
            self._restarts(place)

    def _ways(self, here: _Walker) -> list[tuple[str, dict[str, JSON]]]:
        _, _, use = str(here.logs[-1]["entries"][-1]["key"]).partition("#")
        # The last use of a question in a loop is answered with the answer that leaves the loop, as far as it is
        # known.
        return _ways(here, self.answers, self.items) if int(use or 1) <= self.repeats else []  # type: ignore[arg-type]

    def _go(self, here: _Walker, event: str, payload: Mapping[str, JSON]) -> None:
        screen = here.screen
        name = f"{screen.name} ▸ {next(iter(payload.values()), event) if event == 'select' else event}"
        there = here.moved(name)
        try:
            there.send(event, payload)
        except AssertionError:
            raise
        except Exception as error:
            raise Stuck(f"{_told(there.way)}: {type(error).__name__}: {error}") from error
        if not self._reached(there):
            return
        self.waiting.append(there)
        is_same = there.logs[-1]["entries"][-1].get("corrects", False)
        if there.can_go_back and not is_same and len(there.logs) == 1:
            self._back(there.moved("Back"), screen.data)

    def _back(self, here: _Walker, before: Mapping[str, JSON]) -> None:
        here.back()
        self._passed(here)
        if here.end is None and _shown(here.screen.data) != _shown(before):
            raise Stuck(f"{_told(here.way)}: leads to {here.screen}, not to '{before['name']}' as it was")

    def _passed(self, here: _Walker) -> None:
        if self.passed is not None:
            here.tell(self.passed)

    def _reached(self, here: _Walker) -> bool:
        """Records a question or an end. Returns whether it is a new question."""
        self._passed(here)
        if here.end is not None:
            self.ends.add({"finish": "finished", "cancel": "cancelled", "fail": "failed"}[next(iter(here.end))])
            if "fail" in here.end:
                raise Stuck(f"{_told(here.way)}: the flow fails, {here.end['fail']}")
            return False
        if not here.is_asking:
            here.wait()
            return self._reached(here)
        self.screens.add(here.screen.name)
        state = codec.text([_state(log) for log in here.logs])
        if state in self.seen:
            return False
        self.seen.add(state)
        if len(self.seen) > self.max_states:
            raise Stuck(f"the flow has more than {self.max_states} states")
        return True

    def _restarts(self, place: _Walker) -> None:
        if place.keeps_secrets:
            return
        here = place.moved()
        if here.restart().screen.data != place.screen.data:
            raise Stuck(f"{_told(place.way)}: a restart changes what is shown")


def _shown(data: Mapping[str, JSON]) -> dict[str, JSON]:
    return {name: part for name, part in data.items() if name not in ("values", "suggested", "messages", "back")}


def _state(log: Mapping[str, JSON]) -> JSON:
    recorded = ("kind", "key", "answer", "error")
    return [{name: entry.get(name) for name in recorded} for entry in log["entries"]] + [log["input"]]


def _told(way: Iterable[str]) -> str:
    return " ▸ ".join(way) or "at the start"
