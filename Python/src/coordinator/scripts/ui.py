"""The calls of a script: questions, steps, looks, children and values."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NoReturn, Unpack, cast, overload

from coordinator import codec, screens
from coordinator.codec import JSON
from coordinator.errors import FlowError
from coordinator.forms import Field
from coordinator.screens import ID, Action, Choices
from coordinator.scripts import calls, ends, languages, operations, questions
from coordinator.scripts.calls import All, Call, ChildOutcome, Ended, caller
from coordinator.scripts.choices import actions_in, distinct, explained, menu_choices, rows_of
from coordinator.scripts.fields import Fields, TextOptions, text_field
from coordinator.scripts.misuse import checked
from coordinator.scripts.options import ConfirmOptions, FormOptions, ListOptions, MenuOptions, MessageOptions, Problem
from coordinator.scripts.questions import Items, answer, ask, check_name
from coordinator.scripts.tags import tag_of
from coordinator.work import current_work

if TYPE_CHECKING:
    from coordinator.scripts.run import Run

# What sends a form, as in `ask form`.
_SUBMIT = "submit"


class UI(Fields):
    """The calls of a script. Questions, steps, looks, children and sleeps are awaited, all others are not.

    The code between two calls may run any number of times, and must do the same each time: code that changes the world
    belongs in a step, and code that reads it belongs in a look.
    """

    StepFailed = calls.StepFailed
    Stopped = calls.Stopped
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

    @overload
    def menu(
        self, name: str, title: str, choices: Choices | Iterable[tuple[ID, str]], /, **options: Unpack[MenuOptions]
    ) -> Call[Any]: ...

    @overload
    def menu(
        self, name: str, title: str, /, *, body: str = "", error: Problem = None, timeout: float | None = None,
        default: Any = None, **choices: str,
    ) -> Call[Any]: ...  # fmt: skip

    @checked()
    def menu(self, name: str, title: str, choices: Any = (), /, **options: Any) -> Call[Any]:
        """Asks for one of a few choices. Returns its ID, or the member of the enum that the choices are.

        The choices are titles by ID, pairs, actions or an enum. A choice may also be a keyword argument, unless it is
        called like an option.
        """
        what = f"the menu '{name}'"
        named = {key: title for key, title in options.items() if key not in MenuOptions.__annotations__}
        options = {key: value for key, value in options.items() if key not in named}
        actions = [*menu_choices(what, choices, named), *actions_in(what, options)]
        actions, _ = explained(what, options, actions, [])
        if not actions:
            raise FlowError(f'{what} has nothing to choose: give it choices, such as {{"small": "Small"}}')
        meaning = {screens.id_text(action.id): action.id for action in actions}
        default = options.get("default")
        given = None if default is None else answer(screens.id_text(default))
        screen = screens.menu(name, title, actions)
        return ask(screen, lambda got, _: meaning.get(got["event"], got["event"]), options, given)

    @checked(ConfirmOptions)
    def confirm(self, name: str, title: str, /, **options: Unpack[ConfirmOptions]) -> Call[bool]:
        """Asks a question that is answered by yes or no. With `destructive=True`, yes destroys something."""
        default, is_destructive = options.get("default"), options.get("destructive", False)
        for option, value in (("default", default), ("destructive", is_destructive)):
            if not isinstance(value, bool | None):
                raise FlowError(f"the option '{option}' of the confirm '{name}' is True or False, not {value!r}")
        yes = Action("yes", options.get("yes", "Yes"), "destructive" if is_destructive else "normal")
        screen = screens.menu(name, title, [yes, Action("no", options.get("no", "No"))])
        given = None if default is None else answer("yes" if default else "no")
        shown = {key: value for key, value in options.items() if key != "destructive"}
        return ask(screen, lambda got, _: got["event"] == "yes", shown, given)

    @checked(ListOptions)
    def list(self, name: str, title: str, items: Items, /, **options: Unpack[ListOptions]) -> Call[Any]:
        """Asks for a row. Returns its ID, or that of an action.

        The rows are titles by ID, pairs, items, or strings. With `multiple=True`, or the minimum and the maximum as in
        `multiple=(1, 3)`, several are chosen, and a list of IDs is returned.
        """
        what = f"the list '{name}'"
        actions, rows = explained(what, options, actions_in(what, options), rows_of(what, items))
        rows = distinct(rows, actions)
        meaning = {screens.id_text(row.id): row.id for row in rows}
        limits = questions.several_of(what, options, len(rows))
        screen = screens.list_of(name, title, rows, actions=actions)
        initial = questions.initial_of(what, options, meaning)
        if limits is not None or initial:
            least, most = limits or (0, None)
            screen = screen.choosing(least, most, initial)
        if not rows and not actions and (limits is None or limits[0] > 0):
            screen = questions.without_rows(screen)
        given = questions.item_default(what, options.get("default"), meaning, actions, limits is not None)

        def take(got: Mapping[str, JSON], _: int) -> Any:
            if got["event"] != "select":
                return got["event"]
            ids = got["payload"].get("ids", [got["payload"].get("id")])
            return [meaning[one] for one in ids] if limits is not None else meaning[ids[0]]

        return ask(screen, take, options, given)

    @checked(FormOptions)
    def form(self, name: str, title: str, /, *fields: Any, **options: Unpack[FormOptions]) -> Call[Any]:
        """Asks for values. Returns them as attributes, or the ID of another action.

        The fields are fields (`ui.text`, `ui.secret` …), or one dataclass or pydantic model, of which an instance is
        returned. `action` is the title of the action that sends them, or the action itself: `primary("join", "Join")`.
        """
        what = f"the form '{name}'"
        with questions.named(what):
            form = questions.fields_of(what, fields)
            submit, actions = questions.going_on(what, _SUBMIT, "Continue", options, always=True)
            actions, _ = explained(what, options, actions, [])
            screen = screens.form(name, title, form, values=options.get("values"), actions=actions)
            default = options.get("default")
            given = None if default is None else questions.form_default(form, submit, default, screen.values)

            def take(got: Mapping[str, JSON], entry: int) -> Any:
                if got["event"] != submit:
                    return got["event"]
                return questions.form_values(form, got["payload"], entry)

            return ask(screen, take, options, given)

    @checked(MessageOptions)
    def message(self, name: str, title: str, body: str = "", /, **options: Unpack[MessageOptions]) -> Call[str]:
        """Shows a text until the user continues. Returns `okay`, or the ID of the action that the user has chosen."""
        return self._message(f"the message '{name}'", name, title, body, "okay", "Okay", options)

    @checked(MessageOptions)
    def review(self, name: str, title: str, body: str = "", /, **options: Unpack[MessageOptions]) -> Call[str]:
        """Shows the answers since the last step, each of which the user can change, until the user continues.

        Returns `continue`, or the ID of the action that the user has chosen. A change leads back to the question.
        """
        call = self._message(f"the review '{name}'", name, title, body, "continue", "Continue", options)
        return dataclasses.replace(call, message={**call.message, "review": True})

    def _message(
        self, what: str, name: str, title: str, body: str, okay: str, going_on: str, options: MessageOptions
    ) -> Call[str]:
        if body and options.get("body"):
            raise FlowError(f"{what} has two bodies: the third argument, and the option 'body'")
        primary, actions = questions.going_on(what, okay, going_on, options, always=False)
        actions, _ = explained(what, options, actions, [])
        default = options.get("default", None if options.get("timeout") is None else primary)
        given = None if default is None else answer(screens.id_text(default))
        screen = screens.message(name, title, body, actions=actions)
        return ask(screen, lambda got, _: str(got["event"]), options, given)

    # Work.

    @checked()
    def step(
        self, name: str, function: Callable[..., Any], /, *arguments: Any, busy: str = "", attempts: int | None = None,
        once: bool = False, undo: Callable[[Any], Any] | None = None, stoppable: bool = False,
        secret_result: bool = False, returns: Any = None, **keywords: Any,
    ) -> Call[Any]:  # fmt: skip
        """Performs a step, which changes the world. Returns what the function returns, which has to be JSON.

        `attempts` is the maximum number of attempts, after failures as well as crashes. If a crash interrupts the last
        one, the step raises `Unknown`, because its effect is unknown. Without `attempts`, the step is tried once, and
        repeated after a crash, unless `once` is true. `undo` makes Back possible: it is called with the result of the
        step. `returns` is the type of a result that is not plain JSON, such as a dataclass.

        If the step is `stoppable`, the user can stop it. Its coroutine function is cancelled then, and in another
        function `ui.progress` raises. Unless the function returns in spite of that, the step raises `Stopped`.

        With `secret_result`, the function returns a string that is not recorded. The result of the step is then a
        secret, like one from a form, which the next step can take. The engine keeps it in memory: if it is lost, that
        step raises `SecretSpent`.
        """
        if once and attempts is not None and attempts > 1:
            raise FlowError(f"the step '{name}' has either 'once' or 'attempts'")
        if undo is not None and not callable(undo):
            raise FlowError(f"the option 'undo' of the step '{name}' is a function, not {undo!r}")
        work = operations.work_of("step", name, function, arguments, keywords, undo, attempts)
        self._run.check(work.secrets)
        more: dict[str, JSON] = {"secrets": [secret.name for secret in work.secrets]} if work.secrets else {}
        more |= {"once": True} if once else {}
        more |= {"undo": True} if undo is not None else {}
        return operations.perform("step", name, work, busy, stoppable, secret_result, returns, more)

    @checked()
    def look(
        self, name: str, function: Callable[..., Any], /, *arguments: Any, busy: str = "", attempts: int | None = None,
        stoppable: bool = False, secret_result: bool = False, returns: Any = None, **keywords: Any,
    ) -> Call[Any]:  # fmt: skip
        """Performs a look, which only reads the world. Returns what the function returns, which has to be JSON."""
        work = operations.work_of("look", name, function, arguments, keywords, None, attempts)
        if work.secrets:
            raise FlowError(f"the look '{name}' cannot use a secret: only a step can")
        return operations.perform("look", name, work, busy, stoppable, secret_result, returns, {})

    @checked()
    def progress(self, fraction: float | None = None, text: str | None = None) -> None:
        """Reports the progress of the step or the look that calls this: a fraction from 0 to 1, and a text.

        Raises `coordinator.work.Cancelled` if the user has stopped it.
        """
        operations.check_progress(fraction, text)
        work = current_work()
        if work.stopped:
            work.check_cancelled()
        work.report(fraction, text)

    @property
    def key(self) -> str:
        """The key of the step that reads this: the same in each of its attempts."""
        return current_work().key

    # Others.

    @checked()
    def run(
        self, flow: Any, given: Mapping[str, Any] | None = None, /, *, name: str = "", **input: Any
    ) -> Call[ChildOutcome]:
        """Runs another flow, given by its name or as a script. Its outcome is true if it has finished.

        The input are the other keyword arguments, and a dictionary for keys that are no such names, as `name`.
        """
        target = operations.flow_name(flow)
        whole = {**(given or {}), **input}
        if form := getattr(flow, "input", None):
            operations.check_input(f"the input of '{target}'", whole, form)
        message = {"child": check_name(name or target), "flow": target, "input": codec.encode(whole), "at": caller()}

        def take(reply: Mapping[str, JSON], _: int) -> ChildOutcome:
            return ChildOutcome(reply["outcome"], reply.get("result") or reply.get("error") or {})

        return Call("child", name or target, message, take)

    @checked()
    def sleep(self, time: float | datetime, /, *, name: str = "sleep") -> Call[None]:
        """Waits for a number of seconds, or until a time with a time zone."""
        message = {"timer": check_name(name), **operations.until(name, time), "at": caller()}
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

    @overload
    def uuid(self, /) -> str: ...

    @overload
    def uuid(self, name: str, title: str = "", /, **options: Unpack[TextOptions]) -> Field: ...

    @checked(TextOptions)
    def uuid(self, name: str = "", title: str = "", /, **options: Any) -> str | Field:
        """Returns a UUID, the same in each replay; with a name, a field for a UUID."""
        if name:
            return text_field(name, title, "uuid", cast(TextOptions, options))
        return str(self._value("uuid"))

    def _value(self, name: str) -> JSON:
        return self._run.now(Call("value", name, {"value": name, "at": caller()}, lambda reply, _: reply["result"]))

    @checked()
    def set_language(self, language: str) -> None:
        """Shows the whole flow in a language from here on: a BCP 47 tag, such as `de` or `pt-BR`.

        Unless the flow is shown in it, the run is stopped here, and another one begins whose `ui.language` it is.
        """
        name = f"language-{tag_of(language)}"
        self._run.now(Call("value", name, {"value": name, "at": caller()}, lambda reply, _: reply["result"]))

    @checked(languages.LanguageOptions)
    async def choose_language(self, among: Iterable[str] = (), /, **options: Unpack[languages.LanguageOptions]) -> str:
        """Asks for the language, and shows the whole flow in it from here on. Returns its BCP 47 tag.

        The rows are the languages `among` which to choose; without these, those of the catalogs of gettext's `domain`
        in `directory`; without a domain, those of coordinatord. Each has its own name, and the user's comes first. The
        title is `Language` in the user's language, unless there is a `title`.
        """
        chosen = await languages.question(among, options)
        self.set_language(chosen)
        return chosen

    def patched(self, name: str, /) -> bool:
        """Whether this run executes the code that was added with this mark: not in flows that are already past it."""
        message = {"patched": check_name(name), "at": caller()}
        return bool(self._run.now(Call("patch", name, message, lambda reply, _: reply["result"])))

    # Ends.

    @checked()
    def finish(self, /, **result: Any) -> NoReturn:
        """Ends the flow as finished, as `return` with a dictionary does, also from a function that the script calls."""
        raise Ended({"finish": ends.result_of(self._run.script, result)})

    @checked()
    def fail(self, code: str, message: str = "") -> NoReturn:
        """Ends the flow as failed."""
        if not isinstance(code, str) or not code or not isinstance(message, str):
            raise FlowError(f'ui.fail takes a code and a message, such as ui.fail("no-disk", "…"), not {code!r}')
        raise Ended({"fail": {"code": code, "message": message or code}})

    @checked()
    def cancel(self) -> NoReturn:
        """Ends the flow as cancelled."""
        raise Ended({"cancel": True})

    def again(self, /, **input: Any) -> NoReturn:
        """Starts over with another input and an empty log. There is no way back from there."""
        if form := self._run.script.input:
            operations.check_input(f"the input of '{self.flow}'", input, form)
        raise Ended({"again": codec.encode(input)})
