"""Plays flows in tests, without a daemon or a bus.

```python
def test_faking() -> None:
    flow = play(Visit).answer("select-visit-type", "sick").answer("little").back()
    assert flow.screen.name == "select-pain-level"
    assert flow.answer("little").answer("is-fake").result == {"visit": "sick", "pain": "little", "faked": True}
```

Every event is decided twice. The test fails if the answers differ, because the daemon asks again after a crash, and if
an answer cannot be encoded for D-Bus.
"""

from __future__ import annotations

import contextvars
import copy
import json
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias, TypeVar

from coordinator import codec, forms, wire
from coordinator.codec import JSON
from coordinator.core import (
    Answer,
    Coordinator,
    DecideArguments,
    End,
    Outcome,
    Router,
    Work,
    decide,
    run_work,
)
from coordinator.errors import (
    CoordinatorError,
    Denied,
    Failed,
    FlowError,
    InvalidInput,
    InvalidPayload,
    NotDismissable,
    NotTaken,
    Refusal,
    UnknownEvent,
)
from coordinator.scripts.engines import PATIENCE
from coordinator.scripts.stages import EndlessWork
from coordinator.work import WorkContext

Result = TypeVar("Result")

_ROOT = "/org/coordinatord/Coordinator1/flows/flow_1"
_DECIDES = 64


class NotPure(AssertionError):
    """Two answers to the same question differ: a handler does not depend on its coordinator alone."""


def decide_twice(flow: type[Coordinator], arguments: DecideArguments) -> Answer:
    """Calls `decide` twice. Checks that the answers are equal byte for byte, and that they can be sent."""
    text = codec.text(arguments)
    first = _once(flow, json.loads(text))
    second = _once(flow, json.loads(text))
    if codec.text(first[0]) != codec.text(second[0]) or str(first[1]) != str(second[1]):
        raise NotPure(
            f"{flow.__name__}: the event '{arguments['event']['kind']}' has two answers\n"
            f"{codec.text(first[0])}\n{codec.text(second[0])}"
        )
    if first[1] is not None:
        raise first[1]
    answer: Answer = first[0]
    wire.answer(answer)
    return answer


def _once(flow: type[Coordinator], arguments: DecideArguments) -> tuple[Any, CoordinatorError | None]:
    try:
        return decide(flow, arguments), None
    except CoordinatorError as error:
        return None, error


@dataclass
class _Node:
    """A coordinator of the tree."""

    path: str
    flow: type[Coordinator]
    input: dict[str, JSON]
    router: Router
    parent: str
    layer: int
    state: str = ""
    dismissable: bool = True
    screens: dict[str, dict[str, JSON]] = field(default_factory=dict)
    children: int = 0
    work: dict[str, dict[str, JSON]] = field(default_factory=dict)
    timers: dict[str, int] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict)
    version: int = 1


@dataclass
class _Shown:
    """A screen of the window."""

    id: int
    node: str
    key: str
    layer: int
    messages: list[dict[str, JSON]] = field(default_factory=list)


@dataclass
class _Tree:
    """The state that a transition changes, and that is restored when a transition is dropped."""

    nodes: dict[str, _Node] = field(default_factory=dict)
    window: list[_Shown] = field(default_factory=list)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    screens: int = 0
    turn: int = 0
    language: str = "en"
    looking: bool = False
    begun: list[tuple[str, str]] = field(default_factory=list)
    progress: dict[str, dict[str, JSON]] = field(default_factory=dict)


@dataclass(frozen=True)
class ShownMessage:
    """A message of a screen."""

    level: str
    code: str
    text: str
    field: str = ""


class ShownScreen:
    """The topmost screen, as a renderer sees it. `data` has all keys of the contract."""

    def __init__(self, data: dict[str, JSON], key: str) -> None:
        self.data = data
        self.key = key

    def __getattr__(self, name: str) -> Any:
        if name in self.data:
            return self.data[name]
        raise AttributeError(f"the screen '{self.data['name']}' has no '{name}'")

    @property
    def suggested(self) -> JSON:
        """The suggestion of the screen, or None."""
        return self.data.get("suggested")

    @property
    def events(self) -> list[str]:
        """The IDs of the actions."""
        return [action["id"] for action in self.data["actions"]]

    @property
    def messages(self) -> list[ShownMessage]:
        """The messages."""
        return [ShownMessage(**message) for message in self.data.get("messages", [])]

    @property
    def busy(self) -> str | None:
        """The description of the work, "" if it has none, or None if the screen is not busy."""
        return self.data.get("busy")

    def __repr__(self) -> str:
        return f"<{self.data['kind']} {self.data['name']}: {', '.join(self.events)}>"


