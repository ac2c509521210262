"""Scripts that are plain functions: they run in a thread that waits in each call."""

from __future__ import annotations

import threading
from collections.abc import Callable, Coroutine
from queue import SimpleQueue
from typing import Any, cast

from coordinator.scripts.calls import All, Call, Cancelled
from coordinator.scripts.ui import UI


class PlainUI:
    """The calls of a plain function: those of `UI`, but each waits for its result.

    `later` has the same calls without waiting, for `ui.all(ui.later.step(…), ui.later.look(…))`.
    """

    def __init__(self, later: UI, thread: Thread) -> None:
        self.later = later
        self._thread = thread

    def choose_language(self, *arguments: Any, **options: Any) -> str:
        """Asks for the language; see `UI.choose_language`."""
        return cast(str, self._thread.complete(self.later.choose_language(*arguments, **options)))

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.later, name)
        if not callable(value) or isinstance(value, type):
            return value

        def calling(*arguments: Any, **keywords: Any) -> Any:
            call = value(*arguments, **keywords)
            return self._thread.wait(call) if isinstance(call, Call | All) else call

        return calling


class Thread:
    """A function with the interface of a coroutine: `send` returns the call that it waits in."""

    def __init__(self, function: Callable[[Thread], Any]) -> None:
        self._function = function
        self._inbox: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self._outbox: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def send(self, value: Any) -> Any:
        """Continues with the value of a call, up to the next call. Raises StopIteration at the end."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._main, name="script", daemon=True)
            self._thread.start()
        else:
            self._inbox.put((value, None))
        return self._next()

    def throw(self, error: BaseException) -> Any:
        """Continues with an exception."""
        if self._thread is None:
            raise error
        self._inbox.put((None, error))
        return self._next()

    def close(self) -> None:
        """Ends the function if it still waits: each of its calls raises `Cancelled` from now on."""
        self._is_closed = True
        if self._thread is not None and self._thread.is_alive():
            self._inbox.put((None, Cancelled("closed")))

    @property
    def is_alive(self) -> bool:
        """Whether the function is still being executed."""
        return self._thread is not None and self._thread.is_alive()

    def join(self) -> None:
        """Waits for the end of the function."""
        if self._thread is not None:
            self._thread.join()

    def complete(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """Waits in each call of a coroutine. Called by the function."""
        value: Any = None
        while True:
            try:
                call = coroutine.send(value)
            except StopIteration as end:
                return end.value
            value = self.wait(call)

    def wait(self, call: Any) -> Any:
        """Waits in a call. Called by the function."""
        if self._is_closed:
            raise Cancelled("closed")
        self._outbox.put((call, None))
        value, error = self._inbox.get()
        if error is not None:
            raise error
        return value

    def _next(self) -> Any:
        value, error = self._outbox.get()
        if error is not None:
            raise error
        return value

    def _main(self) -> None:
        try:
            result = self._function(self)
        except BaseException as error:
            self._outbox.put((None, error))
        else:
            # Not StopIteration itself, which a function cannot raise.
            self._outbox.put((None, Finished(result)))


class Finished(Exception):
    """The end of a function, with its result."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value
