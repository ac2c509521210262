"""Performs the work of steps and looks."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from coordinator import codec
from coordinator.codec import JSON
from coordinator.scripts.calls import SecretHandle
from coordinator.work import Secret, WorkContext, performing


def perform(
    function: Callable[..., Any], arguments: tuple[Any, ...], keywords: Mapping[str, Any], attempts: int,
    context: WorkContext, secrets: Mapping[str, bytes],
) -> dict[str, JSON]:  # fmt: skip
    """Calls a function, up to `attempts` times. Returns `done` with its result, or `error` with the last error.

    Secrets among the arguments are replaced by their bytes, which are wiped afterwards.
    """
    lent = {name: Secret(value) for name, value in secrets.items()}

    def given(value: Any) -> Any:
        return lent[value.name] if isinstance(value, SecretHandle) else value

    try:
        with performing(context):
            for attempt in range(1, attempts + 1):
                try:
                    value = function(*map(given, arguments), **{name: given(one) for name, one in keywords.items()})
                    if inspect.isawaitable(value):
                        value = _loop().run(value)
                    done = codec.encode(value)
                    if _hidden(codec.text(done), secrets) != codec.text(done):
                        raise ValueError("the result contains a secret, which would be stored")
                    return {"done": done}
                except Exception as error:
                    if attempt == attempts or context.cancelled:
                        return {"error": {"type": _kind(error), "message": _hidden(str(error), secrets)}}
        raise ValueError(f"attempts is at least 1, not {attempts}")
    finally:
        for secret in lent.values():
            secret.wipe()


def _kind(error: Exception) -> str:
    name = type(error).__name__
    # The engine knows these two.
    return f"{type(error).__module__}.{name}" if name in ("Unknown", "SecretSpent") else name


def _hidden(text: str, secrets: Mapping[str, bytes]) -> str:
    """Returns a text that will be stored, without the secrets in it."""
    for value in secrets.values():
        # Shorter ones occur by chance.
        if len(value) >= 4:
            text = text.replace(value.decode(errors="replace"), "•••")
    return text


class _Loop:
    """An event loop in a thread of its own, for all coroutine functions of this process."""

    def __init__(self) -> None:
        import asyncio

        self._asyncio = asyncio
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="event loop", daemon=True).start()

    def run(self, coroutine: Any) -> Any:
        """Runs a coroutine function's work, with the context of the thread that waits for it."""

        async def awaited() -> Any:
            return await coroutine

        task: Coroutine[Any, Any, Any] = awaited()
        return self._asyncio.run_coroutine_threadsafe(task, self._loop).result()


_lock = threading.Lock()
_running: list[_Loop] = []


def _loop() -> _Loop:
    with _lock:
        if not _running:
            _running.append(_Loop())
        return _running[0]
