"""Coordinators, and `decide`, the pure function of every provider.

This module has no bus, no threads and no clock: the behavior of a coordinator depends only on the arguments of
Decide. `coordinator.provider` serves it over D-Bus, and `coordinator.testing` plays it in tests.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import inspect
import json
import re
import time
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Literal, NotRequired, TypeAlias, TypedDict, TypeVar, cast, overload

from coordinator import codec
from coordinator.codec import JSON
from coordinator.errors import Failed, FlowError, InvalidInput, NotTaken
from coordinator.forms import Form, FormLike, form_of
from coordinator.screens import Message, Screen, microseconds
from coordinator.work import Secret, WorkContext, performing

Style: TypeAlias = Literal["push", "modal"]
Router: TypeAlias = Literal["navigation", "modal", "window"]
End: TypeAlias = Literal["finished", "cancelled", "failed"]
T = TypeVar("T")
C = TypeVar("C", bound="Coordinator")
E = TypeVar("E", bound=enum.Enum)

MAX_STATE = 256 * 1024
MAX_OPERATIONS = 64


class DecideArguments(TypedDict):
    """The arguments of Decide, with plain values: no D-Bus types."""

    flow: str
    instance: str
    turn: int
    state: str
    event: dict[str, JSON]
    context: dict[str, JSON]


class Answer(TypedDict):
    """The answer of Decide, with plain values."""

    state: str
    do: NotRequired[list[dict[str, JSON]]]
    screens: NotRequired[dict[str, dict[str, JSON]]]
    dismissable: NotRequired[bool]


@dataclass(frozen=True)
class Flow:
    """The description of a flow."""

    name: str
    title: str
    summary: str = ""
    version: int = 1
    input: Form | None = None
    result: Form | None = None
    output: Form | None = None
    rehearsable: bool = False
    internal: bool = False
    singleton: bool = False
    router: Router | None = None
    deadline: timedelta | None = None
    leavable: bool = True
    looking: bool = False
    """Whether its coordinators are notified when a renderer starts or stops showing their screens."""
    part: bool = False
    """Whether it is a part of other flows, which renderers do not offer to users."""

    def to_json(self) -> dict[str, JSON]:
        """Returns the description in the form that RegisterFlows takes."""
        result: dict[str, JSON] = {"name": self.name, "title": self.title, "version": self.version}
        if self.summary:
            result["summary"] = self.summary
        for name in ("input", "result", "output"):
            if (form := getattr(self, name)) is not None:
                result[name] = form.to_json()
        for name in ("rehearsable", "internal", "singleton", "part"):
            if getattr(self, name):
                result[name] = True
        if self.router:
            result["router"] = self.router
        if self.deadline is not None:
            result["deadline"] = round(self.deadline / timedelta(microseconds=1))
        if not self.leavable:
            result["leavable"] = False
        if self.looking:
            result["looking"] = True
        return result


@dataclass(frozen=True)
class Event:
    """An action of the user on a screen, or an event without a screen."""

    name: str
    payload: Mapping[str, JSON]
    secrets: frozenset[str] = frozenset()
    same: Mapping[str, str] = dataclasses.field(default_factory=dict)

    @overload
    def choice(self) -> str: ...
    @overload
    def choice(self, of: type[E]) -> E: ...
    def choice(self, of: type[E] | None = None) -> E | str:
        """Returns the chosen action of a menu, optionally as a member of an enum.

        Raises `NotTaken` if the enum has no such member.
        """
        if of is None:
            return self.name
        try:
            return of(self.name)
        except ValueError:
            raise self.not_taken() from None

    @property
    def selection(self) -> str:
        """The ID of the chosen item of a list. Raises `NotTaken` unless exactly one is chosen."""
        chosen = self.selections
        if len(chosen) != 1:
            raise self.not_taken()
        return chosen[0]

    @property
    def selections(self) -> list[str]:
        """The IDs of the chosen items of a list. Raises `NotTaken` for an event other than `select`."""
        if self.name != "select":
            raise self.not_taken()
        return [str(item) for item in self.payload.get("ids", [self.payload["id"]] if "id" in self.payload else [])]

    def decoded(self, kind: type[T]) -> T:
        """Decodes the payload as a dataclass or a pydantic model."""
        return codec.decode(kind, dict(self.payload))

    def equal(self, one: str, other: str) -> bool:
        """Whether two secrets are present and have the same value, such as a password and its repetition.

        The name of a kept secret can begin with `kept:`, to distinguish it from one that came with the event.
        """
        there = all(name.removeprefix("kept:") in self.secrets for name in (one, other))
        return there and (one == other or self.same.get(one, one) == self.same.get(other, other))

    def not_taken(self) -> NotTaken:
        """Returns the error to raise for an event that the coordinator does not handle."""
        return NotTaken(f"the event '{self.name}' is not taken")


@dataclass(frozen=True)
class Child:
    """A child of a coordinator: its object path, its flow and its input."""

    path: str
    flow: str
    input: Mapping[str, JSON]

    def runs(self, flow: type[Coordinator] | str) -> bool:
        """Whether the child runs a flow."""
        return self.flow == flow_name(flow)


@dataclass(frozen=True)
class Outcome:
    """The outcome of a coordinator, and its result. It is true if the coordinator has finished."""

    end: End
    result: Mapping[str, JSON]

    def __bool__(self) -> bool:
        return self.finished

    @property
    def finished(self) -> bool:
        """Whether the coordinator finished."""
        return self.end == "finished"

    def decoded(self, kind: type[T]) -> T:
        """Decodes the result as a dataclass or a pydantic model."""
        return codec.decode(kind, dict(self.result))


@dataclass(frozen=True)
class Work:
    """A piece of work: its ID, the name of its `perform_NAME`, and its arguments."""

    id: str
    name: str
    arguments: Sequence[JSON] = ()


class WorkFailed(Exception):
    """The error of failed work: the name of the exception, and its message."""

    def __init__(self, type: str, message: str) -> None:
        super().__init__(message)
        self.type = type
        self.message = message


@dataclass(frozen=True)
class WorkResult:
    """The result of work: a value or an error."""

    value: JSON = None
    error: WorkFailed | None = None

    @property
    def done(self) -> bool:
        """Whether the work succeeded."""
        return self.error is None

    def get(self) -> JSON:
        """Returns the value, or raises the error."""
        if self.error is not None:
            raise self.error
        return self.value

    def decoded(self, kind: type[T]) -> T:
        """Decodes the value as a dataclass, an enum or a pydantic model."""
        return codec.decode(kind, self.get())


@dataclass
class NoState:
    """The state of a coordinator that does not declare one."""


def flow_name(flow: type[Coordinator] | str) -> str:
    """Returns the name of a flow."""
    return flow if isinstance(flow, str) else flow.flow.name


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")


class Coordinator:
    """A flow, event by event.

    ```python
    class Coffee(Coordinator, flow="coffee", title="Coffee"):
        state: CoffeeState

        def start(self) -> None:
            self.present("size")

        def screen(self, key: str) -> Screen:
            return menu("size", "How large?", small="Small", large="Large")

        def receive(self, event: Event, key: str) -> None:
            self.finish({"size": event.choice()})
    ```

    Override the methods down to `migrate`. They must not have side effects and must depend only on `self` and their
    arguments: the daemon may ask the same question twice, and may drop the answer. Side effects belong in *work*:
    `start_work("join", name)` calls `perform_join(name)` after the transition has been stored.
    """

    flow: ClassVar[Flow]
    _state_type: ClassVar[type[Any] | None] = None

    def __init_subclass__(
        cls, *, flow: str | None = None, title: str | None = None, summary: str = "", version: int = 1,
        input: FormLike | None = None, result: FormLike | None = None, output: FormLike | None = None,
        rehearsable: bool = False, internal: bool = False, singleton: bool = False, router: Router | None = None,
        deadline: timedelta | None = None, leavable: bool = True, **more: Any,
    ) -> None:  # fmt: skip
        """Describes the flow with the keyword arguments of the class."""
        super().__init_subclass__(**more)
        if flow is None:
            return
        if not _NAME.match(flow):
            raise FlowError(f"'{flow}' is not the name of a flow: it has letters, digits, '.', '_' and '-'")
        if version < 1:
            raise FlowError(f"the version of flow '{flow}' is {version}, but versions begin with 1")
        if input is None and "input" in inspect.get_annotations(cls):
            try:
                declared = _declared(cls, "input")
            except NameError as error:
                raise FlowError(f"flow '{flow}': {error}; pass the type as input=… instead") from None
            input = declared if dataclasses.is_dataclass(declared) or codec.is_model(declared) else None
        inputs, results, outputs = (None if one is None else form_of(one) for one in (input, result, output))
        cls.flow = Flow(
            flow, title or flow.replace("-", " ").capitalize(), summary, version, inputs, results, outputs, rehearsable,
            internal, singleton, router, deadline, leavable, cls.looking_changed is not Coordinator.looking_changed,
        )  # fmt: skip

    @classmethod
    def using(cls: type[C], **dependencies: Any) -> type[C]:
        """Returns the flow with different values for class attributes, such as dependencies.

        ```python
        serve(JoinNetwork.using(radio=Radio()))
        ```
        """
        for name in dependencies:
            if not hasattr(cls, name) and name not in _annotations(cls):
                raise FlowError(f"{cls.__name__} has no attribute '{name}'")
        return cast(type[C], type(cls.__name__, (cls,), {"__module__": cls.__module__, **dependencies}))

    # Methods to override.

    def start(self) -> None:
        """Called when the coordinator starts. Your implementation should present the first screen."""
        raise NotImplementedError(f"{type(self).__name__} has no start()")

    def screen(self, key: str) -> Screen:
        """Called after each event for each screen of the coordinator. Your implementation should return the screen."""
        raise NotImplementedError(f"{type(self).__name__} has no screen()")

    def receive(self, event: Event, key: str) -> None:
        """Called when the user has acted on the screen `key`. By default, the event goes to the parent."""
        raise event.not_taken()

    def receive_from_child(self, event: Event, child: Child) -> None:
        """Called with an event that a child has not taken. By default, the event goes to the parent."""
        raise event.not_taken()

    def receive_script(self, event: Event) -> None:
        """Called with an event that comes from no screen. By default, the event is not taken."""
        raise event.not_taken()

    def went_back(self, key: str) -> None:
        """Called after the user has left the screen `key` with Back. Raise a `Refusal` to keep the screen."""

    def child_ended(self, child: Child, outcome: Outcome) -> None:
        """Called after a child has ended. The child has already been removed from `children`."""

    def child_emitted(self, child: Child, value: Mapping[str, JSON]) -> None:
        """Called with a value that a living child has emitted."""

    def parent_sent(self, message: Mapping[str, JSON]) -> None:
        """Called with a message that the parent has sent."""

    def work_ended(self, work: Work, result: WorkResult) -> None:
        """Called after work has ended."""

    def work_interrupted(self, work: Work) -> None:
        """Called when work has lost its secrets in a restart. By default, the coordinator fails."""
        raise Failed("interrupted", "the work was interrupted by a restart")

    def secrets_gone(self, names: frozenset[str]) -> None:
        """Called after a restart with the names of the kept secrets that were lost."""

    def timer_fired(self, key: str) -> None:
        """Called when a timer has fired."""

    def looking_changed(self, looking: bool) -> None:
        """Called when the first renderer shows a screen of this coordinator, or the last one stops."""

    def language_changed(self, language: str) -> None:
        """Called when the language of the tree has changed. Screens are recomputed automatically."""

    def migrate(self, from_version: int) -> None:
        """Called when an older version of the flow has stored the state.

        Your implementation should convert `self.stored`, the state as JSON, to the current format.
        """
        raise FlowError(f"flow '{self.flow.name}' does not migrate from version {from_version}")

    @property
    def is_dismissable(self) -> bool:
        """Whether the user may end the coordinator now."""
        return True

    # The context.

    def __init__(self, arguments: DecideArguments) -> None:
        """Creates a coordinator that handles one event. Called by `decide`."""
        self._arguments = arguments
        self._context = arguments["context"]
        self._event = arguments["event"]
        self._operations: list[dict[str, JSON]] = []
        self._shown: list[str] = [str(key) for key in self._context.get("screens", [])]
        self._again: set[str] = set()
        self._ended = False
        envelope = _Envelope.read(arguments["state"])
        self._envelope = envelope
        self._running = [_work_of(str(identifier), envelope.work) for identifier in self._context.get("work", [])]
        # Secrets come with the event, or are kept; `secrets-gone` names those that are lost.
        kept = () if self._event["kind"] == "secrets-gone" else self._context.get("secrets", [])
        self._filled = frozenset(str(name) for name in self._event.get("secrets", []))
        self._held = self._filled | frozenset(str(name) for name in kept)
        self.stored: dict[str, JSON] = envelope.state
        self._has_state = False

    def __getattr__(self, name: str) -> Any:
        if name == "state":
            self.state = self._read_state()
            return self.state
        if name == "input":
            self.input = self._read_input()
            return self.input
        raise AttributeError(f"'{type(self).__name__}' has no attribute '{name}'")

    if typing.TYPE_CHECKING:
        # Subclasses annotate their own types: `state: VisitState`, `input: KanjiInput`.
        state: Any
        input: Any

    def _read_state(self) -> Any:
        kind = _declared(type(self), "state") or NoState
        if self._arguments["state"] == "":
            try:
                return kind()
            except TypeError as error:
                raise FlowError(f"the state {kind.__name__} needs a default for every field: {error}") from None
        return codec.decode(kind, self.stored)

    def _read_input(self) -> Any:
        kind, values = _declared(type(self), "input"), dict(self._context.get("input", {}))
        if kind is None or not (dataclasses.is_dataclass(kind) or codec.is_model(kind)):
            return values
        try:
            return codec.decode(kind, values)
        except codec.CodecError as error:
            raise InvalidInput(input=str(error)) from None

    @property
    def screens(self) -> Sequence[str]:
        """The keys of the coordinator's own screens, bottom first."""
        return tuple(self._shown)

    @property
    def children(self) -> list[Child]:
        """The children, in the order in which they were started."""
        return [_child(child) for child in self._context.get("children", [])]

    @property
    def running_work(self) -> Sequence[Work]:
        """The running work, including work started by this event."""
        return tuple(self._running)

    def is_running(self, name: str) -> bool:
        """Whether work with this name is running."""
        return any(work.name == name for work in self._running)

    @property
    def language(self) -> str:
        """The language of the tree, a BCP 47 tag."""
        return str(self._context.get("language") or "en")

    @property
    def caller(self) -> Mapping[str, JSON]:
        """The client whose call is being handled (`user` and `kind`), or empty if there is none."""
        return dict(self._context.get("caller", {}))

    @property
    def router(self) -> Router:
        """The router, which determines how the coordinator presents screens."""
        return cast(Router, self._context.get("router", "navigation"))

    @property
    def held_secrets(self) -> frozenset[str]:
        """The names of the secrets that are kept for this coordinator or came with this event."""
        return self._held

    @property
    def now(self) -> datetime:
        """The current time."""
        # If the daemon does not pass `now`, answers that depend on it are not reproducible.
        stamp = self._context.get("now")
        return datetime.fromtimestamp(time.time() if stamp is None else stamp / 1_000_000, UTC)

    # Operations.

    def _do(self, op: str, **arguments: JSON) -> None:
        if self._ended:
            raise FlowError(f"'{op}' comes after the coordinator '{self.flow.name}' has ended: nothing can follow")
        if len(self._operations) == MAX_OPERATIONS:
            raise FlowError(f"one event may lead to {MAX_OPERATIONS} operations, and '{op}' is one more")
        self._operations.append({"op": op, **{key: value for key, value in arguments.items() if value is not None}})

    def present(self, key: str, style: Style | None = None) -> None:
        """Presents a screen: pushes it, or opens a new layer for it (`style="modal"`)."""
        if key in self._shown:
            raise FlowError(f"the screen '{key}' is shown already: use dismiss_to('{key}') or another key")
        self._do("present", key=key, style=style)
        if self.router == "window" and style != "modal":
            self._shown.clear()
        self._shown.append(key)
        self._again.add(key)

    def replace(self, key: str, old: str | None = None) -> None:
        """Replaces the coordinator's topmost screen, or the screen `old`, with the screen `key`."""
        old = self._top(old)
        if key != old and key in self._shown:
            raise FlowError(f"the screen '{key}' is shown already: use another key")
        self.dismiss_to(old)
        self._do("replace", **{"with": key})
        self._shown[self._shown.index(old) :] = [key]
        self._again.add(key)

    def dismiss(self, key: str | None = None) -> None:
        """Dismisses the coordinator's topmost screen, or the screen `key`, and everything above it."""
        key = self._top(key)
        self._do("dismiss", key=key)
        del self._shown[self._shown.index(key) :]

    def dismiss_to(self, key: str) -> None:
        """Dismisses everything above the coordinator's screen `key`."""
        above = self._shown[self._shown.index(self._top(key)) + 1 :]
        if above:
            self.dismiss(above[0])

    def _top(self, key: str | None) -> str:
        if key is None:
            if not self._shown:
                raise FlowError(f"'{self.flow.name}' shows no screen: present one first")
            return self._shown[-1]
        if key not in self._shown:
            raise FlowError(f"the screen '{key}' is not shown; shown are {', '.join(self._shown) or 'none'}")
        return key

    def start_child(self, flow: type[Coordinator] | str, input: Any = None, router: Router | None = None) -> None:
        """Starts a child after this handler returns, in the same transition."""
        self._do(
            "start-child", flow=flow_name(flow), input=_object(input) if input is not None else None, router=router
        )

    def dismiss_child(self, child: Child) -> None:
        """Ends a child as cancelled."""
        self._do("dismiss-child", path=child.path)

    def start_work(self, name: str, *arguments: Any, secrets: Iterable[str] = ()) -> Work:
        """Starts work: calls `perform_NAME(*arguments)` after the transition has been stored.

        `secrets` names the secrets to pass as keyword arguments. Work may run more than once; see `WorkContext.key`.
        """
        taken = sorted(set(secrets))
        encoded = [codec.encode(argument) for argument in arguments]
        check_perform(type(self), name, len(encoded), taken)
        if missing := [secret for secret in taken if secret not in self._held]:
            held = ", ".join(sorted(self._held)) or "none"
            raise FlowError(
                f"the work '{name}' takes the secret '{missing[0]}', which is not held (held are: {held}):"
                " ask for it again, or keep it by keep_secret"
            )
        self._envelope.count += 1
        work = Work(f"{name}-{self._envelope.count}", name, encoded)
        self._do("work", id=work.id, argument=codec.text(encoded), secrets=taken or None)
        self._running.append(work)
        self._envelope.work[work.id] = encoded
        self._held -= set(taken)
        return work

    def cancel_work(self, work: Work | str | None = None) -> None:
        """Cancels one piece of work, all work with a name, or all work."""
        for one in list(self._running):
            if work is None or one == work or one.name == work:
                self._do("cancel-work", id=one.id)
                self._running.remove(one)
                self._envelope.work.pop(one.id, None)

    def timer(self, key: str, at: datetime | int | None = None, *, after: timedelta | None = None) -> datetime:
        """Starts a durable timer, replacing one with the same key. Returns the time at which it fires."""
        if (at is None) == (after is None):
            raise FlowError(f"the timer '{key}' has either 'at', a time, or 'after', a duration")
        due = microseconds(at if at is not None else self.now + cast(timedelta, after))
        # A duration does not depend on changes to the clock; a daemon without support for durations uses the time.
        duration = None if after is None else max(0, round(after / timedelta(microseconds=1)))
        self._do("timer", key=key, at=due, after=duration)
        return datetime.fromtimestamp(due / 1_000_000, UTC)

    def cancel_timer(self, key: str) -> None:
        """Cancels a timer."""
        self._do("cancel-timer", key=key)

    def emit(self, value: Any) -> None:
        """Emits a value to the parent. Values of a root are dropped."""
        self._do("output", value=_object(value))

    def send(self, child: Child, message: Any) -> None:
        """Sends a message to a child."""
        self._do("send", child=child.path, message=_object(message))

    def attach(self, message: Message) -> None:
        """Attaches a message to the screen that the event came from, until the next event on that screen."""
        self._do("attach", message=message.to_json())

    def change_language(self, language: str) -> None:
        """Changes the language of the whole flow tree: a BCP 47 tag. `language_changed` follows."""
        self._do("language", language=language)

    def keep_secret(self, *names: str) -> None:
        """Keeps secrets that came with this event until work takes them or they are dropped."""
        if missing := [name for name in names if name not in self._held]:
            held = ", ".join(sorted(self._held)) or "none"
            raise FlowError(f"the secret '{missing[0]}' cannot be kept: it was not filled in (held are: {held})")
        # The daemon keeps the other secrets already, and refuses secrets that did not come with the event.
        if filled := [name for name in names if name in self._filled]:
            self._do("keep-secret", names=filled)

    def drop_secret(self, *names: str) -> None:
        """Drops kept secrets."""
        self._do("drop-secret", names=list(names))
        self._held -= set(names)

    def finish(self, result: Any = None) -> None:
        """Ends the coordinator with a result: a dictionary, a dataclass or a pydantic model."""
        self._do("finish", result=_object(result) if result is not None else None)
        self._ended = True

    def cancel(self) -> None:
        """Ends the coordinator as cancelled."""
        self._do("cancel")
        self._ended = True

    def end_as(self, child: Child) -> None:
        """Ends the coordinator with the outcome and the result of a child."""
        self._do("as-child", path=child.path)
        self._ended = True

    def fail(self, code: str, message: str = "") -> typing.NoReturn:
        """Ends the coordinator as failed. All other changes of this event are dropped."""
        raise Failed(code, message)

    # The answer.

    def _handle(self) -> None:
        event, kind = self._event, str(self._event["kind"])
        key = str(event.get("key", ""))
        payload: Mapping[str, JSON] = event.get("payload", {})
        match kind:
            case "start":
                self.start()
            case "event":
                self.receive(self._received(payload), key)
            case "from-child":
                self.receive_from_child(self._received(payload), _child(event["child"]))
            case "script":
                self.receive_script(self._received(payload))
            case "back":
                self.went_back(key)
            case "child-ended":
                outcome = Outcome(cast(End, event.get("outcome", "cancelled")), dict(event.get("result", {})))
                self.child_ended(_child(event["child"]), outcome)
            case "output":
                self.child_emitted(_child(event["child"]), event.get("payload", {}))
            case "message":
                self.parent_sent(event.get("payload", {}))
            case "work-ended":
                self.work_ended(self._ended_work(), _work_result(event))
            case "work-interrupted":
                self.work_interrupted(self._ended_work())
            case "secrets-gone":
                self._held -= self._filled
                self.secrets_gone(self._filled)
            case "timer":
                self.timer_fired(str(event.get("timer", key)))
            case "looking":
                self.looking_changed(bool(event.get("looking", False)))
            case "language":
                self.language_changed(self.language)
            case "migrate":
                self.migrate(int(event.get("from", 1)))
                self._again.update(self._shown)
            case _:
                raise FlowError(f"this library does not know the event '{kind}'")

    def _received(self, payload: Mapping[str, JSON]) -> Event:
        same = {str(key): str(value) for key, value in self._context.get("same", {}).items()}
        return Event(str(self._event.get("name", "")), payload, self._filled, same)

    def _ended_work(self) -> Work:
        identifier = str(self._event.get("work", ""))
        work = _work_of(identifier, self._envelope.work)
        self._running = [one for one in self._running if one.id != identifier]
        self._envelope.work.pop(identifier, None)
        return work

    def _answer(self) -> Answer:
        self._handle()
        answer: Answer = {"state": ""}
        if self._operations:
            answer["do"] = self._operations
        state = codec.encode(self.state)
        self._envelope.state = state
        if not self._ended:
            screens = {key: self.screen(key).to_json() for key in self._shown}
            digests = {key: _digest(screen) for key, screen in screens.items()}
            known = self._envelope.screens
            changed = {key: screens[key] for key in self._shown if key in self._again or known.get(key) != digests[key]}
            if changed:
                answer["screens"] = changed
            self._envelope.screens = digests
            answer["dismissable"] = bool(self.is_dismissable)
        answer["state"] = self._envelope.text()
        if (size := len(answer["state"].encode())) > MAX_STATE:
            raise FlowError(f"the state takes up {size} bytes; at most {MAX_STATE} are stored")
        return answer


