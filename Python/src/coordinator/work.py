"""What work is given: its context, and secrets."""

from __future__ import annotations

import contextvars
import hmac
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from coordinator.codec import JSON

Report: TypeAlias = Callable[[dict[str, JSON]], None]


class Cancelled(Exception):
    """Raised in work by `check_cancelled` after it has been cancelled."""


class Secret:
    """A secret that is lent to work: bytes that are wiped when the work is done, and never printed.

    Use it as `bytes(secret)`, or without a copy as `memoryview(secret.view)`. Copies that you make, and those that the
    interpreter made while it read the message, are not wiped.
    """

    __slots__ = ("_bytes",)

    def __init__(self, value: str | bytes | bytearray) -> None:
        self._bytes = bytearray(value.encode() if isinstance(value, str) else value)

    @property
    def view(self) -> bytearray:
        """The bytes themselves, until they are wiped."""
        return self._bytes

    def reveal(self) -> str:
        """Returns the secret as a string, which cannot be wiped."""
        return self._bytes.decode()

    def wipe(self) -> None:
        """Overwrites the secret."""
        self._bytes[:] = bytes(len(self._bytes))
        self._bytes.clear()

    def __bytes__(self) -> bytes:
        return bytes(self._bytes)

    def __len__(self) -> int:
        return len(self._bytes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and hmac.compare_digest(self._bytes, other._bytes)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "Secret(•••)"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return repr(self)

    def __reduce__(self) -> Any:
        raise TypeError("a secret cannot be pickled or copied")


class WorkContext:
    """The piece of work that a thread performs; see `current_work`."""

    def __init__(self, key: str, attempt: int, report: Report) -> None:
        self.key = key
        self.attempt = attempt
        self._report = report
        self._cancelled = threading.Event()

    def report(
        self, fraction: float | None = None, text: str | None = None, live: Mapping[str, JSON] | None = None
    ) -> None:
        """Reports progress, or keys of the work's screen, which are shown and not stored."""
        progress: dict[str, JSON] = {}
        if fraction is not None:
            progress["fraction"] = min(1.0, max(0.0, float(fraction)))
        if text is not None:
            progress["text"] = text
        if live is not None:
            progress["live"] = {key: _plain(value) for key, value in live.items()}
        self._report(progress)

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for the result any more."""
        return self._cancelled.is_set()

    def check_cancelled(self) -> None:
        """Raises `Cancelled` if nobody waits for the result any more."""
        if self.cancelled:
            raise Cancelled("the work was cancelled")

    def sleep(self, seconds: float) -> None:
        """Sleeps; raises `Cancelled` as soon as the work is cancelled."""
        self._cancelled.wait(seconds)
        self.check_cancelled()

    def cancel(self) -> None:
        """Marks the work as cancelled."""
        self._cancelled.set()


def _plain(value: Any) -> JSON:
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value.to_json() if hasattr(value, "to_json") else value


_CURRENT: contextvars.ContextVar[WorkContext] = contextvars.ContextVar("coordinator.work")


def current_work() -> WorkContext:
    """Returns the work that is performed; outside of work, one that reports to nobody."""
    return _CURRENT.get(None) or WorkContext("", 1, lambda _: None)


@contextmanager
def performing(context: WorkContext) -> Iterator[None]:
    """Makes a context the current one."""
    token = _CURRENT.set(context)
    try:
        yield
    finally:
        _CURRENT.reset(token)
