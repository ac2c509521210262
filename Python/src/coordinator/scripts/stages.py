"""Plays scripts with this process as their host: the process of a test, or of a script that a user tries on a terminal.

The engine starts a program as the host of the scripts. The program passes its socket on to this process, so that
functions, their test doubles and their exceptions stay here.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from coordinator.codec import JSON
from coordinator.errors import FlowError
from coordinator.scripts import ends
from coordinator.scripts.calls import Call
from coordinator.scripts.engines import PATIENCE, Engine, Mode, environment, installed
from coordinator.scripts.flow import Script
from coordinator.scripts.host import Activation, Host, Message, Order, Workers
from coordinator.scripts.run import Messages, Run
from coordinator.scripts.wire import Throttle
from coordinator.work import WorkContext

_PROGRAM = """
import os, socket, sys
folder = os.path.dirname(os.path.abspath(__file__))
if sys.argv[1:] == ["--describe"]:
    with open(os.path.join(folder, "flows.json")) as file:
        sys.stdout.write(file.read())
else:
    host = socket.socket(socket.AF_UNIX)
    # Its whole path may be too long.
    os.chdir(folder)
    host.connect("host")
    end = int(os.environ["COORDINATOR_FD"])
    socket.send_fds(host, [b"."], [end])
    os.close(end)
    # The engine may kill this process, as that of a script, and the host ends it.
    host.recv(1)
"""


# How long stopped runs may take to end, in seconds.
_PATIENCE = 5


class Held(AssertionError):
    """A script does not fit its log, and an effect follows."""


class Refused(AssertionError):
    """The flow refuses an action: a wrong answer, or Back where there is none."""


class EndlessWork(AssertionError):
    """A step or a look does not end within its time."""


@dataclass(eq=False)
class Played:
    """The inputs of a play for the host, and its results."""

    scripts: Mapping[str, Script]
    language: str = "en"
    stubs: Mapping[str, JSON] | None = None
    errors: list[BaseException] = field(default_factory=list)
    progress: list[Mapping[str, JSON]] = field(default_factory=list)


class Stage:
    """An engine with a host in this process, for one play after another."""

    def __init__(self, descriptions: str, mode: Mode = Mode.TEST, patience: float = PATIENCE) -> None:
        installed()
        self._process = os.getpid()
        self.played = Played({})
        self._mode = mode
        self._patience = patience
        self._running = 0
        self._change = threading.Condition()
        self._folder = tempfile.TemporaryDirectory(prefix="play.")
        folder = Path(self._folder.name)
        (folder / "flows.json").write_text(descriptions)
        (folder / "flows.py").write_text(_PROGRAM)
        program = folder / "flows"
        # Not in the first line of the program, which cannot contain long paths or spaces.
        program.write_text(
            f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -ISs {shlex.quote(str(folder))}/flows.py "$@"\n'
        )
        program.chmod(0o700)
        self._program = program
        self._listener = socket.socket(socket.AF_UNIX)
        with _opened(folder) as descriptor:
            # The path of a socket has at most 107 bytes.
            self._listener.bind(f"/proc/self/fd/{descriptor}/host")
        self._listener.listen()
        threading.Thread(target=self._accept, name="stage", daemon=True).start()
        self._engine = Engine(program, mode, patience)

    @property
    def is_own(self) -> bool:
        """Whether the stage belongs to this process, rather than to the one that it was forked from."""
        return self._process == os.getpid()

    @property
    def is_alive(self) -> bool:
        """Whether the engine is running."""
        return self._engine.is_alive

    def close(self) -> None:
        """Ends the engine and its host."""
        try:
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._engine.close()
        self._folder.cleanup()

    def has_begun(self, count: int) -> None:
        """Counts a run that has begun, or that has ended (-1)."""
        with self._change:
            self._running += count
            self._change.notify_all()

    def ask(self, request: Mapping[str, JSON]) -> dict[str, JSON]:
        """Sends a request to the engine. Raises the exception of a script, or the reason why the request is refused."""
        self.played.errors.clear()
        reply = self._engine.ask(request)
        if self._mode is Mode.PERSON:
            # Its host runs by now. A script that a user tries may end at any time, and should leave no files behind.
            self._folder.cleanup()
        if "unended" in reply:
            name = str(reply["unended"])
            # Its thread goes on, and would delay the next play.
            self.close()
            raise EndlessWork(
                f"'{name}' has not ended within {self._patience:g} s: pass stubs={{{name!r}: …}} to replace its"
                " function, a dependency that ends, or patience=SECONDS to wait longer"
            )
        if self._mode is Mode.TEST or "place" in reply:
            self._settle(0 if self._mode is Mode.TEST else len(reply.get("flows", ())))
        if "refused" in reply:
            raise Refused(reply["refused"])
        if "unknown" in reply:
            raise FlowError(f"the flow '{reply['unknown']}' is not known here")
        if "mistake" in reply:
            raise self.played.errors[-1] if self.played.errors else _problem(reply["mistake"])
        return reply

    def check(self, options: Sequence[str]) -> dict[str, JSON]:
        """Walks one of the scripts by `coordinator-scripts check`, with this process as its host.

        Returns what it has found. Docs/writing-scripts.md describes it.
        """
        self.played.errors.clear()
        limit = str(max(1, math.ceil(self._patience)))
        command = [installed(), "check", str(self._program), "--json", "--patience", limit, *options]
        got = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
        if not got.stdout:
            raise FlowError(got.stderr.removesuffix("\n") or f"the check has ended with status {got.returncode}")
        self._settle(0)
        found: dict[str, JSON] = json.loads(got.stdout)
        return found

    def _settle(self, left: int) -> None:
        """Waits until all runs but the remaining ones have ended, including the code that they execute at their end."""
        with self._change:
            self._change.wait_for(lambda: self._running <= left, timeout=_PATIENCE)

    def _accept(self) -> None:
        with self._listener:
            while True:
                try:
                    program, _ = self._listener.accept()
                except OSError:
                    return
                threading.Thread(target=self._serve, args=(program,), name="host", daemon=True).start()

    def _serve(self, program: socket.socket) -> None:
        with program:
            _, descriptors, _, _ = socket.recv_fds(program, 1, 1, socket.MSG_CMSG_CLOEXEC)
            if not descriptors:
                return
            host = _PlayedHost(descriptors[0], self)
            end = threading.Thread(target=_wait, args=(program, host), name="end", daemon=True)
            end.start()
            host.run()
            try:
                program.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.join()


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int]:
    descriptor = os.open(folder, os.O_PATH | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _problem(text: str) -> AssertionError:
    return Held(text) if "does not fit" in text else AssertionError(text)


def describe(scripts: Iterable[Script]) -> str:
    """Returns the description of scripts for the engine."""
    flows = [script.describe() for script in scripts]
    return json.dumps({"host": True, "flows": flows}, sort_keys=True)


def _wait(program: socket.socket, host: Host) -> None:
    """Waits for the end of the program that the engine has started; a simulated crash kills it."""
    try:
        program.recv(1)
    except OSError:
        pass
    host.leave()


class _PlayedHost(Host):
    """A host in this process."""

    workers = Workers()

    @classmethod
    def renew(cls) -> None:
        """Forgets the threads of the process that this one was forked from."""
        cls.workers = Workers()

    def __init__(self, descriptor: int, stage: Stage) -> None:
        super().__init__(descriptor, ())
        self._workers = self.workers
        self._stage = stage

    def _activated(self, number: int, message: Message) -> Activation | None:
        played = self._stage.played
        script = played.scripts.get(str(message["flow"]))
        if script is None:
            return None
        self._stage.has_begun(1)
        return _PlayedActivation(number, script, message, self._lines.send, self._workers, self._forget, played=played)

    def _forget(self, number: int) -> None:
        super()._forget(number)
        self._stage.has_begun(-1)

    def _keep_to_oneself(self) -> None:
        """Does nothing: the process is not only the host's."""


