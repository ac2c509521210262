"""Serves flows over D-Bus: a thin layer around `decide`."""

from __future__ import annotations

import contextlib
import ctypes
import logging
import re
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from coordinator import wire
from coordinator.bus import BUS_NAME, Body, Connection, Received
from coordinator.codec import JSON
from coordinator.core import Coordinator, DecideArguments, Work, decide, performer, run_work
from coordinator.daemons import DaemonName
from coordinator.errors import (
    PREFIX,
    AccessDenied,
    CoordinatorError,
    Denied,
    Disconnected,
    Failed,
    FlowError,
    FlowTaken,
    InvalidArgs,
    InvalidInput,
    InvalidPayload,
    LimitsExceeded,
    NotDismissable,
    UnknownEvent,
    UnknownMethod,
)
from coordinator.work import Cancelled, WorkContext

DAEMON = "org.coordinatord.Coordinator1"
DAEMON_PATH = "/org/coordinatord/Coordinator1"
MANAGER = DAEMON + ".Manager"
INTERFACE = "org.coordinatord.FlowProvider1"
PROVIDER_PATH = "/org/coordinatord/FlowProvider1"
MAX_RESULT = 256 * 1024
# Characters of an error's type and message.
MAX_MESSAGE = 4 << 10
CUT = "… (cut off here; the log of the program has all of it)"
REFUSED = "refused-result"
_PR_SET_DUMPABLE = 4

_LOG = logging.getLogger("coordinator")
_SIGNATURES = {
    "Decide": "sstsa{sv}a{sv}", "Perform": "sssusa{ss}", "CancelWork": "ss", "Ended": "ss", "Release": "ass",
}  # fmt: skip
_BUS_NAME = re.compile(r"[A-Za-z_-][A-Za-z0-9_-]*(\.[A-Za-z_-][A-Za-z0-9_-]*)+\Z")

INTROSPECTION = f"""<!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
<node><interface name="{INTERFACE}">
<method name="Decide"><arg name="flow" type="s" direction="in"/><arg name="instance" type="s" direction="in"/>
<arg name="turn" type="t" direction="in"/><arg name="state" type="s" direction="in"/>
<arg name="event" type="a{{sv}}" direction="in"/><arg name="context" type="a{{sv}}" direction="in"/>
<arg name="answer" type="a{{sv}}" direction="out"/></method>
<method name="Perform"><arg name="flow" type="s" direction="in"/><arg name="instance" type="s" direction="in"/>
<arg name="work" type="s" direction="in"/><arg name="attempt" type="u" direction="in"/>
<arg name="argument" type="s" direction="in"/><arg name="secrets" type="a{{ss}}" direction="in"/></method>
<method name="CancelWork"><arg name="instance" type="s" direction="in"/><arg name="work" type="s" direction="in"/>
<annotation name="org.freedesktop.DBus.Method.NoReply" value="true"/></method>
<method name="Ended"><arg name="instance" type="s" direction="in"/><arg name="outcome" type="s" direction="in"/>
<annotation name="org.freedesktop.DBus.Method.NoReply" value="true"/></method>
<method name="Release"><arg name="flows" type="as" direction="in"/><arg name="reason" type="s" direction="in"/>
<annotation name="org.freedesktop.DBus.Method.NoReply" value="true"/></method></interface></node>
"""


@dataclass
class _Job:
    """Running work, or work whose result the daemon has not stored yet."""

    context: WorkContext
    thread: threading.Thread | None = None
    result: dict[str, JSON] | None = None
    is_sending: bool = False
    is_moot: bool = False
    failures: int = 0