class _Envelope:
    """The stored state: the author's state, and the library's own."""

    def __init__(self) -> None:
        self.state: dict[str, JSON] = {}
        self.screens: dict[str, str] = {}
        self.work: dict[str, list[JSON]] = {}
        self.count = 0

    @classmethod
    def read(cls, text: str) -> _Envelope:
        envelope = cls()
        if text == "":
            return envelope
        try:
            stored = json.loads(text)
            if stored["format"] != "coordinator/1":
                raise FlowError(f"the state has the format {stored['format']!r}, which this version does not read")
            envelope.state = stored["state"]
            envelope.screens = stored.get("screens", {})
            envelope.work = stored.get("work", {})
            envelope.count = stored.get("count", 0)
        except (ValueError, KeyError, TypeError):
            raise FlowError("the state was not written by this library") from None
        return envelope

    def text(self) -> str:
        parts = {"screens": self.screens, "work": self.work, "count": self.count}
        return codec.text({"format": "coordinator/1", "state": self.state, **{k: v for k, v in parts.items() if v}})


def decide(flow: type[Coordinator], arguments: DecideArguments) -> Answer:
    """Handles an event: a pure function of its arguments.

    Raises `Refusal`, `NotTaken` or `Failed` if the flow does. Any other exception is a bug in the flow.
    """
    return flow(arguments)._answer()


