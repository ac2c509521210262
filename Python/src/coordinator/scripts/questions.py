"""The questions of a script: their screens, and the values that their answers become."""

from __future__ import annotations

import dataclasses
import enum
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from coordinator import codec, screens
from coordinator.codec import JSON
from coordinator.errors import FlowError, InvalidPayload
from coordinator.forms import Form, FormError, checked_fields, form_of
from coordinator.screens import Action, Item, Screen
from coordinator.scripts import choices, looks
from coordinator.scripts.calls import Call, SecretHandle, TimedOut, caller
from coordinator.scripts.fits import digest, fits, unfit
from coordinator.scripts.misuse import notice

Items: TypeAlias = Mapping[Any, str] | Iterable[str | Item | tuple[str, str]]


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
    screen: Screen, take: Take, options: Mapping[str, Any], default: Mapping[str, JSON] | None, at: str = ""
) -> Call[Any]:
    """Returns the call of a question. `take` receives its answer, and the index of its entry."""
    at = at or caller()
    name = check_name(screen.name)
    what = f"the {screen.kind} '{name}'"
    if not isinstance(screen.title, str):
        raise FlowError(f"the title of {what} is a string, not {screen.title!r}")
    errors = looks.messages(what, "error", options.get("error"), screen)
    whole = looks.shown(what, screen, options)
    shown = (dataclasses.replace(whole, messages=[*errors, *whole.messages]) if errors else whole).to_json()
    del shown["back"]

    def answered(reply: Mapping[str, JSON], entry: int) -> Any:
        answer = reply["answer"]
        if answer.get("timeout") is True:
            raise TimedOut(name)
        return take(answer, entry)

    timeout = looks.seconds(what, options.get("timeout"))
    more: dict[str, JSON] = {} if timeout is None else {"timeout": timeout}
    # The cursor's first place is not part of the digest: with another default, it is still the same question.
    first: dict[str, JSON] = {}
    if default is not None:
        if not fits(shown, default):
            raise FlowError(
                f"the default {options.get('default')!r} of {what} is not accepted: {unfit(shown, default)}"
            )
        first = first_choice(shown, default)
        if timeout is not None:
            more["default"] = default
        elif not first:
            raise FlowError(
                f"the default {options.get('default')!r} of {what} needs a timeout:"
                f" {WITHOUT_TIMEOUT[shown['kind'] == 'form']}"
            )
    message = {"ask": name, "digest": digest(shown), "screen": {**shown, **first}, **more, "at": at}

    def correct(reasons: Mapping[str, str], payload: Mapping[str, JSON]) -> Call[Any]:
        values = {field: value for field, value in payload.items() if value != {"secret": True}}
        return ask(dataclasses.replace(screen, values=values), take, {**options, "error": reasons}, default, at)

    return Call("ask", name, message, answered, correct=correct)


# Why a default needs a timeout: of what is not a form, and of a form.
WITHOUT_TIMEOUT = (
    "Enter must not choose what is destructive, and rows that are chosen at first are 'initial'",
    "fields of a form begin with 'value'",
)


def first_choice(screen: Mapping[str, JSON], default: Mapping[str, JSON]) -> dict[str, JSON]:
    """Returns the key of a screen for the choice where the cursor begins.

    A form, several rows and what is destructive have none.
    """
    payload = default.get("payload") or {}
    roles = {action["id"]: action["role"] for action in screen["actions"]}
    choice = payload.get("id", default["event"])
    if screen["kind"] == "form" or "ids" in payload or ("id" not in payload and roles.get(choice) == "destructive"):
        return {}
    return {"default": choice}


def check_name(name: str) -> str:
    """Returns the name of an operation."""
    if not isinstance(name, str) or not name or "#" in name:
        raise FlowError(f"the name of a question or a step is a string without '#' that is not empty, not {name!r}")
    return name


def without_rows(screen: Screen) -> Screen:
    """Returns a list that can be cancelled. The script has found no rows, so the user could not answer it otherwise."""
    nothing = screens.warning("nothing", "There is nothing to choose.")
    cancelling = dataclasses.replace(screen, actions=(screens.cancel_action("cancel", "Cancel"),))
    return cancelling.saying(nothing)