Decider: TypeAlias = Callable[[type[Coordinator], DecideArguments], Answer]


class Play:
    """A running flow. Methods return `self`, so that calls can be chained."""

    def __init__(
        self,
        flow: type[Coordinator],
        flows: Iterable[type[Coordinator]],
        input: Any,
        language: str,
        hold_work: bool,
        decider: Decider = decide_twice,
        patience: float = PATIENCE,
    ) -> None:
        self._decider = decider
        self._patience = patience
        self._flows: dict[str, type[Coordinator]] = {flow.flow.name: flow, **{one.flow.name: one for one in flows}}
        self._tree = _Tree(language=language)
        self._hold = hold_work
        self._clock = 1_700_000_000_000_000
        self._queue: deque[tuple[str, dict[str, JSON]]] = deque()
        self._filled: dict[str, str] = {}
        self.lost: list[str] = []
        given = dict(codec.encode(input) or {}) if input is not None else {}
        self._transition(lambda: self._start(flow, given, flow.flow.router or "navigation", ""))
        self._settle()

    # The window.

    @property
    def screen(self) -> ShownScreen:
        """The topmost screen."""
        if not self._tree.window:
            raise AssertionError(f"no screen is shown; the flow is {self._describe()}")
        return self._shown(self._tree.window[-1])

    def _shown(self, top: _Shown) -> ShownScreen:
        node = self._tree.nodes[top.node]
        data = copy.deepcopy(node.screens[top.key])
        data["messages"] = [*data.get("messages", []), *top.messages]
        if "busy" in data:
            data["actions"] = [action for action in data["actions"] if action["role"] != "primary"]
            data["progress"] = {
                **({"text": data["busy"]} if data["busy"] else {}),
                **self._tree.progress.get(node.path, {}),
            }
        return ShownScreen(data, top.key)

    @property
    def names(self) -> list[str]:
        """The names of all screens, bottom first."""
        return [self._tree.nodes[one.node].screens[one.key]["name"] for one in self._tree.window]

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the flow, or None while it is live."""
        return self._tree.outcomes.get(_ROOT)

    @property
    def result(self) -> Mapping[str, JSON]:
        """The result of the flow. Fails the test unless the flow has finished."""
        if self.outcome is None or not self.outcome.finished:
            raise AssertionError(f"the flow has not finished: it is {self._describe()}")
        return self.outcome.result

    @property
    def can_go_back(self) -> bool:
        """Whether Back can leave the topmost screen."""
        return bool(self._tree.window) and bool(self.screen.data.get("back", True))

    @property
    def is_dismissable(self) -> bool:
        """Whether the user may end the flow now."""
        return self._tree.nodes[_ROOT].dismissable

    @property
    def running_work(self) -> list[str]:
        """The IDs of the running work of all coordinators."""
        return [identifier for _, identifier in self._tree.begun]

    @property
    def state_text(self) -> str:
        """The stored state of all coordinators, for example to search for secrets."""
        return "\n".join(f"{node.state} {codec.text(node.screens)}" for node in self._tree.nodes.values())

    def _describe(self) -> str:
        return f"{self.outcome.end} {dict(self.outcome.result)}" if self.outcome is not None else "active"

    # The user.

    def answer(self, *words: Any, **fields: Any) -> Play:
        """Answers the topmost screen.

        `answer("sick")` sends an action or chooses an item. `answer("select-visit-type", "sick")` checks the name of
        the screen first. `answer(name="ada")` sends the fields of a form.
        """
        names = [codec.encode(word) for word in words]
        if len(names) == 2 or (fields and names):
            expected = names.pop(0)
            if expected != self.screen.name:
                raise AssertionError(f"the screen on top is '{self.screen.name}', not '{expected}'")
        if fields or (not names and self.screen.kind == "form"):
            return self.send(self._primary(), {name: codec.encode(value) for name, value in fields.items()})
        if not names:
            return self.send(self._primary())
        rows = [item["id"] for item in self.screen.data.get("items", [])]
        return self.select(names[0]) if names[0] in rows else self.send(names[0])

    def _primary(self) -> str:
        primary = [action["id"] for action in self.screen.data["actions"] if action["role"] == "primary"]
        if not primary:
            raise UnknownEvent(f"the screen '{self.screen.name}' has no primary action now")
        return str(primary[0])

    def select(self, *ids: str) -> Play:
        """Chooses items of the topmost list."""
        return self.send("select", {"id": ids[0]} if len(ids) == 1 else {"ids": list(ids)})

    def send(self, event: str, payload: Mapping[str, JSON] | None = None) -> Play:
        """Sends an event of the topmost screen, like Delegate."""
        screen, top = self.screen, self._tree.window[-1]
        given = dict(payload or {})
        open_payload, secrets = self._checked(screen, event, given)
        self._filled = secrets

        def act() -> None:
            top_now = self._tree.window[-1]
            top_now.messages = []
            node = self._tree.nodes[top.node]
            what = {"kind": "event", "key": top.key, "name": event, "payload": open_payload}
            self._bubble(node, what)

        self._transition(act)
        return self._settle()

    def _bubble(self, node: _Node, event: dict[str, JSON]) -> None:
        while True:
            try:
                return self._decide(node, event)
            except NotTaken:
                if not node.parent:
                    raise UnknownEvent(f"no coordinator takes the event '{event['name']}'") from None
                child, node = node, self._tree.nodes[node.parent]
                event = {**event, "kind": "from-child", "child": _child(child)}
                event.pop("key", None)

    def _checked(
        self, screen: ShownScreen, event: str, payload: dict[str, JSON]
    ) -> tuple[dict[str, JSON], dict[str, str]]:
        data = screen.data
        if event == "select" and "items" in data:
            self._check_selection(data, payload)
            return payload, {}
        action = next((action for action in data["actions"] if action["id"] == event), None)
        if action is None:
            raise UnknownEvent(
                f"the screen '{screen.name}' has no event '{event}' now; it has {', '.join(screen.events)}"
            )
        if "disabled" in action:
            raise Denied(action["disabled"])
        schema = data.get("schema")
        if schema is None or action["role"] != "primary":
            if payload:
                raise InvalidPayload(dict.fromkeys(payload, "is not expected"))
            return {}, {}
        if wrong := forms.problems(schema, payload):
            raise InvalidPayload(wrong)
        shown = forms.shown_fields(schema, payload)
        secret = {name for name, part in schema["properties"].items() if part.get("writeOnly")}
        there = {name: value for name, value in payload.items() if name in shown and value is not None}
        return (
            {name: value for name, value in there.items() if name not in secret},
            {name: value for name, value in there.items() if name in secret},
        )

    @staticmethod
    def _check_selection(data: Mapping[str, JSON], payload: Mapping[str, JSON]) -> None:
        rows = {item["id"]: item for item in data["items"]}
        limits = data.get("choosing", {})
        ids = payload.get("ids", [payload["id"]] if "id" in payload else [])
        for one in ids:
            if one not in rows:
                raise InvalidPayload(id=f"'{one}' is not a row of this list")
            if "disabled" in rows[one]:
                raise Denied(rows[one]["disabled"])
        if not limits.get("min", 1) <= len(ids) <= limits.get("max", 1):
            low, high = limits.get("min", 1), limits.get("max", 1)
            raise InvalidPayload(ids=f"has {len(ids)} rows, but {low} to {high} are chosen")

    def script(self, event: str, payload: Mapping[str, JSON] | None = None) -> Play:
        """Sends an event that comes from no screen to the root coordinator."""
        what = {"kind": "script", "name": event, "payload": dict(payload or {})}

        def act() -> None:
            try:
                self._decide(self._tree.nodes[_ROOT], what)
            except NotTaken as error:
                raise UnknownEvent(error.message) from None

        self._transition(act)
        return self._settle()

    def back(self) -> Play:
        """Goes back from the topmost screen."""
        top = self._tree.window[-1] if self._tree.window else None
        if top is None or not self.can_go_back:
            raise NotDismissable(f"there is no way back from {self.screen.name}")

        def act() -> None:
            node = self._tree.nodes[top.node]
            self._remove([one for one in self._tree.window if one.id == top.id])
            self._decide(node, {"kind": "back", "key": top.key})
            self._drain()
            has_child = any(one.parent == node.path for one in self._tree.nodes.values())
            if node.path in self._tree.nodes and not node.screens and not has_child:
                self._end(node, Outcome("cancelled", {}))

        self._transition(act)
        return self._settle()

    def dismiss(self) -> Play:
        """Dismisses the flow."""
        if not self.is_dismissable:
            raise NotDismissable("the flow cannot be dismissed now")
        self._transition(lambda: self._end(self._tree.nodes[_ROOT], Outcome("cancelled", {})))
        return self._settle()

    # Other events.

    def release(self, work: str | None = None) -> Play:
        """Performs all held work, or the oldest work with a name."""
        wanted = [one for one in self._tree.begun if work is None or one[1].rpartition("-")[0] == work][
            : None if work is None else 1
        ]
        if work is not None and not wanted:
            raise AssertionError(f"no work '{work}' runs; running are {self.running_work}")
        for one in wanted:
            if one in self._tree.begun:
                self._perform(*one)
        return self._settle()

    def restart(self) -> Play:
        """Simulates a restart of the daemon and the provider: secrets are lost, running work starts again."""
        for node in list(self._tree.nodes.values()):
            lost, node.secrets = sorted(node.secrets), {}
            for identifier, work in list(node.work.items()):
                work["attempt"] += 1
                if work["secrets"]:
                    self._tree.begun.remove((node.path, identifier))
                    del node.work[identifier]
                    self._happens(node.path, {"kind": "work-interrupted", "work": identifier})
            if lost and node.path in self._tree.nodes:
                self._happens(node.path, {"kind": "secrets-gone", "secrets": lost})
        return self._settle()

    def upgrade(self, *flows: type[Coordinator]) -> Play:
        """Replaces flows with other versions, and migrates their coordinators."""
        for flow in flows:
            self._flows[flow.flow.name] = flow
            for node in list(self._tree.nodes.values()):
                if node.flow.flow.name == flow.flow.name:
                    node.flow = flow
                    if node.version < flow.flow.version:
                        self._happens(node.path, {"kind": "migrate", "from": node.version})
                        node.version = flow.flow.version
        return self._settle()

    def advance(self, by: timedelta | float) -> Play:
        """Advances the clock (a number is in seconds), and fires timers in order."""
        seconds = by.total_seconds() if isinstance(by, timedelta) else by
        end = self._clock + round(seconds * 1_000_000)
        while due := sorted(
            (at, node.path, key) for node in self._tree.nodes.values() for key, at in node.timers.items() if at <= end
        ):
            at, path, key = due[0]
            self._clock = max(self._clock, at)
            del self._tree.nodes[path].timers[key]
            self._happens(path, {"kind": "timer", "timer": key})
            self._settle()
        self._clock = end
        return self

    @property
    def now(self) -> datetime:
        """The simulated time."""
        return datetime.fromtimestamp(self._clock / 1_000_000, UTC)

    def look(self, looking: bool = True) -> Play:
        """Changes whether a renderer shows the screens."""
        self._tree.looking = looking
        for path in list(self._tree.nodes):
            self._happens(path, {"kind": "looking", "looking": looking})
        return self._settle()

    def set_language(self, language: str) -> Play:
        """Changes the language of the tree."""
        self._tree.language = language
        for path in list(self._tree.nodes):
            self._happens(path, {"kind": "language"})
        return self._settle()

    # Transitions.

    def _fingerprint(self) -> str:
        """Identifies the state, without counters that only grow."""
        nodes = [
            [node.flow.flow.name, _uncounted(node.state), node.screens, sorted(node.work), sorted(node.secrets)]
            for node in self._tree.nodes.values()
        ]
        messages = [[one.key, one.messages] for one in self._tree.window]
        return codec.text([nodes, messages, self.outcome.end if self.outcome is not None else ""])

    def _happens(self, path: str, event: dict[str, JSON]) -> None:
        """Delivers an event without a caller. Refusals are errors."""

        def act() -> None:
            if node := self._tree.nodes.get(path):
                try:
                    self._decide(node, event)
                except (Refusal, UnknownEvent) as error:
                    raise FlowError(f"the event '{event['kind']}' cannot be refused: {error!r}") from error

        self._transition(act)

    def _transition(self, act: Any) -> None:
        before, self._asked = copy.deepcopy(self._tree), 0
        try:
            act()
            self._drain()
        except _NodeFailed as failed:
            turn = self._tree.turn
            self._tree = before
            self._tree.turn = turn
            self._queue.clear()
            self._filled = {}
            if failed.path not in self._tree.nodes:
                raise failed.error from None
            self._asked = 0
            end = Outcome("failed", {"code": failed.error.code, "message": failed.error.message})
            self._end(self._tree.nodes[failed.path], end)
            self._drain()
        except BaseException:
            turn = self._tree.turn
            self._tree = before
            self._tree.turn = turn
            self._queue.clear()
            self._filled = {}
            raise
        self._filled = {}
        root = self._tree.nodes.get(_ROOT)
        if root and len(self._tree.nodes) == 1 and not root.screens and not root.work and not root.timers:
            self._end(root, Outcome("failed", {"code": "nothing-to-show", "message": "the flow shows nothing"}))

    def _drain(self) -> None:
        while self._queue:
            path, event = self._queue.popleft()
            if path == "":
                parent = self._tree.nodes.get(event["parent"])
                if parent is not None:
                    self._start_child(parent, event)
            elif node := self._tree.nodes.get(path):
                self._decide(node, event)

    def _settle(self) -> Play:
        while not self._hold and self._tree.begun:
            self._perform(*self._tree.begun[0])
        return self

    def _start(self, flow: type[Coordinator], input: dict[str, JSON], router: Router, parent: str) -> None:
        description = flow.flow
        if description.input is not None:
            if wrong := forms.problems(description.input.to_json(), input):
                raise InvalidInput(wrong)
        elif input:
            raise InvalidInput(dict.fromkeys(input, "is not expected"))
        path, layer = _ROOT, 0
        if parent:
            above = self._tree.nodes[parent]
            above.children += 1
            path = f"{parent}/{description.name.replace('-', '_')}_{above.children}"
            layer = -1 if router == "modal" else self._layer_of(above)
        node = _Node(path, flow, input, router, parent, layer, version=description.version)
        self._tree.nodes[path] = node
        try:
            self._decide(node, {"kind": "start"})
        except NotTaken as error:
            raise FlowError("start() cannot leave its event to others") from error

    def _start_child(self, parent: _Node, event: Mapping[str, JSON]) -> None:
        name = event["flow"]
        if name not in self._flows:
            raise FlowError(f"the child flow '{name}' is not known: play(…, flows=[…])")
        flow = self._flows[name]
        self._start(flow, dict(event.get("input", {})), event.get("router") or "navigation", parent.path)

    def _layer_of(self, node: _Node) -> int:
        own = [one.layer for one in self._tree.window if one.node == node.path]
        return own[-1] if own else max(node.layer, 0)

    def _decide(self, node: _Node, event: dict[str, JSON]) -> None:
        self._asked += 1
        if self._asked > _DECIDES:
            raise FlowError(f"one transition has at most {_DECIDES} Decides")
        self._tree.turn += 1
        filled = self._filled if event["kind"] in ("event", "from-child", "script") else {}
        what = dict(event)
        if filled:
            what["secrets"] = sorted(filled)
        children = [_child(one) for one in self._tree.nodes.values() if one.parent == node.path]
        arguments: DecideArguments = {
            "flow": node.flow.flow.name, "instance": f"{node.path}@{1_700_000_000_000_000}", "turn": self._tree.turn,
            "state": node.state, "event": what,
            "context": {
                "input": node.input, "version": node.version, "screens": list(node.screens), "children": children,
                "work": list(node.work), "secrets": sorted(node.secrets), "router": node.router,
                "language": self._tree.language,
                "deadline": 5_000_000, "now": self._clock,
                "same": _same(filled, node.secrets),
            },
        }  # fmt: skip
        try:
            answer = self._decider(node.flow, arguments)
        except Failed as error:
            raise _NodeFailed(node.path, error) from error
        self._apply(node, answer, event, filled)

    def _apply(self, node: _Node, answer: Answer, event: Mapping[str, JSON], filled: dict[str, str]) -> None:
        node.state = answer["state"]
        node.dismissable = answer.get("dismissable", node.dismissable)
        screens = answer.get("screens", {})
        for operation in answer.get("do", []):
            self._operate(node, operation, screens, filled)
            if node.path not in self._tree.nodes:
                return
        for key, screen in screens.items():
            if key not in node.screens:
                raise FlowError(f"the answer has the screen '{key}', which is not shown")
            node.screens[key] = screen
        if missing := [key for key, screen in node.screens.items() if not screen]:
            raise FlowError(f"the answer lacks the screen '{missing[0]}'")

    def _operate(
        self, node: _Node, operation: Mapping[str, JSON], screens: Mapping[str, dict[str, JSON]], filled: dict[str, str]
    ) -> None:
        match operation["op"]:
            case "present":
                self._present(node, operation["key"], operation.get("style", "push"), screens)
            case "replace":
                old = [one for one in self._tree.window if one.node == node.path][-1]
                index = self._tree.window.index(old)
                self._remove(self._above(old), ending=True)
                self._tree.screens += 1
                self._tree.window.insert(index, _Shown(self._tree.screens, node.path, operation["with"], old.layer))
                node.screens[operation["with"]] = screens.get(operation["with"], {})
            case "dismiss":
                old = next(one for one in self._tree.window if (one.node, one.key) == (node.path, operation["key"]))
                self._remove(self._above(old), ending=True)
            case "start-child":
                self._queue.append(("", {**operation, "parent": node.path}))
            case "dismiss-child":
                if child := self._tree.nodes.get(operation["path"]):
                    self._end(child, Outcome("cancelled", {}))
            case "work":
                self._begin(node, operation, filled)
            case "cancel-work":
                node.work.pop(operation["id"], None)
                self._tree.begun = [one for one in self._tree.begun if one != (node.path, operation["id"])]
            case "timer":
                node.timers[operation["key"]] = operation["at"]
            case "cancel-timer":
                node.timers.pop(operation["key"], None)
            case "attach":
                if self._tree.window:
                    self._tree.window[-1].messages.append(operation["message"])
            case "output":
                if node.parent:
                    event = {"kind": "output", "child": _child(node), "payload": operation["value"]}
                    self._queue.append((node.parent, event))
            case "send":
                self._queue.append((operation["child"], {"kind": "message", "payload": operation["message"]}))
            case "language":
                self._tree.language = operation["language"]
                self._queue += [(path, {"kind": "language"}) for path in self._tree.nodes]
            case "keep-secret":
                node.secrets.update({name: {**node.secrets, **filled}[name] for name in operation["names"]})
            case "drop-secret":
                for name in operation["names"]:
                    node.secrets.pop(name, None)
            case "finish":
                self._end(node, Outcome("finished", dict(operation.get("result", {}))))
            case "cancel":
                self._end(node, Outcome("cancelled", {}))
            case "as-child":
                self._end(node, self._tree.outcomes[operation["path"]])
            case other:
                raise FlowError(f"there is no operation '{other}'")

    def _present(self, node: _Node, key: str, style: str, screens: Mapping[str, dict[str, JSON]]) -> None:
        if node.router == "window" and style != "modal":
            self._remove(list(self._tree.window))
        own = [one.layer for one in self._tree.window if one.node == node.path]
        if style == "modal" or (node.layer == -1 and not own):
            layer = max((one.layer for one in self._tree.window), default=-1) + 1
        else:
            layer = own[-1] if own else max(node.layer, 0)
        index = max((place + 1 for place, one in enumerate(self._tree.window) if one.layer <= layer), default=0)
        self._tree.screens += 1
        self._tree.window.insert(index, _Shown(self._tree.screens, node.path, key, layer))
        node.screens[key] = screens.get(key, {})

    def _above(self, shown: _Shown) -> list[_Shown]:
        return self._tree.window[self._tree.window.index(shown) :]

    def _remove(self, gone: Sequence[_Shown], ending: bool = False) -> None:
        for one in gone:
            self._tree.window.remove(one)
            if node := self._tree.nodes.get(one.node):
                node.screens.pop(one.key, None)
        if ending:
            for path in sorted({one.node for one in gone}, key=len, reverse=True):
                left = self._tree.nodes.get(path)
                if left and left.parent and not left.screens:
                    self._end(left, Outcome("cancelled", {}))

    def _end(self, node: _Node, outcome: Outcome) -> None:
        for child in [one for one in self._tree.nodes.values() if one.parent == node.path][::-1]:
            self._end_silently(child, Outcome("cancelled", {}))
        self._end_silently(node, outcome)
        if node.parent in self._tree.nodes:
            event = {
                "kind": "child-ended",
                "child": _child(node),
                "outcome": outcome.end,
                "result": dict(outcome.result),
            }
            self._queue.append((node.parent, event))

    def _end_silently(self, node: _Node, outcome: Outcome) -> None:
        for child in [one for one in self._tree.nodes.values() if one.parent == node.path][::-1]:
            self._end_silently(child, Outcome("cancelled", {}))
        self._remove([one for one in self._tree.window if one.node == node.path])
        self._tree.begun = [one for one in self._tree.begun if one[0] != node.path]
        self._tree.nodes.pop(node.path, None)
        end: End = outcome.end
        self._tree.outcomes[node.path] = Outcome(end, json.loads(codec.text(codec.encode(outcome.result))))

    def _begin(self, node: _Node, operation: Mapping[str, JSON], filled: Mapping[str, str]) -> None:
        identifier = operation["id"]
        if identifier in node.work:
            raise FlowError(f"the work '{identifier}' was started before")
        names = operation.get("secrets", [])
        available = {**node.secrets, **filled}
        values = {name: available[name] for name in names}
        for name in names:
            node.secrets.pop(name, None)
        node.work[identifier] = {"argument": operation["argument"], "secrets": values, "attempt": 1}
        self._tree.begun.append((node.path, identifier))

    def _perform(self, path: str, identifier: str) -> None:
        self._tree.begun.remove((path, identifier))
        node = self._tree.nodes[path]
        work = node.work.pop(identifier)

        def report(progress: dict[str, JSON]) -> None:
            wire.dictionary(progress)
            self._tree.progress[path] = {key: value for key, value in progress.items() if key != "live"}

        context = WorkContext(f"{path}/{identifier}", work["attempt"], report)
        value, error = _within(
            self._patience,
            lambda: run_work(
                node.flow, Work(identifier, identifier.rpartition("-")[0]), work["argument"], work["secrets"], context
            ),
            f"the work '{identifier}' of {node.flow.__name__}",
        )
        self._tree.progress.pop(path, None)
        event: dict[str, JSON] = {"kind": "work-ended", "work": identifier}
        event.update({"error": error} if error else {"value": value})
        self._happens(path, event)


def _within(patience: float, job: Callable[[], Result], what: str) -> Result:
    """Calls a function in a thread, which goes on if it takes longer than allowed."""
    found: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            found.append(job())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=contextvars.copy_context().run, args=(run,), name="work", daemon=True)
    thread.start()
    thread.join(patience)
    if errors:
        raise errors[0]
    if not found:
        raise EndlessWork(
            f"{what} has not ended within {patience:g} s: pass a dependency that ends, hold_work=True to keep the work"
            " back, or patience=SECONDS to wait longer"
        )
    return found[0]


class _NodeFailed(Exception):
    """A coordinator has raised `Failed`."""

    def __init__(self, path: str, error: Failed) -> None:
        super().__init__(error.message)
        self.path = path
        self.error = error


def _uncounted(state: str) -> JSON:
    envelope = json.loads(state or "{}")
    envelope.pop("count", None)
    return envelope


def _child(node: _Node) -> dict[str, JSON]:
    return {"path": node.path, "flow": node.flow.flow.name, "input": node.input}


def _same(filled: Mapping[str, str], kept: Mapping[str, str]) -> dict[str, str]:
    """Returns which secrets are equal to another one. The names of kept secrets begin with `kept:`."""
    secrets = sorted(filled.items()) + sorted((f"kept:{name}", value) for name, value in kept.items())
    first: dict[str, str] = {}
    return {name: first[value] for name, value in secrets if first.setdefault(value, name) != name}


def play(
    flow: type[Coordinator], *, flows: Iterable[type[Coordinator]] = (), input: Any = None, language: str = "en",
    hold_work: bool = False, patience: float = PATIENCE, **dependencies: Any,
) -> Play:  # fmt: skip
    """Starts a flow in memory.

    `flows` lists the flows of its children. `dependencies` replace attributes of the class; see `Coordinator.using`.
    With `hold_work`, work waits for `release()`; otherwise, it is performed immediately. If it takes longer than
    `patience`, in seconds, `EndlessWork` is raised, with its name.
    """
    return Play(
        flow.using(**dependencies) if dependencies else flow, flows, input, language, hold_work, patience=patience
    )


class Stuck(AssertionError):
    """A path through a flow that ends in an error or a dead end. The message describes the path."""


@dataclass(frozen=True)
class Walk:
    """The result of `explore`: the names of the screens, the outcomes, and the number of states.

    It is not `complete` if a limit has ended it before all paths were walked.
    """

    screens: frozenset[str]
    ends: frozenset[str]
    states: int
    complete: bool = True


def explore(
    flow: type[Coordinator], *, flows: Iterable[type[Coordinator]] = (), input: Any = None,
    answers: Mapping[str, Iterable[Mapping[str, Any]]] | None = None, max_states: int = 500, items_per_list: int = 3,
    **dependencies: Any,
) -> Walk:  # fmt: skip
    """Walks every path through a flow: every action and item, Back from every screen, and a restart in every state.

    Refusals are allowed. Raises `Stuck` if no coordinator takes an action, if a coordinator fails, if a screen is a
    dead end, or if a restart changes a screen. Work is performed immediately, so pass `dependencies` without side
    effects.
    """
    kind = flow.using(**dependencies) if dependencies else flow
    known = list(flows)
    begun = Play(kind, known, input, "en", False)
    waiting: deque[tuple[Play, list[str]]] = deque([(begun, [])])
    seen: set[str] = set()
    screens: set[str] = set()
    ends: set[str] = set()
    while waiting:
        here, way = waiting.popleft()
        if here.outcome is not None:
            ends.add(here.outcome.end)
            if here.outcome.end == "failed":
                raise Stuck(f"{_told(way)}: the flow fails, {dict(here.outcome.result)}")
            continue
        state = here._fingerprint()
        if state in seen:
            continue
        seen.add(state)
        if len(seen) > max_states:
            raise Stuck(f"the flow has more than {max_states} states")
        screens.update(here.names)
        _restarted(here, way)
        leads_on = here.can_go_back
        for event, payload in _ways(here, answers or {}, items_per_list):
            there = copy.deepcopy(here)
            name = f"{here.screen.name} ▸ {next(iter(payload.values()), event) if event == 'select' else event}"
            try:
                there.send(event, payload)
            except (Refusal, UnknownEvent) as error:
                if isinstance(error, UnknownEvent) and not isinstance(error, Refusal):
                    raise Stuck(f"{_told(way)} ▸ {name}: {error.message}") from error
                continue
            leads_on = True
            waiting.append((there, [*way, name]))
        if here.can_go_back:
            there = copy.deepcopy(here)
            try:
                waiting.append((there.back(), [*way, "Back"]))
            except Refusal:
                pass
        if not leads_on and not here.running_work:
            raise Stuck(f"{_told(way)}: '{here.screen.name}' is a dead end")
    return Walk(frozenset(screens), frozenset(ends), len(seen))


def _told(way: Sequence[str]) -> str:
    return " ▸ ".join(way) or "at the start"


def _restarted(here: Play, way: Sequence[str]) -> None:
    if any(node.secrets or node.work for node in here._tree.nodes.values()):
        return
    there = copy.deepcopy(here).restart()
    if there._fingerprint() != here._fingerprint():
        raise Stuck(f"{_told(way)}: a restart changes what is shown")


def _ways(
    here: Play, answers: Mapping[str, Iterable[Mapping[str, Any]]], items_per_list: int
) -> list[tuple[str, dict[str, JSON]]]:
    data = here.screen.data
    ways: list[tuple[str, dict[str, JSON]]] = []
    rows = [item["id"] for item in data.get("items", []) if "disabled" not in item]
    several = "max" in data.get("choosing", {})
    ways += [("select", {"ids": [row]} if several else {"id": row}) for row in rows[:items_per_list]]
    for action in data["actions"]:
        if "disabled" in action:
            continue
        if "schema" in data and action["role"] == "primary":
            payloads = [codec.encode(dict(one)) for one in answers.get(here.screen.name, ())] or [_filled(data)]
            ways += [(action["id"], payload) for payload in payloads]
        else:
            ways.append((action["id"], {}))
    return ways


def _filled(data: Mapping[str, JSON]) -> dict[str, JSON]:
    """Guesses a valid payload for a form."""
    payload: dict[str, JSON] = {}
    for name, part in data["schema"]["properties"].items():
        payload[name] = data.get("values", {}).get(name, _value(part))
    return {name: value for name, value in payload.items() if value is not None}


def _value(part: Mapping[str, JSON]) -> JSON:
    if "examples" in part or "default" in part:
        return part.get("default", next(iter(part.get("examples", ())), None))
    if "oneOf" in part:
        return part["oneOf"][0]["const"]
    match part["type"]:
        case "string":
            known = {"email": "a@example.org", "date": "2026-07-21", "ip": "::1", "ipv4": "192.0.2.1", "ipv6": "::1"}
            return known.get(part.get("format", ""), "a" * max(1, part.get("minLength", 1)))
        case "boolean":
            return False
        case "array":
            return [_value(part["items"])] * part.get("minItems", 0)
        case _:
            return part.get("minimum", min(1, part.get("maximum", 1)))


__all__ = [
    "Decider",
    "NotPure",
    "Play",
    "ShownMessage",
    "ShownScreen",
    "Stuck",
    "Walk",
    "decide_twice",
    "explore",
    "play",
]
