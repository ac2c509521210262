"""One execution of a script, without input and output: replies go in, messages come out."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from coordinator import codec
from coordinator.codec import JSON
from coordinator.errors import FlowError, InvalidPayload
from coordinator.scripts import ends, plain
from coordinator.scripts.calls import (
    FOREIGN,
    All,
    Call,
    Cancelled,
    ForeignAwait,
    SecretHandle,
    SecretSpent,
)
from coordinator.scripts.entries import Entry, name_of, reply_of
from coordinator.scripts.flow import Script
from coordinator.scripts.ui import UI
from coordinator.scripts.work import perform
from coordinator.work import WorkContext

Message = Mapping[str, JSON]
Messages = list[dict[str, JSON]]
Ask = Callable[[Message], Mapping[str, JSON] | None]


class Run:
    """A run. Its methods return the messages to send, and are called by one thread at a time, except `perform`.

    `log` are the entries that are replayed without asking. `ask` serves operations that are not awaited: it sends a
    message, and waits for the reply or for the end of the run.
    """

    def __init__(
        self, script: Script, input: Mapping[str, JSON], ask: Ask, *, log: Sequence[Entry] = (), language: str = ""
    ) -> None:
        self.script = script
        self.input = script.decoded(input)
        self.language = language
        self.error: BaseException | None = None
        self.has_ended = False
        self._has_left = False
        self._ask = ask
        self._log = log
        self._next = 0
        self._waiting: Call[Any] | All | None = None
        self._open: dict[int, Call[Any]] = {}
        self._replies: dict[int, Mapping[str, JSON]] = {}
        self._place = 0
        self._done: dict[int, dict[str, JSON]] = {}
        self._undoing: dict[int, tuple[Callable[[Any], Any], JSON]] = {}
        self._secrets: dict[str, int] = {}
        ui = UI(self)
        self._body: Any = (
            script.call(ui) if script.is_async else plain.Thread(lambda thread: script.call(plain.PlainUI(ui, thread)))
        )

    @property
    def position(self) -> int:
        """The index of the entry that the next operation has."""
        return self._next

    def start(self) -> Messages:
        """Runs to the first operation that has no reply yet."""
        return self._advance(lambda: self._body.send(None))

    def reply(self, entry: int, reply: Message) -> Messages:
        """Handles the reply to an operation, and continues."""
        if entry not in self._open or self.has_ended:
            return []
        if reply.get("recorded"):
            reply = self._done.pop(entry)
        self._take(entry, self._open.pop(entry), reply)
        return [] if self._open else self._resume()

    def stop(self, reason: str) -> None:
        """Stops the run: throws `Cancelled` at its open call."""
        self.has_ended = True
        if self._has_left:
            return
        error: BaseException = Cancelled(reason)
        # A call in a `finally` is an error, and there may be several of them.
        for _ in range(16):
            try:
                self._body.throw(error)
            except BaseException:
                return
            error = FlowError(f"the run is stopped, {reason}: no further calls are possible")
        with contextlib.suppress(RuntimeError):
            self._body.close()

    @property
    def is_alive(self) -> bool:
        """Whether the function of a stopped run is still being executed, in its own thread."""
        return isinstance(self._body, plain.Thread) and self._body.is_alive

    def join(self) -> None:
        """Waits for the end of the function of a stopped run."""
        if isinstance(self._body, plain.Thread):
            self._body.join()

    def perform(
        self, entry: int, context: WorkContext, secrets: Mapping[str, bytes | bytearray], *, undo: bool = False,
        is_counted: bool = False,
    ) -> dict[str, JSON]:  # fmt: skip
        """Performs the work of a step or a look, or undoes a step, on any thread. Returns the message with the result.

        If the engine counts the attempts (`is_counted`), this is one of them.
        """
        if undo:
            function, result = self._undoing[entry]
            return {"entry": entry, **perform(function, (result,), {}, 1, context, {}, has_result=False)}
        work = self._open[entry].work
        assert work is not None, "no work"
        attempts = 1 if is_counted else work.attempts or 1
        is_secret = work.has_secret_result
        done = perform(
            work.function, work.arguments, work.keywords, attempts, context, secrets, is_secret=is_secret
        )  # fmt: skip
        self._done[entry] = (
            {"error": done["error"]}
            if "error" in done
            else {"result": {"secret": True} if is_secret else json.loads(codec.text(done["done"]))}
        )
        return {"entry": entry, **done}

    def can_perform(self, entry: int) -> bool:
        """Whether a step or a look waits to be performed."""
        call = self._open.get(entry)
        return call is not None and call.work is not None

    def can_undo(self, entry: int) -> bool:
        """Whether the run has passed a step that it can undo."""
        return entry in self._undoing

    def now(self, call: Call[Any]) -> Any:
        """Performs an operation that is not awaited. Called by the script."""
        if self.has_ended:
            raise FlowError("the run is stopped: no further calls are possible")
        recorded = self._recorded(call, self._next)
        if recorded is None and (call.kind != "patch" or self._next >= len(self._log)):
            recorded = self._ask({"entry": self._next, **call.message})
            self._log = ()
            if recorded is None:
                self.has_ended = True
                raise Cancelled("stopped")
        reply = recorded if recorded is not None else {"result": False}
        if call.kind != "patch" or reply["result"]:
            self._next += 1
        return call.take(reply, self._next - 1)

    def _recorded(self, call: Call[Any], place: int) -> Mapping[str, JSON] | None:
        if place >= len(self._log):
            return None
        entry = self._log[place]
        if (
            entry["kind"] != call.kind
            or name_of(entry) != call.name
            or entry.get("digest") != call.message.get("digest")
        ):
            return None
        return reply_of(entry)

    def _advance(self, go: Callable[[], Any]) -> Messages:
        while True:
            try:
                waiting = go()
            except (StopIteration, plain.Finished) as end:
                self._has_left = True
                return self._finished(end.value)
            except BaseException as error:
                self._has_left = True
                return self._raised(error)
            if not isinstance(waiting, Call | All):
                go = self._refusal(waiting)
                continue
            self._waiting, self._place = waiting, self._next
            messages = self._begin(waiting.calls if isinstance(waiting, All) else (waiting,))
            if self._open:
                return messages
            go = self._outcome()

    def _refusal(self, awaited: Any) -> Callable[[], Any]:
        what = type(awaited).__name__
        what = "asyncio.gather" if what == "_GatheringFuture" else what
        error = ForeignAwait(f"awaits {what}, {FOREIGN}")
        return lambda: self._body.throw(error)

    def _begin(self, calls: Sequence[Call[Any]]) -> Messages:
        messages: Messages = []
        self._replies = {}
        last = self._next + len(calls) - 1
        for call in calls:
            place, self._next = self._next, self._next + 1
            recorded = self._recorded(call, place)
            if recorded is None:
                self._log = ()
                self._open[place] = call
                more = {"more": True} if place < last else {}
                messages.append({"entry": place, **call.message, **more})
            else:
                self._take(place, call, recorded)
        return messages

    def _resume(self) -> Messages:
        return self._advance(self._outcome())

    def _outcome(self) -> Callable[[], Any]:
        """Returns how the script continues after the replies: with values, or with the first error."""
        waiting = self._waiting
        assert waiting is not None
        calls = waiting.calls if isinstance(waiting, All) else (waiting,)
        values: list[Any] = []
        for place, call in enumerate(calls, self._place):
            reply = self._replies[place]
            try:
                values.append(call.take(reply, place))
            except InvalidPayload as invalid:
                return self._correction(call, reply, invalid)
            except Exception as error:
                raised = error
                return lambda: self._body.throw(raised)
        value = values if isinstance(waiting, All) else values[0]
        return lambda: self._body.send(value)

    def _correction(self, call: Call[Any], reply: Mapping[str, JSON], invalid: InvalidPayload) -> Callable[[], Any]:
        """Asks a question again, as if the script did."""
        assert call.correct is not None
        again = call.correct(invalid.reasons, reply["answer"]["payload"])
        return lambda: again

    def _take(self, place: int, call: Call[Any], reply: Mapping[str, JSON]) -> None:
        self._replies[place] = reply
        if call.kind == "ask":
            payload = reply["answer"].get("payload") or {}
            self._secrets.update({name: place for name, value in payload.items() if value == {"secret": True}})
        if call.work is not None and call.work.has_secret_result:
            self._secrets[call.name] = place
        if call.work is not None and call.work.undo is not None:
            self._undoing[place] = call.work.undo, reply.get("result")

    def check(self, secrets: Sequence[SecretHandle]) -> None:
        """Raises `SecretSpent` for the secret of a form whose secret another form has replaced."""
        for secret in secrets:
            if self._secrets.get(secret.name) != secret.entry:
                raise SecretSpent(f"the secret '{secret.name}' was replaced by that of a later form")

    def _finished(self, value: Any) -> Messages:
        try:
            return self._end({"finish": ends.result_of(self.script, value)})
        except Exception as error:
            return self._raised(error)

    def _raised(self, error: BaseException) -> Messages:
        self.error = error = ends.explained(error)
        message = ends.message_of(self.script, error)
        self.has_ended = True
        return [] if message is None else self._end(message)

    def _end(self, message: Mapping[str, JSON]) -> Messages:
        self.has_ended = True
        return [{"entry": self._next, **message}]