def _digest(screen: Mapping[str, JSON]) -> str:
    return hashlib.blake2b(codec.text(screen).encode(), digest_size=9).hexdigest()


def _object(value: Any) -> dict[str, JSON]:
    encoded = codec.encode(value)
    if not isinstance(encoded, dict):
        raise FlowError(f"expected an object, found {type(value).__name__}: use a dictionary or a dataclass")
    return {key: part for key, part in encoded.items() if part is not None}


def _child(child: Mapping[str, JSON]) -> Child:
    return Child(str(child["path"]), str(child["flow"]), dict(child.get("input", {})))


def _work_of(identifier: str, arguments: Mapping[str, list[JSON]]) -> Work:
    name = identifier.rpartition("-")[0] or identifier
    return Work(identifier, name, arguments.get(identifier, []))


def _work_result(event: Mapping[str, JSON]) -> WorkResult:
    if (error := event.get("error")) is not None:
        return WorkResult(error=WorkFailed(str(error.get("type", "")), str(error.get("message", ""))))
    value = event.get("value", "")
    return WorkResult(json.loads(value) if value else None)


def _annotations(cls: type) -> set[str]:
    return {name for kind in cls.__mro__ for name in inspect.get_annotations(kind)}


def _declared(cls: type[Coordinator], name: str) -> Any:
    """Returns the type that a subclass annotates for an attribute, or None."""
    for kind in cls.__mro__:
        if kind is Coordinator:
            return None
        if name in inspect.get_annotations(kind):
            return codec.hints(kind)[name]
    return None


