"""The questions of a script: their screens, and the values that their answers become."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from coordinator import codec, screens
from coordinator.codec import JSON
from coordinator.errors import FlowError, InvalidPayload
from coordinator.forms import Field, Form, FormLike, form_of
from coordinator.screens import Action, Choices, Item, Message, Screen, actions_of
from coordinator.scripts.calls import Call, SecretHandle, TimedOut, caller
from coordinator.scripts.fits import digest, fits

Problem: TypeAlias = str | Message | Mapping[str, str] | None
Items: TypeAlias = Mapping[str, str] | Iterable[str | Item]
Extra: TypeAlias = Mapping[str, str] | Iterable[Action]


class Answers(Mapping[str, Any]):
    """The values of a form, also as attributes. Secrets are handles for the next step. Fields left empty are None."""

    def __init__(self, values: Mapping[str, Any], names: Sequence[str]) -> None:
        self._values = dict(values)
        self._names = names

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._names:
            raise AttributeError(f"the form has no field '{name}': it has {', '.join(self._names)}")
        return self._values.get(name)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __bool__(self) -> bool:
        # Also if all fields were left empty.
        return True

    def __repr__(self) -> str:
        return f"Answers({self._values})"


Take: TypeAlias = Callable[[Mapping[str, JSON], int], Any]


def ask(
    screen: Screen,
    take: Take,
    error: Problem,
    timeout: float | None,
    default: Mapping[str, JSON] | None,
    at: str = "",
) -> Call[Any]:
    """Returns the call of a question. `take` receives its answer, and the index of its entry."""
    at = at or caller(3)
    shown = screen.saying(*_messages(error)).to_json()
    del shown["back"]
    name = check_name(screen.name)

    def answered(reply: Mapping[str, JSON], entry: int) -> Any:
        answer = reply["answer"]
        if answer.get("timeout") is True:
            raise TimedOut(name)
        return take(answer, entry)

    more: dict[str, JSON] = {} if timeout is None else {"timeout": float(timeout)}
    if default is not None:
        if timeout is None:
            raise FlowError(f"the question '{name}' has a default, but no timeout after which it would be used")
        if not fits(shown, default):
            raise FlowError(f"the question '{name}' does not accept its default")
        more["default"] = default
    message = {"ask": name, "digest": digest(shown), "screen": shown, **more, "at": at}

    def correct(reasons: Mapping[str, str], payload: Mapping[str, JSON]) -> Call[Any]:
        values = {field: value for field, value in payload.items() if value != {"secret": True}}
        return ask(dataclasses.replace(screen, values=values), take, reasons, timeout, default, at)

    return Call("ask", name, message, answered, correct=correct)


def check_name(name: str) -> str:
    """Returns the name of an operation."""
    if not isinstance(name, str) or not name or "#" in name:
        raise FlowError(f"the name of a question or a step is a string without '#' that is not empty, not {name!r}")
    return name


def _messages(problem: Problem) -> list[Message]:
    if not problem:
        return []
    if isinstance(problem, Message):
        return [problem]
    if isinstance(problem, str):
        return [screens.error("not-accepted", problem)]
    return [screens.error("not-accepted", text, field) for field, text in problem.items()]


def without_rows(screen: Screen) -> Screen:
    """Returns a list that can be cancelled. The script has found no rows, so the user could not answer it otherwise."""
    nothing = screens.warning("nothing", "There is nothing to choose.")
    cancelling = dataclasses.replace(screen, actions=(screens.cancel_action("cancel", "Cancel"),))
    return cancelling.saying(nothing)


def extra_actions(extra: Extra) -> list[Action]:
    """Returns further actions of a screen."""
    return [Action(id, title) for id, title in extra.items()] if isinstance(extra, Mapping) else list(extra)


def going_on(id: str, action: str | Action, extra: Extra) -> tuple[str, list[Action]]:
    """Returns the ID of the primary action, and all actions. A primary one among the extra ones replaces `action`."""
    more = extra_actions(extra)
    if given := [screens.id_text(one.id) for one in more if one.role == "primary"]:
        return given[0], more
    first = screens.primary(id, action) if isinstance(action, str) else dataclasses.replace(action, role="primary")
    return screens.id_text(first.id), [first, *more]


def answer(event: str, payload: Mapping[str, JSON] | None = None) -> dict[str, JSON]:
    """Returns an answer in the form of the log."""
    return {"event": event, "payload": dict(payload or {})}


def choice_of(choices: Choices, named: Mapping[str, str]) -> tuple[list[Action], dict[str, Any]]:
    """Returns the actions of a menu, and the values that they represent: members of an enum, or their IDs."""
    actions = [*actions_of(choices), *(Action(id, title) for id, title in named.items())]
    meaning = {screens.id_text(action.id): action.id for action in actions}
    return actions, meaning


def items_of(items: Items) -> list[Item]:
    """Returns the items of a list. A string is both the ID and the title."""
    if isinstance(items, Mapping):
        return [Item(id, title) for id, title in items.items()]
    return [item if isinstance(item, Item) else Item(item, item) for item in items]


def item_default(value: Any, meant: Mapping[str, Any], several: bool) -> dict[str, JSON]:
    """Returns the default of a list as an answer."""
    if several:
        return answer("select", {"ids": [screens.id_text(one) for one in value]})
    text = screens.id_text(value)
    return answer("select", {"id": text}) if text in meant else answer(text)


def fields_of(fields: tuple[Any, ...]) -> Form:
    """Returns the form that the arguments of `ui.form` declare."""
    kind: FormLike = fields[0] if len(fields) == 1 and not isinstance(fields[0], Field) else fields
    return form_of(kind)


def form_values(form: Form, payload: Mapping[str, JSON], entry: int) -> Any:
    """Returns the values of a form: an instance of the class that declares it, or `Answers`."""
    handles = {name: SecretHandle(name, entry) for name, value in payload.items() if value == {"secret": True}}
    plain = {name: value for name, value in payload.items() if name not in handles}
    if form.kind is None:
        return Answers({**plain, **handles}, form.names)
    try:
        value: Any = codec.decode(form.kind, plain)
    except ValueError as error:
        raise InvalidPayload(_reasons(error, form)) from error
    for name in form.secrets:
        # Past the checks of frozen classes and of models.
        object.__setattr__(value, name, handles.get(name))
    return value


def _reasons(error: ValueError, form: Form) -> dict[str, str]:
    """Returns why the values of a form are invalid: the messages of a pydantic model's validators, by field."""
    errors = error.errors() if hasattr(error, "errors") else [{"loc": (), "msg": str(error)}]
    found = {str(next(iter(one["loc"]), "")): str(one["msg"]) for one in errors}
    return {name if name in form.names else "": reason for name, reason in found.items()}
