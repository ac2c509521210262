"""The stages that the plays of a test share."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from coordinator import codec
from coordinator.codec import JSON
from coordinator.scripts.engines import PATIENCE, Mode
from coordinator.scripts.flow import Script
from coordinator.scripts.stages import Played, Stage, describe

Name: TypeAlias = tuple[str, Mode, float]
"""The key of a stage: the descriptions of its scripts, the mode of the plays, and how long a step may take."""


class Stages:
    """The idle stages of this process: starting one takes longer than most plays."""

    most = 4

    def __init__(self) -> None:
        # The garbage collector may return a stage while another one is taken.
        self._lock = threading.RLock()
        self._idle: list[tuple[Name, Stage]] = []

    def take(self, scripts: Iterable[Script], mode: Mode, patience: float) -> tuple[Name, Stage]:
        """Returns a stage for scripts, and its key."""
        name = describe(scripts), mode, patience
        with self._lock:
            for one in list(self._idle):
                if one[0] == name and one in self._idle:
                    self._idle.remove(one)
                    if one[1].is_alive:
                        return one
                    one[1].close()
        return name, Stage(*name)

    def give_back(self, name: Name, stage: Stage) -> None:
        """Returns the stage of a play that no test refers to any more."""
        if not stage.is_own or not stage.is_alive:
            return
        stage.played = Played({})
        with self._lock:
            self._idle.append((name, stage))
            surplus = [self._idle.pop(0)[1]] if len(self._idle) > self.most else []
        for one in surplus:
            one.close()

    def forget(self) -> None:
        """Forgets the stages of the process that this one was forked from."""
        self._lock, self._idle = threading.RLock(), []


STAGES = Stages()
os.register_at_fork(after_in_child=STAGES.forget)


class Theatre:
    """The stage of a play. It serves other plays when no test refers to this object any more."""

    def __init__(
        self, scripts: Iterable[Script], language: str, mode: Mode, stubs: Mapping[str, JSON] | None,
        patience: float = PATIENCE,
    ) -> None:  # fmt: skip
        known = {script.name: script for script in scripts}
        encoded = None if stubs is None else {name: codec.encode(value) for name, value in stubs.items()}
        name, self._stage = STAGES.take(known.values(), mode, patience)
        self._stage.played = self.played = Played(known, language, encoded)
        weakref.finalize(self, STAGES.give_back, name, self._stage).atexit = False

    def ask(self, request: Mapping[str, JSON]) -> dict[str, JSON]:
        """Sends a request to the engine; see `Stage.ask`."""
        return self._stage.ask(request)

    def check(self, options: Sequence[str]) -> dict[str, JSON]:
        """Walks one of the scripts; see `Stage.check`."""
        return self._stage.check(options)

    def cause(self, message: str) -> BaseException | None:
        """Returns the exception of a script that a message describes; None if there is none."""
        described = (error for error in reversed(self.played.errors) if str(error) and str(error) in message)
        return next(described, None)