os.register_at_fork(after_in_child=_PlayedHost.renew)


class _PlayedActivation(Activation):
    """A run that records its exceptions and reports."""

    def __init__(self, *arguments: object, played: Played) -> None:
        self._played = played
        super().__init__(*arguments)  # type: ignore[arg-type]

    def _created(self) -> Run:
        log: Sequence[Mapping[str, JSON]] = self._start.get("log") or ()
        # The engine knows the language only after the script has set it.
        language = self._start.get("language") or self._played.language
        run = _PlayedRun(self._script, self._start.get("input") or {}, self._ask, log=log, language=language)
        run.played = self._played
        return run

    def _take(self, order: Order) -> None:
        # Without the name of its flow: there is only one.
        order.key = order.key.rpartition("@")[2].partition("/")[2] + ("/undo" if order.undo else "")
        super()._take(order)

    def _crashed(self, error: Exception) -> None:
        self._played.errors.append(error)
        super()._crashed(error)

    def _throttle(self, entry: int) -> Throttle:
        def report(progress: dict[str, JSON]) -> None:
            self._played.progress.append(progress)
            self._send({"entry": entry, "progress": progress})

        return _Unthrottled(report)


class _Unthrottled(Throttle):
    """Passes all progress on, because a test may check it."""

    INTERVAL = 0.0


class _PlayedRun(Run):
    """A run whose steps test doubles may replace."""

    played: Played

    def perform(
        self, entry: int, context: WorkContext, secrets: Mapping[str, bytes | bytearray], *, undo: bool = False,
        is_counted: bool = False,
    ) -> dict[str, JSON]:  # fmt: skip
        stubs = self.played.stubs
        if stubs is None:
            return super().perform(entry, context, secrets, undo=undo, is_counted=is_counted)
        if undo:
            return {"entry": entry, "done": None}
        call: Call[object] = self._open[entry]
        if call.kind != "step" and call.name not in stubs:
            return super().perform(entry, context, secrets, is_counted=is_counted)
        value = stubs.get(call.name)
        self._done[entry] = {"result": value}
        return {"entry": entry, "done": value}

    def _raised(self, error: BaseException) -> Messages:
        messages = super()._raised(error)
        if self.error is not None and "crash" in (ends.message_of(self.script, self.error) or {}):
            self.played.errors.append(self.error)
        return messages
