"""The context of work, and secrets."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from coordinator.codec import JSON

Report: TypeAlias = Callable[[dict[str, JSON]], None]


class Cancelled(Exception):
    """Raised by `check_cancelled` in work that has been cancelled."""


class Secret:
    """A secret that is lent to work: bytes that are never printed, and are wiped when the work has ended.

    `bytes(secret)` returns a copy, `secret.view` the bytes themselves. Copies are not wiped, neither yours nor those
    that the interpreter makes when it reads the message.
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
        # Imported on demand, because the import takes long.
        import hmac

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
    """The context of work. See `current_work`.

    `key` is the same in every attempt, so it can serve as an idempotency key. `attempt` counts from 1.
    """

    def __init__(self, key: str, attempt: int, report: Report) -> None:
        self.key = key
        self.attempt = attempt
        self._report = report
        self._cancelled = threading.Event()
        self._is_stopped = False
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], object]] = []

    def report(
        self,
        fraction: float | None = None,
        text: str | None = None,
        live: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        """Reports progress, and live values: parts of screens by key, which are shown but not stored.

        ```python
        current_work().report(live={"networks": {"items": [Item("home", "Home")]}})
        ```
        """
        progress: dict[str, JSON] = {}
        if fraction is not None:
            progress["fraction"] = min(1.0, max(0.0, float(fraction)))
        if text is not None:
            progress["text"] = text
        if live is not None:
            progress["live"] = {screen: _plain(parts) for screen, parts in live.items()}
        self._report(progress)

    @property
    def cancelled(self) -> bool:
        """Whether the work has been cancelled."""
        return self._cancelled.is_set()

    @property
    def stopped(self) -> bool:
        """Whether the user has stopped the work, which is then also cancelled."""
        return self._is_stopped

    def check_cancelled(self) -> None:
        """Raises `Cancelled` if the work has been cancelled."""
        if self.cancelled:
            raise Cancelled("the work was cancelled")

    def sleep(self, seconds: float) -> None:
        """Sleeps. Raises `Cancelled` as soon as the work is cancelled."""
        self._cancelled.wait(seconds)
        self.check_cancelled()

    def stop(self) -> None:
        """Marks the work as stopped by the user, and cancels it."""
        self._is_stopped = True
        self.cancel()

    def cancel(self) -> None:
        """Marks the work as cancelled."""
        with self._lock:
            self._cancelled.set()
            callbacks = list(self._callbacks)
        for callback in callbacks:
            callback()

    @contextmanager
    def cancelling(self, callback: Callable[[], object]) -> Iterator[None]:
        """Calls a function when the work is cancelled, from the cancelling thread; at once if it already is."""
        with self._lock:
            self._callbacks.append(callback)
            is_cancelled = self._cancelled.is_set()
        if is_cancelled:
            callback()
        try:
            yield
        finally:
            with self._lock:
                self._callbacks.remove(callback)


def _plain(value: Any) -> JSON:
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value.to_json() if hasattr(value, "to_json") else value


_CURRENT: contextvars.ContextVar[WorkContext] = contextvars.ContextVar("coordinator.work")


def current_work() -> WorkContext:
    """Returns the context of the current work. Outside of work, its reports are discarded."""
    return _CURRENT.get(None) or WorkContext("", 1, lambda _: None)


@contextmanager
def performing(context: WorkContext) -> Iterator[None]:
    """Makes a context the current one."""
    token = _CURRENT.set(context)
    try:
        yield
    finally:
        _CURRENT.reset(token)
