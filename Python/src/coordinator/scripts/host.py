"""A process that has many runs, and speaks the script protocol on COORDINATOR_FD."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from queue import SimpleQueue

from coordinator.codec import JSON
from coordinator.scripts.flow import Script
from coordinator.scripts.run import Messages, Run
from coordinator.scripts.wire import Lines, Throttle, TooLong
from coordinator.work import WorkContext

Message = Mapping[str, JSON]
_PR_SET_DUMPABLE = 4


class Workers:
    """Threads that are started when they are needed."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._lock = threading.Lock()
        self._count = 0
        self._idle = 0

    def do(self, job: Callable[[], None]) -> None:
        """Does something in a thread."""
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


class Activation:
    """A run with its connection: one thread at a time goes on with it, others perform its steps."""

    def __init__(
        self, number: int, script: Script, start: Message, send: Callable[[Message], None], workers: Workers
    ) -> None:
        self.number = number
        self._send_line = send
        self._workers = workers
        self._mailbox: deque[Callable[[Run], Messages]] = deque()
        self._is_busy = False
        self._lock = threading.Lock()
        self._asked: int | None = None
        self._answers: SimpleQueue[Message | None] = SimpleQueue()
        self._contexts: dict[int, WorkContext] = {}
        self._run: Run | None = None
        self.has_stopped = threading.Event()
        self._start = start
        self._script = script
        self._post(lambda run: run.start())

    def receive(self, message: Message, secrets: Callable[[], dict[str, bytes]] | None) -> None:
        """Takes a message of the engine. Called by the receiving thread."""
        if "stop" in message:
            for context in list(self._contexts.values()):
                context.cancel()
            reason = str(message["stop"])
            self._answers.put(None)
            self._post(lambda run: self._stopped(run, reason))
            return
        entry = int(message["entry"])
        if message.get("go") or message.get("undo"):
            undo = bool(message.get("undo"))
            target = self._perform
            arguments = (entry, str(message["key"]), int(message.get("attempt", 1)), secrets, undo)
            threading.Thread(target=target, args=arguments, name="step", daemon=True).start()
        elif entry == self._asked:
            self._answers.put(message)
        else:
            self._post(lambda run: run.reply(entry, message))

    def _stopped(self, run: Run, reason: str) -> Messages:
        run.stop(reason)
        self.has_stopped.set()
        return []

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
            except Exception as error:
                self._send({"crash": {"type": type(error).__name__, "message": str(error), "at": ""}})

    def _created(self) -> Run:
        start = self._start
        return Run(
            self._script, start.get("input") or {}, self._ask, log=start.get("log") or (),
            language=start.get("language") or "",
        )  # fmt: skip

    def _send(self, message: Message) -> None:
        try:
            self._send_line({"run": self.number, **message})
        except TooLong as error:
            crash = {"type": "TooLong", "message": str(error), "at": str(message.get("at", ""))}
            self._send_line({"run": self.number, "crash": crash})

    def _ask(self, message: Message) -> Message | None:
        self._asked = int(message["entry"])
        self._send(message)
        answer = self._answers.get()
        self._asked = None
        return answer

    def _perform(
        self, entry: int, key: str, attempt: int, secrets: Callable[[], dict[str, bytes]] | None, undo: bool
    ) -> None:
        values = secrets() if secrets else {}
        run = self._run
        if run is None or not (run.can_undo(entry) if undo else run.is_waiting(entry)):
            return
        throttle = Throttle(lambda progress: self._send({"entry": entry, "progress": progress}))
        context = self._contexts[entry] = WorkContext(key, attempt, throttle.report)
        done = run.perform(entry, context, values, undo=undo)
        throttle.flush(close=True)
        self._contexts.pop(entry, None)
        self._send(done)


class Host:
    """Serves scripts to the engine on a connected socket."""

    def __init__(self, descriptor: int, scripts: Sequence[Script]) -> None:
        os.set_inheritable(descriptor, False)
        self._lines = Lines(socket.socket(fileno=descriptor))
        self._scripts = {script.name: script for script in scripts}
        self._runs: dict[int, Activation] = {}
        self._workers = Workers()
        self._is_dumpable = True

    def run(self) -> None:
        """Serves until the engine closes the connection, or until SIGTERM. Stops all runs then."""
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, lambda *_: self._lines.end())
        for message in self._lines.receive():
            self._received(message)
        left = list(self._runs.values())
        for activation in left:
            activation.receive({"stop": "evicted"}, None)
        for activation in left:
            activation.has_stopped.wait(5)

    def _received(self, message: Message) -> None:
        number = int(message["run"])
        if "flow" in message:
            script = self._scripts.get(message["flow"])
            if script is None:
                crash = {"type": "UnknownFlow", "message": f"there is no flow '{message['flow']}' here", "at": ""}
                self._lines.send({"run": number, "crash": crash})
                return
            self._runs[number] = Activation(number, script, message, self._lines.send, self._workers)
            return
        secrets = None
        if message.get("go") and message.get("secrets"):
            self._keep_to_oneself()
            secrets = self._lines.secrets(message["secrets"])
        activation = self._runs.get(number)
        if activation is None:
            if secrets is not None:
                secrets()
            return
        activation.receive(message, secrets)
        if "stop" in message:
            del self._runs[number]

    def _keep_to_oneself(self) -> None:
        """Makes the process non-dumpable, because it receives secrets now."""
        if self._is_dumpable:
            import ctypes

            ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
            self._is_dumpable = False
