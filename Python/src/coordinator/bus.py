"""A connection to a D-Bus message bus that withstands load.

One thread owns the socket, which is non-blocking. It reads messages, and writes queued messages in order. Any number
of calls can be in flight in both directions, and a full socket buffer delays messages instead of losing them.
jeepney only parses and serializes messages.
"""

from __future__ import annotations

import itertools
import logging
import os
import selectors
import socket
import threading
import urllib.parse
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from pathlib import Path
from typing import Any, TypeAlias

from jeepney import (
    DBusAddress,
    HeaderFields,
    MessageFlag,
    MessageType,
    Parser,
    new_error,
    new_method_call,
    new_method_return,
    new_signal,
)
from jeepney.auth import BEGIN, AuthenticationError, Authenticator

from coordinator.errors import Disconnected, NoReply, error_from

Body: TypeAlias = tuple[Any, ...]
Handler: TypeAlias = Callable[["Received"], None]

BUS_NAME, BUS_PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"
_LOG = logging.getLogger("coordinator.bus")
_CHUNK = 64 * 1024


class Received:
    """An incoming method call or signal."""

    __slots__ = ("body", "interface", "member", "message", "path", "sender", "signature", "wants_reply")

    def __init__(self, message: Any) -> None:
        fields: Mapping[Any, Any] = message.header.fields
        self.message = message
        self.path: str = fields.get(HeaderFields.path, "")
        self.interface: str = fields.get(HeaderFields.interface, "")
        self.member: str = fields.get(HeaderFields.member, "")
        self.sender: str = fields.get(HeaderFields.sender, "")
        self.signature: str = fields.get(HeaderFields.signature, "")
        self.body: Body = tuple(message.body)
        self.wants_reply = not message.header.flags & MessageFlag.no_reply_expected


def bus_address(bus: str | None = None) -> str:
    """Returns the address of a bus.

    The argument is "session", "system", an address, or None for the bus that activated this process, if any, and the
    session bus otherwise.
    """
    environment = os.environ
    if bus is None:
        if address := environment.get("DBUS_STARTER_ADDRESS"):
            return address
        bus = "session"
    if bus == "session":
        if address := environment.get("DBUS_SESSION_BUS_ADDRESS"):
            return address
        path = Path(environment.get("XDG_RUNTIME_DIR", f"/run/user/{os.getuid()}")) / "bus"
        if path.exists():
            return f"unix:path={path}"
        raise Disconnected("there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set")
    if bus == "system":
        return environment.get("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/run/dbus/system_bus_socket")
    return bus


def _socket_names(address: str) -> Iterator[str | bytes]:
    for alternative in address.split(";"):
        transport, _, rest = alternative.partition(":")
        options = dict(part.partition("=")[::2] for part in rest.split(",") if part)
        if transport == "unix" and "path" in options:
            yield urllib.parse.unquote(options["path"])
        elif transport == "unix" and "abstract" in options:
            yield b"\0" + urllib.parse.unquote_to_bytes(options["abstract"])


def _connected(address: str) -> socket.socket:
    problem = f"'{address}' is not the address of a Unix socket"
    for name in _socket_names(address):
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        try:
            connection.settimeout(20)
            connection.connect(name)
            authenticator = Authenticator()
            for line in authenticator:
                connection.sendall(line)
                data = connection.recv(4096)
                if not data:
                    raise ConnectionError("the bus closed the connection")
                authenticator.feed(data)
            connection.sendall(BEGIN)
            connection.setblocking(False)
            return connection
        except (OSError, AuthenticationError) as error:
            connection.close()
            problem = f"cannot connect to the bus at '{address}': {error}"
    raise Disconnected(problem)


