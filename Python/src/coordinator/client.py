"""A client of the daemon: starts flows, follows their screens, answers them, and waits for their outcomes."""

from __future__ import annotations

import copy
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from coordinator import codec, wire
from coordinator.bus import BUS_NAME, Body, Connection, Received, rule
from coordinator.codec import JSON
from coordinator.core import Coordinator, End, Outcome, flow_name
from coordinator.daemons import DaemonName
from coordinator.errors import (
    CoordinatorError,
    Disconnected,
    NoReply,
    NotRunning,
    StaleScreen,
    UnknownMethod,
    UnknownObject,
)

DAEMON = "org.coordinatord.Coordinator1"
ROOT = "/org/coordinatord/Coordinator1"
MANAGER, COORDINATOR, ROUTER = DAEMON + ".Manager", DAEMON + ".Coordinator", DAEMON + ".Router"


class NoAnswerError(CoordinatorError):
    """The answers passed to `run` have no entry for a screen. `screen` is its name."""

    def __init__(self, screen: str, message: str) -> None:
        super().__init__(message)
        self.screen = screen


@dataclass(frozen=True)
class FlowInfo:
    """An entry of the daemon's list of flows. `data` has all keys of the contract."""

    name: str
    title: str
    summary: str
    data: Mapping[str, JSON]


@dataclass(frozen=True)
class RemoteScreen:
    """A screen of a flow tree. `data` has all keys of the contract."""

    data: Mapping[str, JSON]

    @property
    def id(self) -> int:
        """The ID, which the tree never reuses."""
        return int(self.data["id"])

    @property
    def name(self) -> str:
        """The stable name."""
        return str(self.data["name"])

    @property
    def kind(self) -> str:
        """The kind, which determines how renderers draw the screen."""
        return str(self.data["kind"])

    @property
    def title(self) -> str:
        """The heading."""
        return str(self.data["title"])

    @property
    def coordinator(self) -> str:
        """The object path of the coordinator that receives the events."""
        return str(self.data["coordinator"])

    @property
    def events(self) -> list[str]:
        """The IDs of the actions."""
        return [str(action["id"]) for action in self.data.get("actions", [])]

    @property
    def items(self) -> list[Mapping[str, JSON]]:
        """The rows of a list."""
        return list(self.data.get("items", []))

    @property
    def messages(self) -> list[Mapping[str, JSON]]:
        """The messages."""
        return list(self.data.get("messages", []))

    @property
    def primary(self) -> str | None:
        """The ID of the primary action, or None if there is none."""
        roles = {str(action["role"]): str(action["id"]) for action in self.data.get("actions", [])}
        return roles.get("primary")

    @property
    def can_go_back(self) -> bool:
        """Whether Back may leave the screen."""
        return bool(self.data.get("back"))


@dataclass(frozen=True)
class Window:
    """The screens of a flow tree at a revision, bottom first."""

    revision: int
    screens: Sequence[RemoteScreen]

    @property
    def top(self) -> RemoteScreen | None:
        """The topmost screen, or None if there is none."""
        return self.screens[-1] if self.screens else None


Answer: TypeAlias = Any
"""The ID of an action or an item, the fields of a form, a pair of an event and its payload, or a function that takes
the screen and returns one of these. A list has one answer for each time the screen is shown."""


