"""A process that executes many runs, and speaks the script protocol on COORDINATOR_FD."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from queue import SimpleQueue

from coordinator.codec import JSON
from coordinator.scripts import ends
from coordinator.scripts.flow import Script
from coordinator.scripts.run import Messages, Run
from coordinator.scripts.wire import Lines, Sealed, Throttle, TooLong
from coordinator.work import WorkContext

Message = Mapping[str, JSON]
_PR_SET_DUMPABLE = 4
# How long runs may take to end when the host ends, in seconds: the engine kills it after five.
_PATIENCE = 4


class Workers:
    """A pool of threads, which are started on demand."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._lock = threading.Lock()
        self._count = 0
        self._idle = 0

    def do(self, job: Callable[[], None]) -> None:
        """Runs a job in a thread."""
        with self._lock:
            # Waiting threads minus waiting jobs.
            self._idle -= 1
            if self._idle < 0 and self._count < self._most:
                self._idle += 1
                self._count += 1
                threading.Thread(target=self._main, name="runs", daemon=True).start()
        self._jobs.put(job)

    def _main(self) -> None:
        while True:
            self._jobs.get()()
            with self._lock:
                self._idle += 1


@dataclass(eq=False)
class Order:
    """An order of the engine: a step, a look, or the undo of a step."""

    entry: int
    key: str
    attempt: int
    secrets: Sealed
    undo: bool
    is_counted: bool
    is_stopped: bool = False


class Activation:
    """A run with its connection: one thread at a time advances it, others perform its steps.

    `forget` is called with its number when no thread executes any part of it any more.
    """

    def __init__(
        self, number: int, script: Script, start: Message, send: Callable[[Message], None], workers: Workers,
        forget: Callable[[int], None],
    ) -> None:  # fmt: skip
        self.number = number
        self._send_line = send
        self._workers = workers
        self._forget = forget
        self._mailbox: deque[Callable[[Run], Messages]] = deque()
        self._is_busy = False
        self._lock = threading.Lock()
        self._asked: int | None = None
        self._answers: SimpleQueue[Message | None] = SimpleQueue()
        # The orders for entries that the run has not reached yet, and the orders under way.
        self._orders: dict[int, Order] = {}
        self._contexts: dict[int, WorkContext] = {}
        self._run: Run | None = None
        self._is_stopping = False
        self._is_script_over = False
        self._has_ended = False
        self.has_stopped = threading.Event()
        self._start = start
        self._script = script
        self._post(lambda run: run.start())

    def receive(self, message: Message, secrets: Sealed) -> None:
        """Takes a message of the engine. Called by the receiving thread."""
        if "stop" in message:
            self._stop(str(message["stop"]))
            return
        entry = int(message["entry"])
        if message.get("go") or message.get("undo"):
            undo, is_counted = bool(message.get("undo")), bool(message.get("counted"))
            self._take(Order(entry, str(message["key"]), int(message.get("attempt", 1)), secrets, undo, is_counted))
        elif message.get("terminate"):
            self._terminate(entry)
        elif entry == self._asked:
            self._answers.put(message)
        else:
            self._post(lambda run: run.reply(entry, message))

    # The script.

    def _post(self, job: Callable[[Run], Messages]) -> None:
        with self._lock:
            self._mailbox.append(job)
            if self._is_busy:
                return
            self._is_busy = True
        self._workers.do(self._drain)

    def _drain(self) -> None:
        while True:
            with self._lock:
                if not self._mailbox:
                    self._is_busy = False
                    return
                job = self._mailbox.popleft()
            try:
                self._run = self._run or self._created()
                for message in job(self._run):
                    self._send(message)
                self._serve(at_rest=True)
            except Exception as error:
                self._crashed(error)

    def _crashed(self, error: Exception) -> None:
        crash = {"type": type(error).__name__, "message": str(error), "at": "", "trace": ends.trace_of(error)}
        self._send({"crash": crash})

    def _created(self) -> Run:
        start = self._start
        return Run(
            self._script, start.get("input") or {}, self._ask, log=start.get("log") or (),
            language=start.get("language") or "",
        )  # fmt: skip

    def _send(self, message: Message) -> None:
        if self._is_stopping:
            return
        try:
            self._send_line({"run": self.number, **message})
        except TooLong as error:
            name = next((message[kind] for kind in ("ask", "step", "look", "child") if kind in message), None)
            reason = f"'{name}' is {error}" if name else str(error)
            crash = {"type": "TooLong", "message": reason, "at": str(message.get("at", ""))}
            self._send_line({"run": self.number, "crash": crash})

    def _ask(self, message: Message) -> Message | None:
        self._asked = int(message["entry"])
        self._send(message)
        # While a step is being undone, no answer arrives.
        self._serve(at_rest=True, is_asking=True)
        answer = self._answers.get()
        self._asked = None
        return answer

    # Steps.

    def _take(self, order: Order) -> None:
        with self._lock:
            is_stopping = self._is_stopping
            if not is_stopping:
                self._orders[order.entry] = order
        if is_stopping:
            order.secrets.close()
            return
        self._serve(at_rest=False)
        # A run that does not reach the entry has to report that.
        if order.entry in self._orders:
            self._post(lambda run: [])

    def _serve(self, *, at_rest: bool, is_asking: bool = False) -> None:
        """Begins the orders whose entries the run has reached.

        `at_rest`: the run does not advance by itself. `is_asking`: nor by the messages in the mailbox.
        """
        run = self._run
        if run is None:
            return
        begun: list[tuple[Order, WorkContext, Throttle]] = []
        missed: list[Order] = []
        with self._lock:
            # A reply that arrived before the order may advance the run to its entry.
            at_rest = at_rest and (is_asking or not self._mailbox)
            for entry, order in list(self._orders.items()):
                if run.can_undo(entry) if order.undo else run.can_perform(entry):
                    throttle = self._throttle(entry)
                    self._contexts[entry] = WorkContext(order.key, order.attempt, throttle.report)
                    if order.is_stopped:
                        self._contexts[entry].stop()
                    begun.append((self._orders.pop(entry), self._contexts[entry], throttle))
                elif at_rest and (run.has_ended or run.position > entry):
                    missed.append(self._orders.pop(entry))
        for one in begun:
            threading.Thread(target=self._perform, args=(run, *one), name="step", daemon=True).start()
        for order in missed:
            order.secrets.close()
            what = "step that can be undone" if order.undo else "step or look that waits"
            error = {"type": "NotOpen", "message": f"entry {order.entry} of this run is not a {what}"}
            self._send({"entry": order.entry, "error": error})

    def _throttle(self, entry: int) -> Throttle:
        return Throttle(lambda progress: self._send({"entry": entry, "progress": progress}))

    def _perform(self, run: Run, order: Order, context: WorkContext, throttle: Throttle) -> None:
        try:
            secrets = order.secrets.read()
            done = run.perform(order.entry, context, secrets, undo=order.undo, is_counted=order.is_counted)
            throttle.flush(close=True)
            self._send(done)
        finally:
            with self._lock:
                # The engine may have started another attempt meanwhile.
                if self._contexts.get(order.entry) is context:
                    del self._contexts[order.entry]
            self._end()

    def _terminate(self, entry: int) -> None:
        """Stops the work of a step or a look, because the user has."""
        with self._lock:
            context, order = self._contexts.get(entry), self._orders.get(entry)
            if order is not None:
                order.is_stopped = True
        if context is not None:
            context.stop()

    # The end.

    def _stop(self, reason: str) -> None:
        with self._lock:
            if self._is_stopping:
                return
            self._is_stopping = True
            orders, contexts = list(self._orders.values()), list(self._contexts.values())
            self._orders.clear()
        for order in orders:
            order.secrets.close()
        for context in contexts:
            context.cancel()
        self._answers.put(None)
        self._post(lambda run: self._stopped(run, reason))

    def _stopped(self, run: Run, reason: str) -> Messages:
        run.stop(reason)
        if run.is_alive:
            threading.Thread(target=self._join, args=(run,), name="end", daemon=True).start()
        else:
            self._join(run)
        return []

    def _join(self, run: Run) -> None:
        run.join()
        self._is_script_over = True
        self._end()

    def _end(self) -> None:
        """Reports that the run is stopped, when no thread executes any part of it any more."""
        with self._lock:
            if not self._is_script_over or self._contexts or self._has_ended:
                return
            self._has_ended = True
        # The engine may stop the run again, or start one with this number, as soon as it receives the report.
        self._forget(self.number)
        self._send_line({"run": self.number, "stopped": True})
        self.has_stopped.set()