class Connection:
    """A connection to a bus. All methods are thread-safe.

    `on_call`, `on_signal` and `on_closed` run on the connection's thread and must not block.
    """

    def __init__(
        self,
        bus: str | None = None,
        on_call: Handler | None = None,
        on_signal: Handler | None = None,
        on_closed: Callable[[], None] | None = None,
    ) -> None:
        self.address = bus_address(bus)
        self._socket = _connected(self.address)
        self._on_call = on_call
        self._on_signal = on_signal
        self._on_closed = on_closed
        self._wake_reader, self._wake_writer = socket.socketpair()
        self._wake_reader.setblocking(False)
        self._wake_writer.setblocking(False)
        self._lock = threading.Lock()
        self._out: deque[memoryview] = deque()
        self._pending: dict[int, Future[Body]] = {}
        self._serials = itertools.count(1)
        self._closing = False
        self.closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="coordinator-bus", daemon=True)
        self._thread.start()
        self.unique_name = str(self.call(BUS_NAME, BUS_PATH, BUS_NAME, "Hello", timeout=20)[0])

    # Sending.

    def call_async(
        self, destination: str, path: str, interface: str, member: str, signature: str = "", body: Body = (), *,
        autostart: bool = True,
    ) -> Future[Body]:  # fmt: skip
        """Calls a method. The future resolves to the body of the reply, or to the error."""
        message = new_method_call(DBusAddress(path, destination, interface), member, signature or None, body)
        if not autostart:
            message.header.flags |= MessageFlag.no_auto_start
        future: Future[Body] = Future()
        self._send(message, future)
        return future

    def call(
        self, destination: str, path: str, interface: str, member: str, signature: str = "", body: Body = (), *,
        autostart: bool = True, timeout: float | None = 30,
    ) -> Body:  # fmt: skip
        """Calls a method and waits for its reply."""
        if threading.current_thread() is self._thread:
            raise RuntimeError("a handler of the connection must not wait for it")
        future = self.call_async(destination, path, interface, member, signature, body, autostart=autostart)
        try:
            return future.result(timeout)
        except FutureTimeout:
            raise NoReply(f"{member} was not answered within {timeout} s") from None

    def send_without_reply(
        self, destination: str, path: str, interface: str, member: str, signature: str = "", body: Body = ()
    ) -> None:
        """Calls a method without waiting for a reply. Never activates the destination."""
        message = new_method_call(DBusAddress(path, destination, interface), member, signature or None, body)
        message.header.flags |= MessageFlag.no_reply_expected | MessageFlag.no_auto_start
        self._send(message)

    def reply(self, call: Received, signature: str = "", body: Body = ()) -> None:
        """Replies to a method call."""
        if call.wants_reply:
            self._send(new_method_return(call.message, signature or None, body))

    def reply_error(self, call: Received, name: str, signature: str = "s", body: Body = ("",)) -> None:
        """Replies to a method call with an error."""
        if call.wants_reply:
            self._send(new_error(call.message, name, signature or None, body))

    def emit(self, path: str, interface: str, member: str, signature: str = "", body: Body = ()) -> None:
        """Sends a signal."""
        self._send(new_signal(DBusAddress(path, interface=interface), member, signature or None, body))

    def _send(self, message: Any, future: Future[Body] | None = None) -> None:
        with self._lock:
            if self._closing:
                if future is None:
                    return
                raise Disconnected("the connection to the bus is closed")
            serial = next(self._serials)
            # Serializing here raises an error for an invalid value in the caller.
            data = memoryview(message.serialise(serial=serial))
            if future is not None:
                self._pending[serial] = future
            if not self._out:
                # The queue is empty: sending directly saves waking the thread.
                try:
                    data = data[self._socket.send(data) :]
                except (BlockingIOError, InterruptedError):
                    pass
                except OSError:
                    pass  # The thread sees the same error and ends the connection.
            if not data:
                return
            self._out.append(data)
        self._wake()

    def _wake(self) -> None:
        try:
            self._wake_writer.send(b"!")
        except (BlockingIOError, OSError):
            pass  # The thread is awake, or has ended.

    # The bus itself.

    def add_match(self, rule: str) -> None:
        """Adds a match rule."""
        self.call(BUS_NAME, BUS_PATH, BUS_NAME, "AddMatch", "s", (rule,))

    def remove_match(self, rule: str) -> None:
        """Removes a match rule."""
        self.call(BUS_NAME, BUS_PATH, BUS_NAME, "RemoveMatch", "s", (rule,))

    def watch_name(self, name: str) -> None:
        """Subscribes to `NameOwnerChanged` of a name."""
        rule = f"type='signal',sender='{BUS_NAME}',path='{BUS_PATH}',interface='{BUS_NAME}'"
        self.add_match(f"{rule},member='NameOwnerChanged',arg0='{name}'")

    def name_owner(self, name: str) -> str:
        """Returns the unique name of a name's owner, or "" if the name has no owner."""
        from coordinator.errors import NotRunning

        try:
            return str(self.call(BUS_NAME, BUS_PATH, BUS_NAME, "GetNameOwner", "s", (name,))[0])
        except NotRunning:
            return ""

    def request_name(self, name: str, *, replace: bool = False, replaceable: bool = True) -> bool:
        """Requests a well-known name. Returns whether this connection now owns it."""
        flags = 4 | (2 if replace else 0) | (1 if replaceable else 0)
        return self.call(BUS_NAME, BUS_PATH, BUS_NAME, "RequestName", "su", (name, flags))[0] in (1, 4)

    def release_name(self, name: str) -> None:
        """Releases a well-known name."""
        self.call(BUS_NAME, BUS_PATH, BUS_NAME, "ReleaseName", "s", (name,), timeout=5)

    # The thread.

    def _run(self) -> None:
        selector = selectors.DefaultSelector()
        selector.register(self._socket, selectors.EVENT_READ)
        selector.register(self._wake_reader, selectors.EVENT_READ)
        parser, reason = Parser(), "the connection to the bus was lost"
        try:
            while True:
                with self._lock:
                    wants_write = bool(self._out)
                    if self._closing and not wants_write:
                        reason = "the connection to the bus is closed"
                        return
                wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if wants_write else 0)
                if selector.get_key(self._socket).events != wanted:
                    selector.modify(self._socket, wanted)
                for key, events in selector.select():
                    if key.fileobj is self._wake_reader:
                        self._drain_wakes()
                        continue
                    if events & selectors.EVENT_WRITE:
                        self._write()
                    if events & selectors.EVENT_READ:
                        data = self._read()
                        if data == b"":
                            return
                        parser.add_data(data)
                        while (message := parser.get_next_message()) is not None:
                            self._take(message)
        except OSError as error:
            reason = f"the connection to the bus was lost: {error}"
        except Exception:
            _LOG.exception("closing the connection to the bus")
        finally:
            selector.close()
            self._end(reason)

    def _drain_wakes(self) -> None:
        try:
            while self._wake_reader.recv(4096):
                pass
        except BlockingIOError:
            pass

    def _read(self) -> bytes | None:
        try:
            return self._socket.recv(_CHUNK)
        except (BlockingIOError, InterruptedError):
            return None

    def _write(self) -> None:
        while True:
            with self._lock:
                if not self._out:
                    return
                data = self._out[0]
            try:
                sent = self._socket.send(data)
            except (BlockingIOError, InterruptedError):
                return
            with self._lock:
                # Only this thread removes entries.
                if sent == len(data):
                    self._out.popleft()
                else:
                    self._out[0] = data[sent:]

    def _take(self, message: Any) -> None:
        kind = message.header.message_type
        if kind in (MessageType.method_return, MessageType.error):
            self._take_reply(message, kind is MessageType.error)
            return
        handler = self._on_call if kind is MessageType.method_call else self._on_signal
        received = Received(message)
        try:
            if handler is not None:
                handler(received)
            elif kind is MessageType.method_call:
                self.reply_error(received, "org.freedesktop.DBus.Error.UnknownMethod", "s", ("nothing is served here",))
        except Exception as error:
            _LOG.exception("%s was not handled", received.member)
            if kind is MessageType.method_call:
                self.reply_error(received, "org.freedesktop.DBus.Error.Failed", "s", (f"{type(error).__name__}",))

    def _take_reply(self, message: Any, is_error: bool) -> None:
        fields = message.header.fields
        with self._lock:
            future = self._pending.pop(fields.get(HeaderFields.reply_serial, 0), None)
        if future is None or not future.set_running_or_notify_cancel():
            return
        if is_error:
            future.set_exception(error_from(fields.get(HeaderFields.error_name, ""), message.body))
        else:
            future.set_result(tuple(message.body))

    def _end(self, reason: str) -> None:
        with self._lock:
            self._closing = True
            pending, self._pending = list(self._pending.values()), {}
            self._out.clear()
        self._socket.close()
        self._wake_reader.close()
        self._wake_writer.close()
        self.closed.set()
        for future in pending:
            if future.set_running_or_notify_cancel():
                future.set_exception(Disconnected(reason))
        if self._on_closed is not None:
            self._on_closed()

    def close(self) -> None:
        """Flushes the queue and closes the connection."""
        with self._lock:
            self._closing = True
        self._wake()
        if threading.current_thread() is not self._thread:
            self._thread.join(5)

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def rule(**parts: str) -> str:
    """Returns a match rule."""
    return ",".join(f"{key}='{value}'" for key, value in parts.items())


__all__ = ["BUS_NAME", "BUS_PATH", "Body", "Connection", "Received", "bus_address", "rule"]