def performer(flow: type[Coordinator], name: str) -> Callable[..., Any]:
    """Returns the function that performs work with a name.

    The `self` of an instance method has the attributes of the class, but no state.
    """
    attribute = f"perform_{name.replace('-', '_')}"
    found = inspect.getattr_static(flow, attribute, None)
    if found is None:
        raise FlowError(f"{flow.__name__} has no {attribute}()")
    owner: Any = flow if isinstance(found, staticmethod | classmethod) else _Effects.of(flow)
    return cast("Callable[..., Any]", getattr(owner, attribute))


def check_perform(flow: type[Coordinator], name: str, arguments: int, secrets: Sequence[str]) -> None:
    """Raises `FlowError` unless `perform_NAME` accepts these arguments and secrets."""
    function = performer(flow, name)
    try:
        inspect.signature(function).bind(*([None] * arguments), **dict.fromkeys(secrets))
    except TypeError as error:
        raise FlowError(f"perform_{name.replace('-', '_')}: {error}") from None


class _Effects:
    """Creates the `self` of a `perform_NAME` that is an instance method."""

    @staticmethod
    def of(flow: type[Coordinator]) -> Coordinator:
        def missing(_self: Coordinator, name: str) -> Any:
            raise AttributeError(f"perform_… has no '{name}': pass what the work needs as its argument")

        return cast(Coordinator, object.__new__(type(flow.__name__, (flow,), {"__getattr__": missing})))


def run_work(
    flow: type[Coordinator], work: Work, argument: str, secrets: Mapping[str, str | bytes], context: WorkContext
) -> tuple[str, dict[str, JSON] | None]:
    """Performs work and wipes its secrets.

    Returns the value as JSON text, and the type and the message of the error, if any.
    """
    lent = {name: Secret(value) for name, value in secrets.items()}
    try:
        with performing(context):
            value = performer(flow, work.name)(*json.loads(argument or "[]"), **lent)
            if inspect.iscoroutine(value):
                # Imported on demand to keep the start of a provider fast.
                import asyncio

                value = asyncio.run(value)
        return codec.text(codec.encode(value)), None
    except (Exception, SystemExit) as error:
        return "", {"type": type(error).__name__, "message": str(error)}
    finally:
        for secret in lent.values():
            secret.wipe()