def going_on(
    what: str, id: str, title: str, options: Mapping[str, Any], *, always: bool
) -> tuple[str | None, list[Action]]:
    """Returns the ID of the primary action of a form or a message, and all its actions.

    The option `action` is the title of the primary action, the action itself, or further actions as in `ask`. A form
    always has a primary action, a message (without `always`) only if the options declare no other action.
    """
    given = options.get("action")
    given = title if given is None or given == "" else given
    options = {
        name: value for name, value in options.items() if name != "action" or not isinstance(given, str | Action)
    }
    more = choices.actions_in(what, options)
    primary = [screens.id_text(one.id) for one in more if one.role == "primary"]
    if primary or (not always and any(options.get(name) for name in ("action", "destructive", "cancel"))):
        return next(iter(primary), None), more
    first = dataclasses.replace(given, role="primary") if isinstance(given, Action) else None
    first = first or screens.primary(id, given if isinstance(given, str) else title)
    return screens.id_text(first.id), [first, *more]


def answer(event: str, payload: Mapping[str, JSON] | None = None) -> dict[str, JSON]:
    """Returns an answer in the form of the log."""
    return {"event": event, "payload": dict(payload or {})}


def several_of(what: str, options: Mapping[str, Any], rows: int) -> tuple[int, int] | None:
    """Returns the minimum and the maximum of a multiple choice; None if one row is chosen."""
    given = options.get("multiple", options.get("choosing"))
    if given is None or given is False:
        return None
    if given is True:
        given = (0, None)
    elif isinstance(given, int):
        given = (given, given)
    good = isinstance(given, tuple) and len(given) == 2 and all(one is None or isinstance(one, int) for one in given)
    least, most = (given[0] or 0, given[1]) if good else (0, 0)
    if not good or least < 0 or (most is not None and (most < least or most == 0)):
        raise FlowError(f"the option 'multiple' of {what} is True or (minimum, maximum), such as (1, 3), not {given!r}")
    return least, max(least, rows) if most is None else min(most, max(least, rows))


def initial_of(what: str, options: Mapping[str, Any], meant: Mapping[str, Any]) -> list[str]:
    """Returns the rows that are chosen at first, without those that no longer exist."""
    given = options.get("initial", ())
    several = [given] if isinstance(given, str | enum.Enum) else given or ()
    return _existing(what, "initial", several, meant)


def _existing(what: str, option: str, ids: Iterable[Any], meant: Iterable[str]) -> list[str]:
    texts = [screens.id_text(one) for one in ids]
    for text in texts:
        if text not in meant:
            notice(f"the option '{option}' of {what}: {text!r} is not among the rows, and is left out")
    return [text for text in texts if text in meant]


def item_default(
    what: str, value: Any, meant: Mapping[str, Any], actions: Iterable[Action], several: bool
) -> dict[str, JSON] | None:
    """Returns the default of a list as an answer, without rows that no longer exist."""
    if value is None:
        return None
    ids = [screens.id_text(action.id) for action in actions]
    if isinstance(value, str | enum.Enum) and screens.id_text(value) in ids:
        return answer(screens.id_text(value))
    rows = _existing(what, "default", [value] if isinstance(value, str | enum.Enum) else value, meant)
    if not rows:
        return None
    return answer("select", {"ids": rows} if several else {"id": rows[0]})


@contextmanager
def named(what: str) -> Iterator[None]:
    """Makes errors about a form name the question and the field, in place of the JSON pointer."""
    try:
        yield
    except FormError as error:
        reason = str(error)
        if what in reason:
            raise
        if found := re.match(r"/properties/([^/: ]+)(?:/([^: ]+))?: ", reason):
            name, keyword = found.groups()
            option = "" if keyword is None else f", '{_OPTIONS.get(keyword, keyword)}'"
            reason = f"the field '{name}'{option}: {reason[found.end() :]}"
        raise FormError(f"{what}: {reason}") from None


# The options of fields that have other names than their keywords in the schema.
_OPTIONS = {"x-same-as": "same_as", "x-shown-if": "shown_if", "description": "help_text", "x-message": "message"}


def fields_of(what: str, fields: tuple[Any, ...]) -> Form:
    """Returns the form that the arguments of `ui.form` declare."""
    if len(fields) == 1 and isinstance(fields[0], type | Form):
        return form_of(fields[0])
    several = fields[0] if len(fields) == 1 and isinstance(fields[0], list | tuple) else fields
    return form_of(checked_fields(several, f"a field of {what}", "ui.text"))


def form_default(form: Form, submit: str | None, default: Any, values: Mapping[str, Any]) -> dict[str, JSON]:
    """Returns the default of a form as an answer: values, or the ID of an action."""
    if not isinstance(default, str | enum.Enum):
        return answer(str(submit), codec.encode(default))
    event = screens.id_text(default)
    return answer(event, form.shown_values(values) if event == submit else None)


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
