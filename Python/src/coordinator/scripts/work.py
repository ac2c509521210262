"""Performs the work of steps and looks."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from coordinator import codec
from coordinator.codec import JSON
from coordinator.scripts.calls import SecretHandle
from coordinator.scripts.wire import wipe
from coordinator.work import Secret, WorkContext, performing

# The maximum number of bytes of a result as JSON, as for steps of shell scripts, and of characters of an error's
# message.
MAX_RESULT = 64 << 10
MAX_MESSAGE = 4 << 10


def perform(
    function: Callable[..., Any], arguments: tuple[Any, ...], keywords: Mapping[str, Any], attempts: int,
    context: WorkContext, secrets: Mapping[str, bytes | bytearray], *, has_result: bool = True, is_secret: bool = False,
) -> dict[str, JSON]:  # fmt: skip
    """Calls a function, up to `attempts` times. Returns `done` with its result, or `error` with the last error.

    A function that has returned has done its work, whatever becomes of the result. It has none without `has_result`.
    A result that is itself a secret may contain others.
    Secrets among the arguments are replaced by their bytes, which are wiped afterwards, as are those in `secrets`.
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
                        value = _loop().run(value, context)
                except KeyboardInterrupt:
                    raise
                # Also SystemExit, which would silently end the thread.
                except BaseException as error:
                    if attempt == attempts or context.cancelled:
                        kind = "stopped" if context.stopped else _kind(error)
                        reason = _hidden(str(error), secrets)[:MAX_MESSAGE]
                        return {"error": {"type": kind, "message": reason or kind}}
                else:
                    return _done(value, secrets, is_secret) if has_result else {"done": None}
        raise ValueError(f"attempts is at least 1, not {attempts}")
    finally:
        for secret in lent.values():
            secret.wipe()
        for given_value in secrets.values():
            if isinstance(given_value, bytearray):
                wipe(given_value)


def _done(value: Any, secrets: Mapping[str, bytes | bytearray], is_secret: bool) -> dict[str, JSON]:
    if is_secret:
        if isinstance(value, str) and value:
            return {"done": value}
        message = f"this was done, but its secret result is a string that is not empty, not {type(value).__name__}"
        return {"error": {"type": "no-result", "message": message}}
    try:
        result = codec.encode(value)
        text = codec.text(result)
    except Exception as error:
        message = f"this was done, but its result is not JSON: {_hidden(str(error), secrets)}"
        return {"error": {"type": "no-result", "message": message[:MAX_MESSAGE]}}
    if (size := len(text.encode())) > MAX_RESULT:
        message = f"this was done, but its result has {size} bytes: at most {MAX_RESULT} are recorded"
        return {"error": {"type": "too-long", "message": message}}
    if _hidden(text, secrets) != text:
        return {"error": {"type": "no-result", "message": "this was done, but its result contains a secret"}}
    return {"done": result}


def _kind(error: BaseException) -> str:
    name = type(error).__name__
    # The engine knows these two.
    return f"{type(error).__module__}.{name}" if name in ("Unknown", "SecretSpent") else name


def _hidden(text: str, secrets: Mapping[str, bytes | bytearray]) -> str:
    """Returns a text that will be stored, without the secrets in it."""
    # As bytes: a secret that is decoded cannot be wiped.
    data = text.encode(errors="surrogatepass")
    for value in secrets.values():
        # Shorter ones occur by chance.
        if len(value) >= 4:
            data = data.replace(value, "•••".encode())
    return data.decode(errors="surrogatepass")


class _Loop:
    """An event loop in a dedicated thread, for all coroutine functions of this process."""

    def __init__(self) -> None:
        import asyncio

        self._asyncio = asyncio
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="event loop", daemon=True).start()

    def run(self, coroutine: Any, context: WorkContext) -> Any:
        """Runs a coroutine function's work, with the context of the calling thread.

        The coroutine is cancelled with the context. Returns when it has ended.
        """

        async def awaited() -> Any:
            task = self._asyncio.current_task()
            assert task is not None
            with context.cancelling(lambda: self._loop.call_soon_threadsafe(task.cancel)):
                return await coroutine

        work: Coroutine[Any, Any, Any] = awaited()
        return self._asyncio.run_coroutine_threadsafe(work, self._loop).result()


_lock = threading.Lock()
_running: list[_Loop] = []


def _loop() -> _Loop:
    with _lock:
        if not _running:
            _running.append(_Loop())
        return _running[0]
