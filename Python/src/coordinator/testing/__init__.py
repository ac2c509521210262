"""Plays flows in tests, without a daemon or a bus.

`play` plays coordinators, which are classes (see `coordinators`), and scripts, which are functions (see `scripts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, overload

from coordinator.core import Coordinator
from coordinator.scripts.engines import PATIENCE
from coordinator.scripts.flow import Script
from coordinator.testing import coordinators, scripts, walks
from coordinator.testing.coordinators import (
    Decider,
    NotPure,
    Play,
    ShownMessage,
    ShownScreen,
    Stuck,
    Walk,
    decide_twice,
)
from coordinator.testing.scripts import EndlessWork, Held, NotDeterministic, Refused, ScriptPlay, replays


@overload
def play(
    flow: type[Coordinator], *, flows: Iterable[type[Coordinator]] = (), input: Any = None, language: str = "en",
    hold_work: bool = False, patience: float = PATIENCE, **dependencies: Any,
) -> Play: ...  # fmt: skip


@overload
def play(
    flow: Script, *, flows: Iterable[Script] = (), input: Any = None, language: str = "en", evict: bool = True,
    log: Mapping[str, Any] | Path | str | None = None, patience: float = PATIENCE, **dependencies: Any,
) -> ScriptPlay: ...  # fmt: skip


def play(flow: Any, **options: Any) -> Any:
    """Starts a flow in memory. See `coordinators.play` and `scripts.play` for the options."""
    return scripts.play(flow, **options) if isinstance(flow, Script) else coordinators.play(flow, **options)


def explore(flow: type[Coordinator] | Script, **options: Any) -> Walk:
    """Walks every path through a flow. See `coordinators.explore` and `walks.explore` for the options."""
    return walks.explore(flow, **options) if isinstance(flow, Script) else coordinators.explore(flow, **options)


__all__ = [
    "Decider",
    "EndlessWork",
    "Held",
    "NotDeterministic",
    "NotPure",
    "Play",
    "Refused",
    "ScriptPlay",
    "ShownMessage",
    "ShownScreen",
    "Stuck",
    "Walk",
    "decide_twice",
    "explore",
    "play",
    "replays",
]