class _Reports:
    """Sends progress at most ten times a second, always including the last report."""

    INTERVAL = 0.1

    def __init__(self, send: Any) -> None:
        self._send = send
        self._lock = threading.Lock()
        self._last = 0.0
        self._waiting: dict[str, JSON] | None = None
        self._closed = False

    def report(self, progress: dict[str, JSON]) -> None:
        wire.dictionary(progress)
        with self._lock:
            if self._closed:
                return
            wait = self._last + self.INTERVAL - time.monotonic()
            if wait > 0:
                if self._waiting is None:
                    timer = threading.Timer(wait, self._flush)
                    timer.daemon = True
                    timer.start()
                self._waiting = {**(self._waiting or {}), **progress}
                return
            self._last = time.monotonic()
        self._send(progress)

    def _flush(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, None
            self._last = time.monotonic()
            if waiting is None or self._closed:
                return
        self._send(waiting)

    def close(self) -> None:
        with self._lock:
            self._closed = True


@dataclass
class Provider:
    """Serves flows until it is stopped. `serve` is more convenient.

    `bus_name` is the well-known name of the provider; the registration of a provider without one ends with its
    process. `replace` takes the name over from its owner. `idle_exit` stops the provider after that many seconds
    without calls or work; D-Bus activation starts it again. `grace` limits how long a provider that is stopping
    waits for its work. `daemon` is the name of the daemon, such as `kiosk`; by default, the name in
    COORDINATORD_NAME, or coordinatord.
    """

    flows: Sequence[type[Coordinator]]
    bus_name: str | None = None
    bus: str | None = None
    path: str = PROVIDER_PATH
    concurrency: int = 16
    replace: bool = False
    idle_exit: float | None = None
    grace: float = 5.0
    daemon: str | None = None
    registered: threading.Event = field(default_factory=threading.Event, init=False)

    def __post_init__(self) -> None:
        if not self.flows:
            raise FlowError("there is no flow to serve")
        if self.bus_name is not None and not _BUS_NAME.match(self.bus_name):
            raise FlowError(f"'{self.bus_name}' is not a bus name, such as com.example.Vet")
        wire.path(self.path)
        self._daemon = DaemonName.of(self.daemon)
        self._flows: dict[str, type[Coordinator]] = {}
        for flow in self.flows:
            if "flow" not in dir(flow):
                raise FlowError(f'{flow.__name__} has no name: class {flow.__name__}(Coordinator, flow="…")')
            if flow.flow.name in self._flows:
                raise FlowError(f"two classes serve the flow '{flow.flow.name}'")
            self._flows[flow.flow.name] = flow
        self._jobs: dict[tuple[str, str], _Job] = {}
        self._lock = threading.RLock()
        self._owner = ""
        self._changes = 0
        self._has_name = False
        self._deciding = 0
        self._active = time.monotonic()
        self._stop = threading.Event()
        self._is_interrupted = False
        self._poked, self._poker = socket.socketpair()
        self._poker.setblocking(False)
        self._failure: CoordinatorError | None = None
        self._cancels_work = False
        self._pool = ThreadPoolExecutor(self.concurrency, thread_name_prefix="coordinator-decide")
        self._connection: Connection

    # Life cycle.

    def start(self) -> None:
        """Connects, requests the name, and registers as soon as a daemon is present."""
        self._connection = Connection(self.bus, self._on_call, self._on_signal, self._on_closed)
        self._connection.watch_name(self._daemon.bus_name)
        if self.bus_name:
            self._connection.watch_name(self.bus_name)
        # The name is requested last: a daemon that activated this process calls as soon as the name has an owner.
        self._find_daemon(register=False)
        if self.bus_name and not self._connection.request_name(self.bus_name, replace=self.replace):
            self._connection.close()
            raise CoordinatorError(f"another process serves as '{self.bus_name}': pass replace=True to take its place")
        with self._lock:
            self._has_name = True
        self._find_daemon(register=True)

    def run(self) -> None:
        """Serves until the provider is stopped, is idle, or is replaced."""
        try:
            self.start()
            self._wait()
        finally:
            self._finish()
        if self._failure is not None:
            raise self._failure

    def stop(self, cancel_work: bool = True) -> None:
        """Stops the provider. `run` first answers pending calls."""
        self._cancels_work = self._cancels_work or cancel_work
        self._stop.set()
        self._poke()

    def interrupt(self) -> None:
        """Stops the provider, like `stop`. Takes no locks, so that a signal handler can call it."""
        self._is_interrupted = True
        self._poke()

    @property
    def wakeup_fd(self) -> int:
        """The file descriptor for `signal.set_wakeup_fd`."""
        return self._poker.fileno()

    def _poke(self) -> None:
        """Wakes the thread that waits in `run`."""
        with contextlib.suppress(OSError):
            self._poker.send(b"!")

    def _wait(self) -> None:
        """Waits until the provider stops. Without an idle limit, the thread does not wake up earlier."""
        while not self._stop.is_set() and not self._is_interrupted:
            left = self._idle_left()
            # Not a threading.Event: setting one in a signal handler deadlocks if the signal interrupts its wait().
            ready, _, _ = select.select([self._poked], [], [], left)
            if ready:
                self._poked.recv(4096)
            elif self._idle_left() == 0:
                _LOG.info("idle for %.0f s: leaving", self.idle_exit)
                return
        if self._is_interrupted:
            self.stop(cancel_work=True)
        if self._connection.closed.is_set() and self._failure is None:
            self._failure = Disconnected("the connection to the bus was lost")

    def _idle_left(self) -> float | None:
        """Returns the time in seconds until the provider may exit because it is idle; None for never."""
        if self.idle_exit is None:
            return None
        with self._lock:
            if self._deciding or self._jobs:
                return self.idle_exit
            return max(0.0, self._active + self.idle_exit - time.monotonic())

    def _finish(self) -> None:
        """Releases the name, so that new calls reach a successor, and then finishes pending calls and work."""
        connection = getattr(self, "_connection", None)
        if connection is not None and not connection.closed.is_set() and self.bus_name:
            try:
                connection.release_name(self.bus_name)
            except CoordinatorError:
                pass
        self._pool.shutdown(wait=True, cancel_futures=False)
        if self._cancels_work:
            for job in list(self._jobs.values()):
                job.context.cancel()
        end = time.monotonic() + self.grace
        while time.monotonic() < end and not self._stop_waiting():
            time.sleep(0.02)
        if connection is not None:
            connection.close()

    def _stop_waiting(self) -> bool:
        with self._lock:
            return not self._jobs or not self._owner or self._connection.closed.is_set()

    def _on_closed(self) -> None:
        self.stop(cancel_work=False)

    # The daemon.

    def _on_signal(self, message: Received) -> None:
        if message.member != "NameOwnerChanged" or message.sender != BUS_NAME:
            return
        name, _, owner = message.body
        if name == self._daemon.bus_name:
            with self._lock:
                self._changes += 1
                self._daemon_is(owner, register=True)
        elif name == self.bus_name and owner not in ("", self._connection.unique_name) and not self._stop.is_set():
            _LOG.info("%s has taken the name %s: leaving", owner, name)
            self.stop(cancel_work=True)

    def _find_daemon(self, *, register: bool) -> None:
        seen = self._changes
        owner = self._connection.name_owner(self._daemon.bus_name)
        with self._lock:
            # A signal that arrived in the meantime is newer.
            owner = owner if seen == self._changes else self._owner
            self._daemon_is(owner, register=register)

    def _daemon_is(self, owner: str, *, register: bool) -> None:
        with self._lock:
            changed, self._owner = owner != self._owner, owner
        if changed and not owner:
            self.registered.clear()
            _LOG.info("the daemon has left; waiting for the next one")
        # The daemon refuses a registration under a name that this process does not own yet.
        if owner and register and self._has_name and (changed or not self.registered.is_set()):
            flows = [wire.dictionary(flow.flow.to_json()) for flow in self._flows.values()]
            options: dict[str, JSON] = {}
            if self.bus_name:
                options["name"] = self.bus_name
            if digest := _digest():
                options["digest"] = digest
            body = (self.path, flows, {**wire.dictionary(options), "concurrency": ("u", self.concurrency)})
            self._ask_daemon("RegisterFlows", "oaa{sv}a{sv}", body).add_done_callback(self._on_registered)

    def _register_again(self) -> None:
        if not self._stop.is_set() and not self.registered.is_set() and not self._connection.closed.is_set():
            self._daemon_is(self._owner, register=True)

    def _ask_daemon(self, member: str, signature: str, body: Body) -> Future[Body]:
        return self._connection.call_async(
            self._daemon.bus_name, self._daemon.path, MANAGER, member, signature, body, autostart=False
        )

    def _on_registered(self, future: Future[Body]) -> None:
        try:
            waiting = future.result()[0]
        except FlowTaken as error:
            owners = ", ".join(f"'{flow}' by {name or 'a nameless provider'}" for flow, name in error.owners.items())
            self._fail(FlowTaken(f"another provider serves {owners or 'these flows'}: {error.message}"))
        except UnknownMethod:
            self._fail(UnknownMethod("the daemon is too old: it does not take flows of other processes"))
        except (InvalidArgs, AccessDenied, LimitsExceeded) as error:
            self._fail(type(error)(f"the daemon does not register the flows: {error.message}", name=error.name))
        except CoordinatorError as error:
            _LOG.warning("not registered, trying again: %s", error.message)
            timer = threading.Timer(5, self._register_again)
            timer.daemon = True
            timer.start()
        else:
            self.registered.set()
            _LOG.info("serving %s; %s coordinators wait", ", ".join(self._flows), waiting)
            for key in list(self._jobs):
                self._send_result(key)

    def _fail(self, error: CoordinatorError) -> None:
        self._failure = error
        self.stop(cancel_work=False)

    # Calls.

    def _on_call(self, call: Received) -> None:
        if call.interface == "org.freedesktop.DBus.Peer" and call.member == "Ping":
            return self._connection.reply(call)
        if call.interface == "org.freedesktop.DBus.Introspectable":
            return self._connection.reply(call, "s", (self._introspection(call.path),))
        if call.path != self.path or call.interface not in (INTERFACE, "") or call.member not in _SIGNATURES:
            name = "org.freedesktop.DBus.Error.UnknownMethod"
            return self._connection.reply_error(call, name, "s", (f"there is no {call.interface}.{call.member}",))
        if call.sender != self._owner:
            message = f"only {self._daemon.bus_name} may ask this provider"
            return self._connection.reply_error(call, AccessDenied.name, "s", (message,))
        if call.signature != _SIGNATURES[call.member]:
            message = f"{call.member} takes {_SIGNATURES[call.member]}, not {call.signature}"
            return self._connection.reply_error(call, InvalidArgs.name, "s", (message,))
        self._active = time.monotonic()
        match call.member:
            case "Decide":
                with self._lock:
                    self._deciding += 1
                try:
                    self._pool.submit(self._decide, call, time.monotonic())
                except RuntimeError:  # Shutting down: the daemon asks the next owner of the name.
                    with self._lock:
                        self._deciding -= 1
            case "Perform":
                self._perform(call)
            case "CancelWork":
                if job := self._jobs.get((call.body[0], call.body[1])):
                    job.is_moot = True
                    job.context.cancel()
                self._connection.reply(call)
            case "Ended":
                self._ended(call.body[0])
                self._connection.reply(call)
            case "Release":
                self._connection.reply(call)
                self._released(call.body[0], call.body[1])
        return None

    def _introspection(self, path: str) -> str:
        if path == self.path:
            return INTROSPECTION
        prefix = path.rstrip("/") + "/"
        child = self.path.removeprefix(prefix).partition("/")[0] if self.path.startswith(prefix) else ""
        return f'<node><node name="{child}"/></node>' if child else "<node/>"

    def _decide(self, call: Received, arrived: float) -> None:
        flow, instance, turn, state, event, context = call.body
        try:
            arguments: DecideArguments = {
                "flow": flow, "instance": instance, "turn": turn, "state": state, "event": wire.plain(event),
                "context": wire.plain(context),
            }  # fmt: skip
            deadline = arguments["context"].get("deadline")
            if deadline is not None and (time.monotonic() - arrived) * 1_000_000 > deadline:
                raise FlowError("the question waited for longer than its deadline")
            if flow not in self._flows:
                raise FlowError(f"the flow '{flow}' is not served here")
            answer = wire.answer(decide(self._flows[flow], arguments))
            self._connection.reply(call, "a{sv}", (answer,))
        except _REFUSALS as error:
            kind = next(one for one in _REFUSALS if isinstance(error, one))
            signature, body = error.body()
            self._connection.reply_error(call, kind.name, signature, tuple(_sendable(part) for part in body))
        except Exception as error:
            _LOG.exception("flow '%s', instance %s, turn %s, event '%s'", flow, instance, turn, _kind(event))
            message = _sendable(f"{type(error).__name__}: {error}"[:1000])
            self._connection.reply_error(call, PREFIX + "ProviderFailed", "s", (message,))
        finally:
            with self._lock:
                self._deciding -= 1
                self._active = time.monotonic()

    # Work.

    def _perform(self, call: Received) -> None:
        flow, instance, identifier, attempt, argument, secrets = call.body
        key = (instance, identifier)
        try:
            if flow not in self._flows:
                raise FlowError(f"the flow '{flow}' is not served here")
            work = Work(identifier, identifier.rpartition("-")[0] or identifier)
            performer(self._flows[flow], work.name)
        except FlowError as error:
            return self._connection.reply_error(call, PREFIX + "ProviderFailed", "s", (str(error),))
        with self._lock:
            if key in self._jobs:  # The work is still running, or its result is being sent.
                is_new, job = False, self._jobs[key]
            else:
                reports = _Reports(lambda progress: self._report(key, progress))
                is_new, job = True, _Job(WorkContext(f"{instance}/{identifier}", attempt, reports.report))
                self._jobs[key] = job
        self._connection.reply(call)
        if is_new:
            arguments = (self._flows[flow], key, job, work, argument, dict(secrets), reports)
            job.thread = threading.Thread(target=self._work, args=arguments, name=f"work {identifier}", daemon=True)
            job.thread.start()
        else:
            self._send_result(key)
        return None

    def _work(
        self, flow: type[Coordinator], key: tuple[str, str], job: _Job, work: Work, argument: str,
        secrets: dict[str, str], reports: _Reports,
    ) -> None:  # fmt: skip
        value, error = run_work(flow, work, argument, secrets, job.context)
        secrets.clear()
        reports.close()
        result: dict[str, JSON] = {"value": value}
        if error:
            result = {key: _sendable(_fitting(part)) for key, part in error.items()}
        elif len(value.encode()) > MAX_RESULT:
            message = f"the work was done, but its result has more than {MAX_RESULT} bytes, and is not stored"
            result = {"type": "too-long", "message": message}
        try:
            wire.dictionary(result)
        except FlowError as problem:
            result = {"type": "FlowError", "message": str(problem)}
        if error:
            _LOG.warning("work %s of %s ended with %s: %s", key[1], key[0], error["type"], error["message"])
        with self._lock:
            job.result = result
            is_wanted = key in self._jobs
            if is_wanted and self._stop.is_set() and not job.is_moot and result.get("type") == Cancelled.__name__:
                # Only this process ends; its successor performs the work again.
                del self._jobs[key]
                is_wanted = False
        if is_wanted:
            self._send_result(key)

    def _report(self, key: tuple[str, str], progress: Mapping[str, JSON]) -> None:
        if self._owner and key in self._jobs:
            body = (*key, wire.dictionary(progress))
            self._connection.send_without_reply(
                self._daemon.bus_name, self._daemon.path, MANAGER, "ReportWork", "ssa{sv}", body
            )

    def _send_result(self, key: tuple[str, str]) -> None:
        """Sends a result, and retries until the daemon has stored it."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None or job.result is None or job.is_sending or not self._owner:
                return
            job.is_sending = True
            body = (*key, wire.dictionary(job.result))
        try:
            future = self._ask_daemon("EndWork", "ssa{sv}", body)
        except Disconnected:
            return
        future.add_done_callback(lambda done: self._on_result_sent(key, job, done))

    def _on_result_sent(self, key: tuple[str, str], job: _Job, future: Future[Body]) -> None:
        error = future.exception()
        with self._lock:
            job.is_sending = False
            # Sends a refusal instead, because otherwise the flow would never receive the end of the work; but only
            # once, because the daemon would refuse the same result again.
            if is_refused := isinstance(error, InvalidArgs) and (job.result or {}).get("type") != REFUSED:
                job.result = {"type": REFUSED, "message": f"the work has ended, but its result was refused: {error}"}
            elif error is None or isinstance(error, InvalidArgs | AccessDenied | UnknownMethod):
                if self._jobs.get(key) is job:
                    del self._jobs[key]
                self._active = time.monotonic()
            else:
                job.failures += 1
        if error is None:
            return
        if isinstance(error, AccessDenied):
            _LOG.info("another process performs work %s of %s by now", key[1], key[0])
        elif isinstance(error, InvalidArgs | UnknownMethod):
            _LOG.error("the daemon does not take the result of work %s of %s: %s", key[1], key[0], error)
            if is_refused:
                self._send_result(key)
        elif not self._connection.closed.is_set():
            if job.failures == 1:
                _LOG.warning("the result of work %s of %s is not stored, and is sent again: %s", key[1], key[0], error)
            timer = threading.Timer(min(60.0, 2.0 ** (job.failures - 1)), self._send_result, (key,))
            timer.daemon = True
            timer.start()

    def _ended(self, instance: str) -> None:
        with self._lock:
            for key in [key for key in self._jobs if key[0] == instance]:
                self._jobs.pop(key).context.cancel()

    def _released(self, flows: Sequence[str], reason: str) -> None:
        gone = [name for name in (flows or list(self._flows)) if self._flows.pop(name, None)]
        _LOG.warning("no longer serving %s: %s", ", ".join(gone), reason)
        if not self._flows:
            self.stop(cancel_work=True)


# Errors that are answers of the flow. Subclasses are sent under these names.
_REFUSALS = (Denied, InvalidPayload, InvalidInput, NotDismissable, UnknownEvent, Failed)


def _sendable(part: Any) -> Any:
    """Removes characters that D-Bus strings must not contain: the bus would close the connection."""
    if isinstance(part, Mapping):
        return {_sendable(str(key)): _sendable(str(value)) for key, value in part.items()}
    return str(part).replace("\0", "").encode(errors="replace").decode()


def _fitting(text: str) -> str:
    """Returns as much of an error's text as a flow receives. The log contains the whole text."""
    return text if len(text) <= MAX_MESSAGE else text[: MAX_MESSAGE - len(CUT)] + CUT


def _kind(event: Mapping[str, Any]) -> str:
    return str(event.get("kind", ("s", "?"))[1])


def _digest() -> str:
    """Returns a text that changes with the program. The daemon asks a changed program its failed questions again."""
    file = getattr(sys.modules.get("__main__"), "__file__", None)
    if not file:
        return ""
    try:
        status = Path(file).stat()
    except OSError:
        return ""
    return f"{status.st_mtime_ns}-{status.st_size}"


def serve(
    *flows: type[Coordinator], bus_name: str | None = None, bus: str | None = None, path: str = PROVIDER_PATH,
    concurrency: int = 16, replace: bool = False, idle_exit: float | None = None,
    daemon: str | None = None,
) -> None:  # fmt: skip
    """Serves flows until SIGTERM or Ctrl-C, and exits with a message on errors. See `Provider` for the parameters."""
    if not logging.getLogger().handlers:
        logging.basicConfig(level=logging.INFO, format="%(levelname)s: %(message)s")
    _keep_to_oneself()
    try:
        provider = Provider(
            flows,
            bus_name,
            bus,
            path=path,
            concurrency=concurrency,
            replace=replace,
            idle_exit=idle_exit,
            daemon=daemon,
        )
        if threading.current_thread() is threading.main_thread():
            # A signal that arrives just before the thread waits would otherwise go unnoticed.
            signal.set_wakeup_fd(provider.wakeup_fd, warn_on_full_buffer=False)
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda number, _: _interrupted(provider, number))
        provider.run()
    except (CoordinatorError, FlowError) as error:
        sys.exit(f"error: {error}")
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.set_wakeup_fd(-1)


def _keep_to_oneself() -> None:
    """Makes the process non-dumpable, because it receives secrets."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def _interrupted(provider: Provider, number: int) -> None:
    # A second Ctrl-C ends the process immediately.
    signal.signal(number, signal.SIG_DFL)
    provider.interrupt()


__all__ = ["DAEMON", "DAEMON_PATH", "MANAGER", "PROVIDER_PATH", "Provider", "serve"]