class Host:
    """Serves scripts to the engine on a connected socket."""

    def __init__(self, descriptor: int, scripts: Sequence[Script]) -> None:
        os.set_inheritable(descriptor, False)
        self._lines = Lines(socket.socket(fileno=descriptor))
        self._scripts = {script.name: script for script in scripts}
        self._runs: dict[int, Activation] = {}
        self._workers = Workers()
        self._is_dumpable = True

    def leave(self) -> None:
        """Ends the connection, so that `run` returns."""
        self._lines.end()

    def run(self) -> None:
        """Serves until the engine closes the connection, or until SIGTERM. Stops all runs then."""
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, lambda *_: self.leave())
        for message in self._lines.receive():
            self._received(message)
        left = list(self._runs.values())
        for activation in left:
            activation.receive({"stop": "evicted"}, Sealed({}))
        end = time.monotonic() + _PATIENCE
        for activation in left:
            activation.has_stopped.wait(max(0, end - time.monotonic()))

    def _received(self, message: Message) -> None:
        number = int(message["run"])
        if "flow" in message:
            if (activation := self._activated(number, message)) is None:
                crash = {"type": "UnknownFlow", "message": f"there is no flow '{message['flow']}' here", "at": ""}
                self._lines.send({"run": number, "crash": crash})
                return
            self._runs[number] = activation
            return
        secrets = Sealed({})
        if message.get("go") and message.get("secrets"):
            self._keep_to_oneself()
            secrets = self._lines.secrets(message["secrets"])
        activation = self._runs.get(number)
        if activation is not None:
            activation.receive(message, secrets)
        else:
            secrets.close()
            if "stop" in message:
                self._lines.send({"run": number, "stopped": True})

    def _activated(self, number: int, message: Message) -> Activation | None:
        script = self._scripts.get(message["flow"])
        if script is None:
            return None
        return Activation(number, script, message, self._lines.send, self._workers, self._forget)

    def _forget(self, number: int) -> None:
        self._runs.pop(number, None)

    def _keep_to_oneself(self) -> None:
        """Makes the process non-dumpable, because it receives secrets now."""
        if self._is_dumpable:
            import ctypes

            ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
            self._is_dumpable = False