class Client:
    """A connection to a daemon. All methods are thread-safe.

    `daemon` is the name of the daemon, such as `kiosk`; by default, the name in COORDINATORD_NAME, or coordinatord.
    """

    def __init__(
        self, bus: str | None = None, *, kind: str = "python", autostart: bool = True, daemon: str | None = None
    ) -> None:
        self.daemon = DaemonName.of(daemon)
        self.kind = kind
        self.autostart = autostart
        self._trees: dict[str, set[Tree]] = {}
        self._lock = threading.Lock()
        self._events: queue.SimpleQueue[Received | None] = queue.SimpleQueue()
        self.connection = Connection(bus or "session", on_signal=self._events.put, on_closed=self._closed)
        self._thread = threading.Thread(target=self._run, name="coordinator-client", daemon=True)
        self._thread.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection, which ends flows whose lifetime is "caller"."""
        self._events.put(None)
        self.connection.close()

    def _closed(self) -> None:
        with self._lock:
            trees = [tree for group in self._trees.values() for tree in group]
        for tree in trees:
            tree._wake()

    # The manager.

    def list_flows(self) -> list[FlowInfo]:
        """Returns the flows that can be started."""
        flows = [_object(flow) for flow in self._listed_flows()]
        return [FlowInfo(flow["name"], flow["title"], flow.get("summary", ""), flow) for flow in flows]

    def _listed_flows(self) -> list[Any]:
        found: list[Any] = []
        last = ""
        while True:
            try:
                part, more = self._manager("ListFlowsAfter", "su", (last, 0))
            except UnknownMethod:
                # A daemon without the feature "flow-pages" lists all flows at once.
                return list(self._manager("ListFlows")[0])
            found += part
            if not more or not part:
                return found
            last = _object(part[-1])["name"]

    def list_active(self) -> list[Tree]:
        """Returns the live flow trees."""
        return [Tree(self, path, path + "/router") for path, *_ in self._manager("ListActive")[0]]

    def start(
        self, flow: str | type[Coordinator], input: Any = None, *, token: str | None = None,
        lifetime: str | None = None, timeout: float | None = None, fresh: bool = False, language: str | None = None,
    ) -> Tree:  # fmt: skip
        """Starts a flow. `timeout` is in seconds. With a token, the call can be repeated safely."""
        options = _options(token, lifetime, timeout, fresh, language)
        path, router = self._manager("StartFlow", "sa{sv}a{sv}", (flow_name(flow), _values(input), options))
        return Tree(self, path, router)

    def run(
        self, flow: str | type[Coordinator], input: Any = None, *, answers: Mapping[str, Answer] | None = None,
        token: str | None = None, timeout: float | None = None, language: str | None = None,
    ) -> Outcome:  # fmt: skip
        """Starts a flow and waits for its outcome.

        With `answers`, the flow runs unattended: the entry with a screen's name answers it. Without them, a user
        must answer the flow in a renderer.
        """
        if answers is None:
            body = (flow_name(flow), _values(input), _options(token, None, timeout, False, language))
            end, result = self._call(self.daemon.path, MANAGER, "RunFlow", "sa{sv}a{sv}", body, timeout=None)
            return Outcome(cast(End, end), _object(result))
        tree = self.start(flow, input, token=token, lifetime="caller", timeout=timeout, language=language)
        try:
            return tree.play(answers)
        except BaseException:
            try:
                tree.dismiss()
            except CoordinatorError:
                pass  # The flow ends with this connection.
            raise

    def tree(self, token: str) -> Tree:
        """Returns the flow tree with a token or an object path."""
        path = token if token.startswith("/") else f"{self.daemon.path}/flows/{token}"
        return Tree(self, path, path + "/router")

    def outcome(self, path: str) -> Outcome | None:
        """Returns the outcome of a coordinator, or None while it is live."""
        end, result = self._manager("GetOutcome", "o", (wire.path(path),))
        return None if end == "active" else Outcome(cast(End, end), _object(result))

    def forget(self, token: str) -> bool:
        """Forgets the outcome of a token's flow. Returns whether there was one."""
        return bool(self._manager("Forget", "s", (token,))[0])

    def _manager(self, member: str, signature: str = "", body: Body = ()) -> Body:
        return self._call(self.daemon.path, MANAGER, member, signature, body)

    def _call(
        self, path: str, interface: str, member: str, signature: str = "", body: Body = (), *,
        timeout: float | None = 30, autostart: bool | None = None,
    ) -> Body:  # fmt: skip
        autostart = self.autostart if autostart is None else autostart
        try:
            return self.connection.call(
                self.daemon.bus_name, path, interface, member, signature, body, timeout=timeout, autostart=autostart
            )
        except NotRunning:
            name = "coordinatord" if self.daemon.bus_name == DAEMON else self.daemon.bus_name
            raise NotRunning(f"{name} does not run on this bus, and cannot be activated") from None

    # Signals.

    def _watch(self, tree: Tree) -> None:
        with self._lock:
            is_first = not self._trees
            others = self._trees.setdefault(tree.path, set())
            is_new = not others
            others.add(tree)
        if is_first:
            self.connection.watch_name(self.daemon.bus_name)
        if is_new:
            for one in tree.rules:
                self.connection.add_match(one)

    def _unwatch(self, tree: Tree) -> None:
        with self._lock:
            others = self._trees.get(tree.path, set())
            others.discard(tree)
            if others:
                return
            self._trees.pop(tree.path, None)
        if not self.connection.closed.is_set():
            for one in tree.rules:
                self.connection.remove_match(one)

    def _run(self) -> None:
        while (message := self._events.get()) is not None:
            if message.sender == BUS_NAME and message.member == "NameOwnerChanged":
                with self._lock:
                    trees = [tree for group in self._trees.values() for tree in group]
                for tree in trees:
                    tree._daemon_changed(bool(message.body[2]))
                continue
            path = str(message.body[0]) if message.member == "FlowEnded" else message.path
            with self._lock:
                groups = [group for root, group in self._trees.items() if path == root or path.startswith(root + "/")]
                trees = [tree for group in groups for tree in group]
            for tree in trees:
                tree._signalled(message)


