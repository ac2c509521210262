"""Coordinators, and `decide`: the pure function that a provider is.

No bus, no threads, no clock: what a coordinator does is a function of the arguments of Decide. The edge in
`coordinator.provider` carries it over D-Bus, `coordinator.testing` plays it in a test.
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
    """What the daemon is told about a flow."""

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
    users: Sequence[str] = ()

    def to_json(self) -> dict[str, JSON]:
        """Returns the description as RegisterFlows takes it."""
        result: dict[str, JSON] = {"name": self.name, "title": self.title, "version": self.version}
        if self.summary:
            result["summary"] = self.summary
        for name in ("input", "result", "output"):
            if (form := getattr(self, name)) is not None:
                result[name] = form.to_json()
        for name in ("rehearsable", "internal", "singleton"):
            if getattr(self, name):
                result[name] = True
        if self.router:
            result["router"] = self.router
        if self.deadline is not None:
            result["deadline"] = round(self.deadline / timedelta(microseconds=1))
        if self.users:
            result["users"] = list(self.users)
        return result


@dataclass(frozen=True)
class Event:
    """What the user did on a screen, or a script did without one."""

    name: str
    payload: Mapping[str, JSON]
    secrets: frozenset[str] = frozenset()
    same: Mapping[str, str] = dataclasses.field(default_factory=dict)

    @overload
    def choice(self) -> str: ...
    @overload
    def choice(self, of: type[E]) -> E: ...
    def choice(self, of: type[E] | None = None) -> E | str:
        """Returns the chosen action of a menu; as a case of an enum, an event that is none is not taken."""
        if of is None:
            return self.name
        try:
            return of(self.name)
        except ValueError:
            raise self.not_taken() from None

    @property
    def selection(self) -> str:
        """The ID of the chosen row of a list. An event that chooses no single row is not taken."""
        chosen = self.selections
        if len(chosen) != 1:
            raise self.not_taken()
        return chosen[0]

    @property
    def selections(self) -> list[str]:
        """The IDs of the chosen rows of a list. An event other than `select` is not taken."""
        if self.name != "select":
            raise self.not_taken()
        return [str(item) for item in self.payload.get("ids", [self.payload["id"]] if "id" in self.payload else [])]

    def decoded(self, kind: type[T]) -> T:
        """Returns the payload as a dataclass or a model of pydantic."""
        return codec.decode(kind, dict(self.payload))

    def equal(self, one: str, other: str) -> bool:
        """Whether two secrets are there and have the same value, for example a password and its repetition."""
        there = one in self.secrets and other in self.secrets
        return there and (one == other or self.same.get(one, one) == self.same.get(other, other))

    def not_taken(self) -> NotTaken:
        """Returns the error to raise for an event that the coordinator does not take."""
        return NotTaken(f"the event '{self.name}' is not taken")


@dataclass(frozen=True)
class Child:
    """A child of a coordinator: its object path, its flow and its input."""

    path: str
    flow: str
    input: Mapping[str, JSON]

    def runs(self, flow: type[Coordinator] | str) -> bool:
        """Whether the child is an instance of a flow."""
        return self.flow == flow_name(flow)


@dataclass(frozen=True)
class Outcome:
    """How a coordinator ended, and its result."""

    end: End
    result: Mapping[str, JSON]

    @property
    def finished(self) -> bool:
        """Whether the coordinator finished."""
        return self.end == "finished"

    def decoded(self, kind: type[T]) -> T:
        """Returns the result as a dataclass or a model of pydantic."""
        return codec.decode(kind, dict(self.result))


@dataclass(frozen=True)
class Work:
    """A piece of work: NAME of its `perform_NAME`, its ID and its arguments."""

    id: str
    name: str
    arguments: Sequence[JSON] = ()


class WorkFailed(Exception):
    """The error that a piece of work ended with: the name of its exception, and the message."""

    def __init__(self, type: str, message: str) -> None:
        super().__init__(message)
        self.type = type
        self.message = message


@dataclass(frozen=True)
class WorkResult:
    """What came of work: a value, or an error."""

    value: JSON = None
    error: WorkFailed | None = None

    @property
    def done(self) -> bool:
        """Whether the work ended without an error."""
        return self.error is None

    def get(self) -> JSON:
        """Returns the value, or raises the error."""
        if self.error is not None:
            raise self.error
        return self.value

    def decoded(self, kind: type[T]) -> T:
        """Returns the value as a dataclass, an enum or a model of pydantic."""
        return codec.decode(kind, self.get())


@dataclass
class NoState:
    """The state of a coordinator that declares none."""


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

    The methods down to `migrate` are for you to override. They have no effects, and depend on nothing but `self`: the
    daemon may ask twice, and may drop the answer. What changes the world is *work*: `start_work("join", name)` has
    `perform_join(name)` called after the transition has been stored.
    """

    flow: ClassVar[Flow]
    _state_type: ClassVar[type[Any] | None] = None

    def __init_subclass__(
        cls, *, flow: str | None = None, title: str | None = None, summary: str = "", version: int = 1,
        input: FormLike | None = None, result: FormLike | None = None, output: FormLike | None = None,
        rehearsable: bool = False, internal: bool = False, singleton: bool = False, router: Router | None = None,
        deadline: timedelta | None = None, users: Sequence[str] = (), **more: Any,
    ) -> None:  # fmt: skip
        """Describes the flow by the keywords of the class."""
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
            internal, singleton, router, deadline, tuple(users),
        )  # fmt: skip

    @classmethod
    def using(cls: type[C], **dependencies: Any) -> type[C]:
        """Returns the same flow with other dependencies, which are attributes of the class.

        ```python
        serve(JoinNetwork.using(radio=Radio()))
        ```
        """
        for name in dependencies:
            if not hasattr(cls, name) and name not in _annotations(cls):
                raise FlowError(f"{cls.__name__} has no attribute '{name}'")
        return cast(type[C], type(cls.__name__, (cls,), {"__module__": cls.__module__, **dependencies}))

    # What an author writes.

    def start(self) -> None:
        """Called when the coordinator starts. Your implementation should present the first screen."""
        raise NotImplementedError(f"{type(self).__name__} has no start()")

    def screen(self, key: str) -> Screen:
        """Called for each screen that is shown, after each event. Your implementation should return the screen."""
        raise NotImplementedError(f"{type(self).__name__} has no screen()")

    def receive(self, event: Event, key: str) -> None:
        """Called when the user has acted on the screen KEY. By default, the event goes to the parent."""
        raise event.not_taken()

    def receive_from_child(self, event: Event, child: Child) -> None:
        """Called with an event that a child has not taken. By default, it goes on to the parent."""
        raise event.not_taken()

    def receive_script(self, event: Event) -> None:
        """Called with an event that comes from no screen. By default, it is not taken."""
        raise event.not_taken()

    def went_back(self, key: str) -> None:
        """Called after the user has left the screen KEY by Back. Raise a `Refusal` to keep the screen."""

    def child_ended(self, child: Child, outcome: Outcome) -> None:
        """Called after a child has ended. The child has already been removed from `children`."""

    def child_emitted(self, child: Child, value: Mapping[str, JSON]) -> None:
        """Called with a value that a living child has emitted."""

    def parent_sent(self, message: Mapping[str, JSON]) -> None:
        """Called with a message that the parent has sent."""

    def work_ended(self, work: Work, result: WorkResult) -> None:
        """Called after work has ended."""

    def work_interrupted(self, work: Work) -> None:
        """Called if work has lost its secrets in a restart. By default, the coordinator fails."""
        raise Failed("interrupted", "the work was interrupted by a restart")

    def secrets_gone(self, names: frozenset[str]) -> None:
        """Called after a restart, with the names of the kept secrets that are gone."""

    def timer_fired(self, key: str) -> None:
        """Called at or after the time of a timer."""

    def looking_changed(self, looking: bool) -> None:
        """Called when somebody begins or ceases to look at the screens of this coordinator."""

    def language_changed(self, language: str) -> None:
        """Called when the language of the tree has changed. All screens are computed again in any case."""

    def migrate(self, from_version: int) -> None:
        """Called before `state` is read if an older version has stored it.

        Your implementation should change `self.stored`, the JSON of the state, to what this version reads.
        """
        raise FlowError(f"flow '{self.flow.name}' does not migrate from version {from_version}")

    @property
    def is_dismissable(self) -> bool:
        """Whether the user may end the coordinator now."""
        return True

    # What a coordinator knows.

    def __init__(self, arguments: DecideArguments) -> None:
        """Creates the coordinator of one event; `decide` does so."""
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
        self._held = frozenset(str(name) for name in self._event.get("secrets", []))
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
        # A subclass declares its own types: `state: VisitState`, `input: KanjiInput`.
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
        """The work that runs, including what this event has started."""
        return tuple(self._running)

    def is_running(self, name: str) -> bool:
        """Whether work with this name runs."""
        return any(work.name == name for work in self._running)

    @property
    def language(self) -> str:
        """The language of the tree's screens, a tag of BCP 47."""
        return str(self._context.get("language") or "en")

    @property
    def looking(self) -> bool:
        """Whether somebody looks at the screens of this coordinator."""
        return bool(self._context.get("looking", False))

    @property
    def caller(self) -> Mapping[str, JSON]:
        """The client whose call is handled: `user` and `kind`; empty if there is none."""
        return dict(self._context.get("caller", {}))

    @property
    def router(self) -> Router:
        """How the coordinator puts up its screens."""
        return cast(Router, self._context.get("router", "navigation"))

    @property
    def held_secrets(self) -> frozenset[str]:
        """The names of the secrets that are held for this coordinator, or were filled in with this event."""
        return self._held

    @property
    def now(self) -> datetime:
        """The time of the event."""
        # Without `now` in the context, two answers to one question may differ in what depends on it.
        stamp = self._context.get("now")
        return datetime.fromtimestamp(time.time() if stamp is None else stamp / 1_000_000, UTC)

    # What a coordinator does.

    def _do(self, op: str, **arguments: JSON) -> None:
        if self._ended:
            raise FlowError(f"'{op}' after the coordinator has ended")
        if len(self._operations) == MAX_OPERATIONS:
            raise FlowError(f"one event may lead to {MAX_OPERATIONS} operations")
        self._operations.append({"op": op, **{key: value for key, value in arguments.items() if value is not None}})

    def present(self, key: str, style: Style | None = None) -> None:
        """Presents a screen: pushes it, or opens a layer of its own for it (`style="modal"`)."""
        if key in self._shown:
            raise FlowError(f"the screen '{key}' is shown already: use dismiss_to('{key}') or another key")
        self._do("present", key=key, style=style)
        if self.router == "window" and style != "modal":
            self._shown.clear()
        self._shown.append(key)
        self._again.add(key)

    def replace(self, key: str, old: str | None = None) -> None:
        """Replaces the coordinator's topmost screen, or the screen OLD, by the screen KEY."""
        old = self._top(old)
        if key != old and key in self._shown:
            raise FlowError(f"the screen '{key}' is shown already")
        self._do("replace", key=old, **{"with": key})
        self._shown[self._shown.index(old) :] = [key]
        self._again.add(key)

    def dismiss(self, key: str | None = None) -> None:
        """Dismisses the coordinator's topmost screen, or the screen KEY, and everything above it."""
        key = self._top(key)
        self._do("dismiss", key=key)
        del self._shown[self._shown.index(key) :]

    def dismiss_to(self, key: str) -> None:
        """Dismisses the coordinator's screens above the screen KEY."""
        above = self._shown[self._shown.index(self._top(key)) + 1 :]
        if above:
            self.dismiss(above[0])

    def _top(self, key: str | None) -> str:
        if key is None:
            if not self._shown:
                raise FlowError("there is no screen")
            return self._shown[-1]
        if key not in self._shown:
            raise FlowError(f"the screen '{key}' is not shown; shown are {', '.join(self._shown) or 'none'}")
        return key

    def start_child(self, flow: type[Coordinator] | str, input: Any = None, router: Router | None = None) -> None:
        """Starts a child, after this event and in the same transition."""
        self._do(
            "start-child", flow=flow_name(flow), input=_object(input) if input is not None else None, router=router
        )

    def dismiss_child(self, child: Child) -> None:
        """Ends a child as cancelled."""
        self._do("dismiss-child", path=child.path)

    def start_work(self, name: str, *arguments: Any, secrets: Iterable[str] = ()) -> Work:
        """Has `perform_NAME(*arguments)` called after the transition has been stored.

        `secrets` are the names of those to pass as keywords. Work may run twice, so it must bear that; its `key`, see
        `current_work`, is the same in every attempt.
        """
        taken = sorted(set(secrets))
        encoded = [codec.encode(argument) for argument in arguments]
        check_perform(type(self), name, len(encoded), taken)
        if missing := [secret for secret in taken if secret not in self._held]:
            raise FlowError(f"the secret '{missing[0]}' is not held")
        self._envelope.count += 1
        work = Work(f"{name}-{self._envelope.count}", name, encoded)
        self._do("work", id=work.id, argument=codec.text(encoded), secrets=taken or None)
        self._running.append(work)
        self._envelope.work[work.id] = encoded
        self._held -= set(taken)
        return work

    def cancel_work(self, work: Work | str | None = None) -> None:
        """Cancels work: one piece, all with a name, or all."""
        for one in list(self._running):
            if work is None or one == work or one.name == work:
                self._do("cancel-work", id=one.id)
                self._running.remove(one)
                self._envelope.work.pop(one.id, None)

    def timer(self, key: str, at: datetime | int | None = None, *, after: timedelta | None = None) -> datetime:
        """Starts a durable timer, which replaces an earlier one with the same key; returns its time."""
        if (at is None) == (after is None):
            raise FlowError("a timer has either a time or a duration")
        due = microseconds(at if at is not None else self.now + cast(timedelta, after))
        self._do("timer", key=key, at=due)
        return datetime.fromtimestamp(due / 1_000_000, UTC)

    def cancel_timer(self, key: str) -> None:
        """Stops a timer."""
        self._do("cancel-timer", key=key)

    def emit(self, value: Any) -> None:
        """Sends a value to the parent; a root has none, and its values are dropped."""
        self._do("output", value=_object(value))

    def send(self, child: Child, message: Any) -> None:
        """Sends a message to a child."""
        self._do("send", child=child.path, message=_object(message))

    def attach(self, message: Message) -> None:
        """Attaches a message to the screen that the event came from, until the next event on it."""
        self._do("attach", message=message.to_json())

    def keep_secret(self, *names: str) -> None:
        """Keeps secrets that were filled in with this event, until work takes them or they are dropped."""
        if missing := [name for name in names if name not in self._held]:
            raise FlowError(f"the secret '{missing[0]}' was not filled in")
        self._do("keep-secret", names=list(names))

    def drop_secret(self, *names: str) -> None:
        """Drops secrets that are held."""
        self._do("drop-secret", names=list(names))
        self._held -= set(names)

    def finish(self, result: Any = None) -> None:
        """Ends the coordinator with a result: a dictionary, a dataclass or a model of pydantic."""
        self._do("finish", result=_object(result) if result is not None else None)
        self._ended = True

    def cancel(self) -> None:
        """Ends the coordinator as cancelled."""
        self._do("cancel")
        self._ended = True

    def end_as(self, child: Child) -> None:
        """Ends the coordinator as a child has ended: with its outcome and its result."""
        self._do("as-child", path=child.path)
        self._ended = True

    def fail(self, code: str, message: str = "") -> typing.NoReturn:
        """Ends the coordinator as failed; whatever else this event has changed is dropped."""
        raise Failed(code, message)

    # How an answer is made.

    def _handle(self) -> None:
        event, kind = self._event, str(self._event["kind"])
        key = str(event.get("key", ""))
        payload: Mapping[str, JSON] = dict(event.get("payload", {}))
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
                self.child_emitted(_child(event["child"]), payload)
            case "message":
                self.parent_sent(payload)
            case "work-ended":
                self.work_ended(self._ended_work(), _work_result(event))
            case "work-interrupted":
                self.work_interrupted(self._ended_work())
            case "secrets-gone":
                names, self._held = self._held, frozenset()
                self.secrets_gone(names)
            case "timer":
                self.timer_fired(str(event.get("timer", key)))
            case "looking":
                self.looking_changed(self.looking)
            case "language":
                self.language_changed(self.language)
            case "migrate":
                self.migrate(int(event.get("from", 1)))
                self._again.update(self._shown)
            case _:
                raise FlowError(f"this library does not know the event '{kind}'")

    def _received(self, payload: Mapping[str, JSON]) -> Event:
        same = {str(key): str(value) for key, value in self._event.get("same", {}).items()}
        return Event(str(self._event.get("name", "")), payload, self._held, same)

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
    """What `state s` says: the author's state, and what the library needs to go on."""

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
    """Returns what comes of an event: a function of its arguments, without effects.

    Raises a `Refusal`, `NotTaken` or `Failed` if the flow does; any other error is a fault of the flow's code.
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
    """Returns the type that a subclass declares for an attribute, or None."""
    for kind in cls.__mro__:
        if kind is Coordinator:
            return None
        if name in inspect.get_annotations(kind):
            return codec.hints(kind)[name]
    return None


def performer(flow: type[Coordinator], name: str) -> Callable[..., Any]:
    """Returns the function that performs work with this name.

    A method that takes `self` gets an instance that has the class's attributes, its dependencies, but no state.
    """
    attribute = f"perform_{name.replace('-', '_')}"
    found = inspect.getattr_static(flow, attribute, None)
    if found is None:
        raise FlowError(f"{flow.__name__} has no {attribute}()")
    owner: Any = flow if isinstance(found, staticmethod | classmethod) else _Effects.of(flow)
    return cast("Callable[..., Any]", getattr(owner, attribute))


def check_perform(flow: type[Coordinator], name: str, arguments: int, secrets: Sequence[str]) -> None:
    """Raises `FlowError` unless `perform_NAME` takes this many arguments and these secrets."""
    function = performer(flow, name)
    try:
        inspect.signature(function).bind(*([None] * arguments), **dict.fromkeys(secrets))
    except TypeError as error:
        raise FlowError(f"perform_{name.replace('-', '_')}: {error}") from None


class _Effects:
    """Makes the `self` of a `perform_NAME` that is written as a method."""

    @staticmethod
    def of(flow: type[Coordinator]) -> Coordinator:
        def missing(_self: Coordinator, name: str) -> Any:
            raise AttributeError(f"perform_… has no '{name}': pass what the work needs as its argument")

        return cast(Coordinator, object.__new__(type(flow.__name__, (flow,), {"__getattr__": missing})))


def run_work(
    flow: type[Coordinator], work: Work, argument: str, secrets: Mapping[str, str | bytes], context: WorkContext
) -> tuple[str, dict[str, JSON] | None]:
    """Performs work; returns its value as JSON text, or the type and the message of its error. Wipes the secrets."""
    lent = {name: Secret(value) for name, value in secrets.items()}
    try:
        with performing(context):
            value = performer(flow, work.name)(*json.loads(argument or "[]"), **lent)
            if inspect.iscoroutine(value):
                # Imported late: few need it, and a provider that is activated starts quickly.
                import asyncio

                value = asyncio.run(value)
        return codec.text(codec.encode(value)), None
    except (Exception, SystemExit) as error:
        return "", {"type": type(error).__name__, "message": str(error)}
    finally:
        for secret in lent.values():
            secret.wipe()
