"""A flow and its children, played in this process."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from coordinator.codec import JSON
from coordinator.errors import FlowError
from coordinator.scripts.flow import Script
from coordinator.scripts.log import Log, is_open
from coordinator.scripts.session import Clock, Refused, Session


class Player:
    """A stack of sessions: the flow, its open child, the child of that."""

    def __init__(
        self, script: Script, flows: Iterable[Script], log: Log, language: str, clock: Clock,
        stubs: Mapping[str, JSON] | None = None,
    ) -> None:  # fmt: skip
        self._flows = {script.name: script, **{flow.name: flow for flow in flows}}
        self._clock = clock
        self._language = language
        self._stubs = stubs
        self._sessions = [self._session(script, log)]
        self._texts: list[str] = []

    def _session(self, script: Script, log: Log) -> Session:
        session = Session(script, log, self._clock, self._language)
        session.stubs = self._stubs
        return session

    @property
    def top(self) -> Session:
        """The session whose question is shown."""
        return self._sessions[-1]

    @property
    def end(self) -> Mapping[str, JSON] | None:
        """How the flow has ended: `finish` with its result, `cancel`, or `fail` with `code` and `message`."""
        return self._sessions[0].end

    def checked(self, session: Session) -> None:
        """Called whenever a session waits or has ended."""

    def happens(self, happening: Mapping[str, JSON], *, evict: bool = False) -> None:
        """Takes a happening, and goes on up to the next question. A mistake of the script changes nothing."""
        session, before = self.top, self.top.engine
        try:
            session.happens(happening, evict=evict)
            self.settle()
        except Refused:
            raise
        except Exception:
            session.reset(before)
            raise

    def settle(self) -> None:
        """Goes on until a question or a timer is waited for, or the flow has ended."""
        while True:
            top = self.top
            top.settle()
            self.checked(top)
            child = top.child
            if top.end is not None and len(self._sessions) > 1:
                self._texts.append(top.engine.log.text())
                self._sessions.pop()
                # Its run may be gone, and has to reach the child again.
                self.top.settle()
                self._ended(self.top, top.end)
            elif top.end is None and child is not None:
                if child["flow"] not in self._flows:
                    raise FlowError(f"the flow '{child['flow']}' is not known here")
                self._sessions.append(self._session(self._flows[child["flow"]], Log(child["input"])))
            else:
                return

    def _ended(self, parent: Session, end: Mapping[str, JSON]) -> None:
        assert parent.child is not None
        key = parent.engine.log.entries[parent.child["entry"]]["key"]
        parent.happens({"child-ended": key, **_outcome(end)})

    @property
    def due(self) -> float | None:
        """When the next sleep or time limit ends."""
        return min(self.top.due.values(), default=None)

    @property
    def left(self) -> float | None:
        """How many seconds the next sleep or time limit takes."""
        left = self.top.left
        return None if left is None else max(0.0, left[0])

    def fire(self, *, evict: bool = False) -> None:
        """Ends the sleep or the time limit that is due next."""
        session = self.top
        assert session.left is not None, "nothing is due"
        key = session.left[1]
        del session.due[key]
        place = session.engine.log.index(key)
        if place is not None and is_open(session.engine.log.entries[place]):
            kind = session.engine.log.entries[place]["kind"]
            self.happens({"timeout" if kind == "ask" else "timer": key}, evict=evict)


def _outcome(end: Mapping[str, JSON]) -> dict[str, JSON]:
    if "finish" in end:
        return {"outcome": "finished", "result": end["finish"]}
    return {"outcome": "cancelled"} if "cancel" in end else {"outcome": "failed", "error": end["fail"]}