class Tree:
    """A flow tree: its window, and the calls that change it.

    While the tree is attached (by `attach`, or as a context manager), `window` is up to date, even if signals are lost
    or the daemon restarts.
    """

    def __init__(self, client: Client, path: str, router: str) -> None:
        self.client = client
        self.path = path
        self.router = router
        daemon = client.daemon.bus_name
        self.rules = (
            rule(type="signal", sender=daemon, path_namespace=path),
            rule(type="signal", sender=daemon, interface=MANAGER, member="FlowEnded", arg0path=path),
        )
        self._changed = threading.Condition()
        self._window = Window(0, [])
        self._screens: dict[int, dict[str, JSON]] = {}
        self._order: list[int] = []
        self._touched = 0
        self._attached = False
        self._stale = False
        self._gone = False
        self._lost = False

    def __enter__(self) -> Tree:
        return self.attach()

    def __exit__(self, *_: object) -> None:
        self.detach()

    def __repr__(self) -> str:
        return f"<Tree {self.path}>"

    # Following.

    def attach(self) -> Tree:
        """Attaches as a renderer and starts following the tree."""
        if not self._attached:
            self._attached = True
            self.client._watch(self)
            try:
                self._read()
            except BaseException:
                self.client._unwatch(self)
                self._attached = False
                raise
        return self

    def detach(self) -> None:
        """Stops following the tree."""
        if self._attached:
            self._attached = False
            self.client._unwatch(self)
            if not self.client.connection.closed.is_set() and not self._gone:
                self.client.connection.send_without_reply(self.client.daemon.bus_name, self.router, ROUTER, "Detach")

    def _read(self) -> None:
        capabilities = {"kind": ("s", self.client.kind)}
        try:
            revision, screens = self.client._call(
                self.router, ROUTER, "Attach", "a{sv}", (capabilities,), autostart=False
            )
        except UnknownObject:
            with self._changed:
                self._gone = True
                self._changed.notify_all()
            return
        with self._changed:
            # The window may already be newer, because of signals that arrived in the meantime.
            if revision >= self._window.revision:
                self._show(revision, [_object(screen) for screen in screens])

    def _show(self, revision: int, screens: Sequence[dict[str, JSON]]) -> None:
        self._screens = {int(screen["id"]): screen for screen in screens}
        self._order = [int(screen["id"]) for screen in screens]
        self._window = Window(revision, [RemoteScreen(copy.deepcopy(self._screens[one])) for one in self._order])
        # The screens that are replaced here may contain a part of a later transition.
        self._stale = self._touched > revision
        self._changed.notify_all()

    def _daemon_changed(self, is_there: bool) -> None:
        with self._changed:
            self._lost = not is_there
            self._changed.notify_all()
        if is_there and self._attached:
            try:
                self._read()
            except CoordinatorError:
                pass  # The daemon has left the bus again; its successor is announced as well.

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _signalled(self, message: Received) -> None:
        if message.member == "FlowEnded":
            if message.body[0] == self.path:
                with self._changed:
                    self._gone = True
                    self._changed.notify_all()
            return
        if message.interface == ROUTER and message.path == self.router:
            self._apply(message)

    def _apply(self, message: Received) -> None:
        body = message.body
        with self._changed:
            match message.member:
                case "Presented" | "Updated" | "Dismissed":
                    if body[0] <= self._window.revision:
                        return
                    if body[0] > self._window.revision + 1:
                        self._stale = True
                    self._touched = max(self._touched, body[0])
                    self._transit(message.member, body)
                case "Settled":
                    if body[0] <= self._window.revision:
                        return
                    stale = self._stale or body[0] != self._window.revision + 1
                    if not stale:
                        self._show(body[0], [self._screens[one] for one in self._order])
                        return
                case "Live":
                    self._update(body[0], _object(body[1]), body[2])
                    self._refresh()
                    return
                case "Progress":
                    self._update(body[0], {"progress": _object(body[1])}, [])
                    self._refresh()
                    return
                case "Drafted":
                    draft = _object(body[1])
                    self._update(body[0], {"draft": draft} if draft else {}, [] if draft else ["draft"])
                    self._refresh()
                    return
                case _:
                    return
            if message.member != "Settled":
                return
        # A signal was lost: read the window again.
        self._read()

    def _transit(self, member: str, body: Body) -> None:
        if member == "Presented":
            screen = _object(body[1])
            identifier, layer = int(screen["id"]), int(screen.get("layer", 0))
            self._screens[identifier] = screen
            places = [
                place + 1 for place, one in enumerate(self._order) if int(self._screens[one].get("layer", 0)) <= layer
            ]
            self._order.insert(max(places, default=0), identifier)
        elif member == "Updated":
            self._update(body[1], _object(body[2]), body[3])
        elif body[1] in self._order:
            self._order.remove(body[1])
            self._screens.pop(body[1], None)

    def _update(self, identifier: int, changed: Mapping[str, JSON], removed: Sequence[str]) -> None:
        if identifier in self._screens:
            screen = {key: value for key, value in self._screens[identifier].items() if key not in removed}
            self._screens[identifier] = {**screen, **changed}

    def _refresh(self) -> None:
        """Applies changed keys that belong to no transition to the screens of the window."""
        shown = [RemoteScreen(copy.deepcopy(self._screens.get(one.id, dict(one.data)))) for one in self._window.screens]
        self._window = Window(self._window.revision, shown)
        self._changed.notify_all()

    @property
    def window(self) -> Window:
        """The window. Reads it from the daemon unless the tree is attached."""
        if self._attached:
            with self._changed:
                return self._window
        body = self.client._call(self.router, "org.freedesktop.DBus.Properties", "GetAll", "s", (ROUTER,))
        properties = body[0]
        screens = [RemoteScreen(_object(screen)) for screen in properties["Screens"][1]]
        return Window(int(properties["Revision"][1]), screens)

    @property
    def top(self) -> RemoteScreen | None:
        """The topmost screen, or None if there is none."""
        return self.window.top

    @property
    def held(self) -> str:
        """The reason why the flow is held, or "" if it is not."""
        properties = "org.freedesktop.DBus.Properties"
        return str(self.client._call(self.path, properties, "Get", "ss", (COORDINATOR, "Held"))[0][1])

    def wait(self, until: Callable[[Window], bool], timeout: float | None = 30) -> Window:
        """Waits until the window meets a condition. Raises `UnknownObject` if the flow ends first."""
        if not self._attached:
            with self:
                return self.wait(until, timeout)
        end = None if timeout is None else time.monotonic() + timeout
        with self._changed:
            while not until(self._window):
                if self._gone:
                    raise UnknownObject(f"{self.path} has ended")
                self._wait_once(end)
            return self._window

    def _wait_once(self, end: float | None) -> None:
        if self.client.connection.closed.is_set():
            raise Disconnected("the connection to the bus was lost")
        left = None if end is None else end - time.monotonic()
        if left is not None and left <= 0:
            raise NoReply("the flow did not get there in time")
        self._changed.wait(left)

    def windows(self, timeout: float | None = None) -> Iterator[Window]:
        """Yields the current window and each later one, until the flow ends."""
        shown: Window | None = None
        with self:
            while True:
                try:
                    shown = self._wait_other(shown, timeout)
                except UnknownObject:
                    return
                yield shown

    def _wait_other(self, last: Window | None, timeout: float | None) -> Window:
        return self.wait(lambda window: last is None or window != last, timeout)

    def wait_ended(self, timeout: float | None = None) -> Outcome:
        """Waits for the outcome of the flow."""
        self.attach()
        end = None if timeout is None else time.monotonic() + timeout
        with self._changed:
            while not self._gone:
                self._wait_once(end)
        outcome = self.outcome
        if outcome is None:
            raise UnknownObject(f"the outcome of {self.path} is not known")
        return outcome

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the flow, or None while it is live."""
        return self.client.outcome(self.path)

    # Answering.

    def delegate(
        self, event: str, payload: Mapping[str, Any] | None = None, *, screen: RemoteScreen | None = None,
        seen: int | None = None, request: str | None = None,
    ) -> int:  # fmt: skip
        """Delegates an event on the topmost screen, or on `screen`. Returns the revision.

        `seen` is the revision that the user was looking at. With a request key, the call can be repeated safely.
        """
        target = screen or self.top
        if target is None:
            raise StaleScreen(f"{self.path} shows no screen now")
        body = (target.id, event, _values(payload), _request(request, seen))
        return int(self._long_call(target.coordinator, COORDINATOR, "Delegate", "tsa{sv}a{sv}", body)[0])

    def script(self, event: str, payload: Mapping[str, Any] | None = None, *, request: str | None = None) -> int:
        """Delegates an event that comes from no screen to the root coordinator."""
        body = (0, event, _values(payload), _request(request, None))
        return int(self._long_call(self.path, COORDINATOR, "Delegate", "tsa{sv}a{sv}", body)[0])

    def select(self, *ids: str, seen: int | None = None, request: str | None = None) -> int:
        """Chooses items of the topmost list."""
        payload: dict[str, JSON] = {"id": ids[0]} if len(ids) == 1 else {"ids": list(ids)}
        return self.delegate("select", payload, seen=seen, request=request)

    def back(self, *, screen: RemoteScreen | None = None, request: str | None = None) -> int:
        """Goes back from the topmost screen, or from `screen`."""
        target = screen or self.top
        if target is None:
            raise StaleScreen(f"{self.path} shows no screen now")
        return int(self._long_call(self.router, ROUTER, "Back", "ta{sv}", (target.id, _request(request, None)))[0])

    def dismiss(self, *, animated: bool = True, request: str | None = None, force: bool = False) -> None:
        """Ends the flow as cancelled.

        With `force`, it ends even if it cannot be left; only root and the daemon's own user may do this.
        """
        options = _request(request, None) | ({"force": ("b", True)} if force else {})
        self._long_call(self.path, COORDINATOR, "Dismiss", "ba{sv}", (animated, options))

    def start_child(self, flow: str, input: Any = None, *, style: str | None = None) -> str:
        """Starts a child of the root coordinator. Returns its object path."""
        options = {} if style is None else {"style": ("s", style)}
        body = (flow, _values(input), options)
        return str(self._long_call(self.path, COORDINATOR, "StartChild", "sa{sv}a{sv}", body)[0])

    def save_draft(self, values: Mapping[str, Any], *, screen: RemoteScreen | None = None) -> None:
        """Saves typed values that have not been sent. Must not contain secrets."""
        target = screen or self.top
        if target is None:
            raise StaleScreen(f"{self.path} shows no screen now")
        self.client._call(self.router, ROUTER, "SaveDraft", "ta{sv}a{sv}", (target.id, _values(values), {}))

    def _long_call(self, path: str, interface: str, member: str, signature: str, body: Body) -> Body:
        # A transition may wait up to 20 s for providers.
        return self.client._call(path, interface, member, signature, body, timeout=60)

    def play(self, answers: Mapping[str, Answer]) -> Outcome:
        """Answers each screen with the entry for its name, until the flow ends."""
        used: dict[str, int] = {}
        with self:
            after = -1
            while True:
                try:
                    window = self._wait_answerable(after)
                except UnknownObject:
                    return self.wait_ended(30)
                top = cast(RemoteScreen, window.top)
                event, payload = _answer(top, answers, used)
                try:
                    revision = self.delegate(event, payload, screen=top, seen=window.revision)
                    # If nothing visible has changed, wait for work to change something.
                    after = max(window.revision, revision - 1)
                except (StaleScreen, UnknownObject):
                    # Another client answered first. Wait for the next window.
                    after = window.revision
                    used[top.name] -= 1

    def _wait_answerable(self, after: int) -> Window:
        return self.wait(lambda window: window.revision > after and _is_answerable(window), timeout=None)


def _is_answerable(window: Window) -> bool:
    top = window.top
    if top is None or top.kind == "progress":
        return False
    return not ("progress" in top.data and top.primary is None)


def _answer(screen: RemoteScreen, answers: Mapping[str, Answer], used: dict[str, int]) -> tuple[str, dict[str, JSON]]:
    turn = used.get(screen.name, 0)
    used[screen.name] = turn + 1
    if screen.name not in answers:
        default = screen.primary
        if screen.kind == "message" and default is not None:
            return default, {}
        raise NoAnswerError(screen.name, f"there is no answer for the screen '{screen.name}' ('{screen.title}')")
    answer = answers[screen.name]
    if isinstance(answer, list):
        if turn >= len(answer):
            texts = "; ".join(str(one["text"]) for one in screen.messages)
            more = f": {texts}" if texts else ""
            raise NoAnswerError(screen.name, f"'{screen.name}' is shown {turn + 1} times, with {turn} answers{more}")
        answer = answer[turn]
    elif turn > 0 and not callable(answer) and any(one["level"] == "error" for one in screen.messages):
        # Repeating the same answer would loop forever.
        texts = "; ".join(str(one["text"]) for one in screen.messages)
        raise NoAnswerError(screen.name, f"the answer for '{screen.name}' was not accepted: {texts}")
    if callable(answer):
        answer = answer(screen)
    if isinstance(answer, tuple):
        return str(answer[0]), dict(codec.encode(answer[1]))
    answer = codec.encode(answer)
    if isinstance(answer, Mapping):
        if screen.primary is None:
            raise NoAnswerError(screen.name, f"the screen '{screen.name}' takes no fields")
        return screen.primary, dict(answer)
    if any(item["id"] == answer for item in screen.items):
        return "select", {"id": answer}
    return str(answer), {}


def _options(
    token: str | None, lifetime: str | None, timeout: float | None, fresh: bool, language: str | None
) -> dict[str, wire.Variant]:
    options: dict[str, wire.Variant] = {}
    for key, value in (("token", token), ("lifetime", lifetime), ("language", language)):
        if value is not None:
            options[key] = ("s", value)
    if timeout is not None:
        options["timeout"] = ("t", round(timeout * 1_000_000))
    if fresh:
        options["fresh"] = ("b", True)
    return options


def _request(request: str | None, seen: int | None) -> dict[str, wire.Variant]:
    options: dict[str, wire.Variant] = {}
    if request is not None:
        options["request"] = ("s", request)
    if seen is not None:
        options["seen"] = ("t", seen)
    return options


def _values(values: Any) -> dict[str, wire.Variant]:
    encoded = codec.encode(values) if values is not None else {}
    if not isinstance(encoded, dict):
        raise TypeError(f"expected a dictionary or a dataclass, found {type(values).__name__}")
    return wire.dictionary(encoded, verbatim=True)


def _object(value: Any) -> dict[str, JSON]:
    return cast("dict[str, JSON]", wire.plain(value))


def run(
    flow: str | type[Coordinator], input: Any = None, *, answers: Mapping[str, Answer] | None = None,
    token: str | None = None, timeout: float | None = None, language: str | None = None, bus: str | None = None,
    daemon: str | None = None,
) -> Outcome:  # fmt: skip
    """Runs a flow and returns its outcome. See `Client.run`.

    ```python
    outcome = coordinator.run("schedule-visit", answers={"select-visit-type": "well"})
    ```
    """
    with Client(bus, daemon=daemon) as client:
        return client.run(flow, input, answers=answers, token=token, timeout=timeout, language=language)


__all__ = ["Answer", "Client", "FlowInfo", "NoAnswerError", "RemoteScreen", "Tree", "Window", "run"]
