"""The calls of a script: questions, steps, looks, children and values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NoReturn

from coordinator import codec, screens
from coordinator.codec import JSON
from coordinator.errors import FlowError
from coordinator.screens import Action, Choices
from coordinator.scripts import calls, questions
from coordinator.scripts.calls import All, Call, ChildOutcome, Ended, Work, caller
from coordinator.scripts.fields import Fields
from coordinator.scripts.questions import Extra, Items, Problem, answer, ask, check_name
from coordinator.work import current_work

if TYPE_CHECKING:
    from coordinator.scripts.run import Run

# What sends a form, as in `ask form`.
_SUBMIT = "submit"
_MOST_ATTEMPTS = 100


class UI(Fields):
    """The calls of a script. Questions, steps, looks, children and sleeps are awaited, all others are not.

    The code between two calls may run any number of times, and must do the same each time: code that changes the world
    belongs in a step, and code that reads it belongs in a look.
    """

    StepFailed = calls.StepFailed
    TimedOut = calls.TimedOut
    NoResult = calls.NoResult
    Unknown = calls.Unknown
    SecretSpent = calls.SecretSpent
    Cancelled = calls.Cancelled

    def __init__(self, run: Run) -> None:
        self._run = run
        self.flow = run.script.name
        self.input = run.input
        self.language = run.language

    # Questions.

    def menu(
        self, name: str, title: str, choices: Choices = (), /, *, body: str = "", error: Problem = None,
        timeout: float | None = None, default: Any = None, extra: Extra = (), **named: str,
    ) -> Call[Any]:  # fmt: skip
        """Asks for one of a few choices. Returns its ID, or the member of the enum that the choices are."""
        actions, meaning = questions.choice_of(choices, named)
        actions += questions.extra_actions(extra)
        if not actions:
            raise FlowError(f"the menu '{name}' has nothing to choose")
        screen = screens.menu(name, title, actions, body=body)
        given = None if default is None else answer(screens.id_text(default))
        return ask(screen, lambda got, _: meaning.get(got["event"], got["event"]), error, timeout, given)

    def confirm(
        self, name: str, title: str, /, *, body: str = "", yes: str = "Yes", no: str = "No", error: Problem = None,
        timeout: float | None = None, default: bool | None = None,
    ) -> Call[bool]:  # fmt: skip
        """Asks a question that is answered by yes or no."""
        screen = screens.menu(name, title, {"yes": yes, "no": no}, body=body)
        given = None if default is None else answer("yes" if default else "no")
        return ask(screen, lambda got, _: got["event"] == "yes", error, timeout, given)

    def list(
        self, name: str, title: str, items: Items, /, *, body: str = "", error: Problem = None,
        choosing: tuple[int, int] | None = None, timeout: float | None = None, default: Any = None, extra: Extra = (),
    ) -> Call[Any]:  # fmt: skip
        """Asks for an item. Returns its ID, or that of an extra action.

        `choosing` are the minimum and the maximum of a multiple choice, which returns a list of IDs.
        """
        rows = questions.items_of(items)
        meaning = {screens.id_text(item.id): item.id for item in rows}
        screen = screens.list_of(name, title, rows, body=body, actions=questions.extra_actions(extra))
        if choosing is not None:
            screen = screen.choosing(*choosing)
        if not rows and not extra and (choosing is None or choosing[0] > 0):
            screen = questions.without_rows(screen)
        given = None if default is None else questions.item_default(default, meaning, choosing is not None)

        def take(got: Mapping[str, JSON], _: int) -> Any:
            if got["event"] != "select":
                return got["event"]
            ids = got["payload"].get("ids", [got["payload"].get("id")])
            return [meaning[one] for one in ids] if choosing is not None else meaning[ids[0]]

        return ask(screen, take, error, timeout, given)

    def form(
        self, name: str, title: str, /, *fields: Any, body: str = "", values: Any = None, error: Problem = None,
        action: str | Action = "Continue", timeout: float | None = None, default: Any = None, extra: Extra = (),
    ) -> Call[Any]:  # fmt: skip
        """Asks for values. Returns them as attributes, or the ID of an extra action.

        The fields are fields (`ui.text`, `ui.secret` …), or one dataclass or pydantic model, of which an instance is
        returned. `action` is the title of the action that sends them, or the action itself: `primary("join", "Join")`.
        """
        form = questions.fields_of(fields)
        submit, actions = questions.going_on(_SUBMIT, action, extra)
        screen = screens.form(name, title, form, body=body, values=values, actions=actions)
        given = None if default is None else answer(submit, codec.encode(default))

        def take(got: Mapping[str, JSON], entry: int) -> Any:
            if got["event"] != submit:
                return got["event"]
            return questions.form_values(form, got["payload"], entry)

        return ask(screen, take, error, timeout, given)

    def message(
        self, name: str, title: str, body: str = "", /, *, action: str | Action = "Okay", accent: str = "",
        error: Problem = None, timeout: float | None = None, extra: Extra = (),
    ) -> Call[str]:  # fmt: skip
        """Shows a text until the user continues. Returns `okay`, the ID of `action`, or that of an extra action."""
        okay, actions = questions.going_on("okay", action, extra)
        screen = screens.message(name, title, body, actions=actions, accent=accent)
        given = None if timeout is None else answer(okay)
        return ask(screen, lambda got, _: str(got["event"]), error, timeout, given)

    # Work.

    def step(
        self, name: str, function: Callable[..., Any], /, *arguments: Any, busy: str = "", attempts: int | None = None,
        once: bool = False, undo: Callable[[Any], Any] | None = None, returns: Any = None, **keywords: Any,
    ) -> Call[Any]:  # fmt: skip
        """Performs a step, which changes the world. Returns what the function returns, which has to be JSON.

        `attempts` is the maximum number of attempts, after failures as well as crashes. If a crash interrupts the last
        one, the step raises `Unknown`, because its effect is unknown. Without `attempts`, the step is tried once, and
        repeated after a crash, unless `once` is true. `undo` makes Back possible: it is called with the result of the
        step. `returns` is the type of a result that is not plain JSON, such as a dataclass.
        """
        work = Work(function, arguments, keywords, undo, attempts)
        self._run.check(work.secrets)
        more: dict[str, JSON] = {"secrets": [secret.name for secret in work.secrets]} if work.secrets else {}
        more |= {"once": True} if once else {}
        more |= {"undo": True} if undo is not None else {}
        return _work("step", name, work, busy, returns, more)

    def look(
        self, name: str, function: Callable[..., Any], /, *arguments: Any, busy: str = "", attempts: int | None = None,
        returns: Any = None, **keywords: Any,
    ) -> Call[Any]:  # fmt: skip
        """Performs a look, which only reads the world. Returns what the function returns, which has to be JSON."""
        work = Work(function, arguments, keywords, None, attempts)
        if work.secrets:
            raise FlowError(f"the look '{name}' cannot use a secret: only a step can")
        return _work("look", name, work, busy, returns, {})

    def progress(self, fraction: float | None = None, text: str | None = None) -> None:
        """Reports the progress of the step or the look that calls this."""
        current_work().report(fraction, text)

    @property
    def key(self) -> str:
        """The key of the step that reads this: the same in each of its attempts."""
        return current_work().key

    # Others.

    def run(self, flow: Any, /, *, name: str = "", **input: Any) -> Call[ChildOutcome]:
        """Runs another flow, given by its name or as a script. Its outcome is true if it has finished."""
        target = flow if isinstance(flow, str) else flow.name
        message = {"child": check_name(name or target), "flow": target, "input": codec.encode(input), "at": caller()}

        def take(reply: Mapping[str, JSON], _: int) -> ChildOutcome:
            return ChildOutcome(reply["outcome"], reply.get("result") or reply.get("error") or {})

        return Call("child", name or target, message, take)

    def sleep(self, time: float | datetime, /, *, name: str = "sleep") -> Call[None]:
        """Waits for a number of seconds, or until a time with a time zone."""
        if isinstance(time, datetime):
            until: dict[str, JSON] = {"until": screens.microseconds(time) / 1_000_000}
        else:
            until = {"seconds": float(time)}
        message = {"timer": check_name(name), **until, "at": caller()}
        return Call("timer", name, message, lambda reply, _: None)

    def all(self, *calls: Call[Any]) -> All:
        """Performs several steps, looks, children and sleeps side by side. Returns their values when all have ended.

        Children are run one after the other, because only one question is open at a time. If one fails, the others
        continue to their ends before the exception is raised: the first one in the order of the call.
        """
        for call in calls:
            if not isinstance(call, Call) or call.kind == "ask":
                raise FlowError("ui.all takes steps, looks, children and sleeps: only one question is open at a time")
        return All(calls)

    def now(self) -> float:
        """Returns the time in seconds since 1970, the same in each replay."""
        return float(self._value("now"))

    def random(self) -> float:
        """Returns a number from 0 to 1, the same in each replay."""
        return float(self._value("random"))

    def uuid(self) -> str:
        """Returns a UUID, the same in each replay."""
        return str(self._value("uuid"))

    def _value(self, name: str) -> JSON:
        return self._run.now(Call("value", name, {"value": name, "at": caller(3)}, lambda reply, _: reply["result"]))

    def patched(self, name: str, /) -> bool:
        """Whether this run executes the code that was added with this mark: not in flows that are already past it."""
        message = {"patched": check_name(name), "at": caller()}
        return bool(self._run.now(Call("patch", name, message, lambda reply, _: reply["result"])))

    # Ends.

    def fail(self, code: str, message: str = "") -> NoReturn:
        """Ends the flow as failed."""
        raise Ended({"fail": {"code": code, "message": message or code}})

    def cancel(self) -> NoReturn:
        """Ends the flow as cancelled."""
        raise Ended({"cancel": True})

    def again(self, **input: Any) -> NoReturn:
        """Starts over with another input and an empty log. There is no way back from there."""
        raise Ended({"again": codec.encode(input)})


def _work(kind: str, name: str, work: Work, busy: str, returns: Any, more: Mapping[str, JSON]) -> Call[Any]:
    if not callable(work.function):
        raise FlowError(f"the {kind} '{name}' takes a function and its arguments, not the result of a call")
    if work.attempts is not None and not (isinstance(work.attempts, int) and 1 <= work.attempts <= _MOST_ATTEMPTS):
        raise FlowError(f"the attempts of '{name}' are a number from 1 to {_MOST_ATTEMPTS}, not {work.attempts!r}")
    tries = {} if work.attempts is None else {"attempts": work.attempts}
    message = {kind: check_name(name), **({"busy": busy} if busy else {}), **more, **tries, "at": caller(3)}

    def take(reply: Mapping[str, JSON], _: int) -> Any:
        if "error" in reply:
            calls.raise_error(name, reply["error"])
        return reply["result"] if returns is None else codec.decode(returns, reply["result"])

    return Call(kind, name, message, take, work)
