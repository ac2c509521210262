"""The actions and the rows of a question."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterable, Mapping
from typing import Any

from coordinator import screens
from coordinator.errors import FlowError
from coordinator.screens import Action, Choices, Item, Role, actions_of
from coordinator.scripts.misuse import instead, nearest
from coordinator.scripts.options import RESERVED, MenuOptions

_ROLES: Mapping[str, Role] = {
    "action": "normal", "primary": "primary", "submit": "primary", "destructive": "destructive", "cancel": "cancel",
}  # fmt: skip
_DETAILS = ("summary", "sure", "disabled", "subtitle", "group")
_TITLES = '{"ID": "Title"}'


def menu_choices(what: str, choices: Any, named: Mapping[str, Any]) -> list[Action]:
    """Returns the actions of a menu. Refuses keyword arguments that were meant as options."""
    for name, title in named.items():
        near = nearest(name, RESERVED, 0.8)
        if near or not isinstance(title, str):
            hint = instead(name, MenuOptions.__annotations__)
            raise FlowError(
                f"{what} has no option '{name}': {hint if hint.endswith('?') else f'{hint}.'}"
                f' A choice with this name belongs in a dictionary of choices: {{"{name}": "Title"}}'
            )
    return [*_choices(what, choices), *(Action(id, title) for id, title in named.items())]


def _choices(what: str, choices: Choices) -> list[Action]:
    if isinstance(choices, type) and issubclass(choices, enum.Enum):
        return actions_of(choices)
    return _titled(what, "the choices", choices, "normal")


def actions_in(what: str, options: Mapping[str, Any]) -> list[Action]:
    """Returns the actions that the options declare, in their order; those of `extra` are the last ones."""
    found: list[Action] = []
    for option, role in ((name, _ROLES[name]) for name in options if name in _ROLES):
        value = options[option]
        if option == "cancel" and (isinstance(value, bool) or value is None):
            value = {"cancel": "Cancel"} if value else {}
        elif option in ("cancel", "submit") and isinstance(value, str):
            value = {option: value} if value else {}
        found += _titled(what, f"the option '{option}'", value, role)
    first = [action.id for action in found if action.role == "primary"]
    if len(first) > 1:
        raise FlowError(
            f"{what} has the primary actions {first[0]!r} and {first[1]!r}: only one is, the others are 'action'"
        )
    return [*found, *_titled(what, "the option 'extra'", options.get("extra", ()), "normal")]


def _titled(what: str, which: str, value: Any, role: Role) -> list[Action]:
    """Returns actions, given as titles by ID, as pairs, or as actions."""
    if value is None:
        return []
    if isinstance(value, Action):
        value = [value]
    pairs = value.items() if isinstance(value, Mapping) else value
    if isinstance(value, str) or not isinstance(pairs, Iterable):
        raise FlowError(f"{which} of {what}: write {_TITLES}, not {value!r}")
    return [_action(what, which, pair, role) for pair in pairs]


def _action(what: str, which: str, pair: Any, role: Role) -> Action:
    if isinstance(pair, Action):
        return pair if role == "normal" else dataclasses.replace(pair, role=role)
    if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[1], str)):
        raise FlowError(f"{which} of {what}: write {_TITLES}, or pairs of an ID and a title, not {pair!r}")
    return Action(pair[0], pair[1], role)


def rows_of(what: str, items: Any) -> list[Item]:
    """Returns the rows of a list: titles by ID, pairs, items, or strings, which are both the ID and the title."""
    pairs = items.items() if isinstance(items, Mapping) else items
    if isinstance(items, str) or not isinstance(pairs, Iterable):
        raise FlowError(f"the items of {what} are {_TITLES} or a list, not {items!r}")
    return [_row(what, pair) for pair in pairs]


def _row(what: str, pair: Any) -> Item:
    if isinstance(pair, Item):
        return pair
    if isinstance(pair, str):
        return Item(pair, pair)
    if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[1], str)):
        raise FlowError(f"an item of {what} is an ID, or a pair of an ID and a title, not {pair!r}")
    return Item(pair[0], pair[1])


def explained(
    what: str, options: Mapping[str, Any], actions: list[Action], rows: list[Item]
) -> tuple[list[Action], list[Item]]:
    """Returns the actions and the rows with what the options `summary`, `sure`, `disabled` … say about them."""
    given = [option for option in _DETAILS if options.get(option)]
    if not given:
        return actions, rows
    changed_actions = {screens.id_text(action.id): action for action in actions}
    changed_rows = {screens.id_text(row.id): row for row in rows}
    for option in given:
        texts = options[option]
        if not isinstance(texts, Mapping):
            raise FlowError(f'the option \'{option}\' of {what} is {{"ID": "Text"}}, not {texts!r}')
        for about, text in texts.items():
            id = screens.id_text(about)
            if not isinstance(text, str):
                raise FlowError(f"the option '{option}' of {what} has the text of '{id}', not {text!r}")
            if id in changed_rows and option != "sure":
                part = "subtitle" if option == "summary" else option
                changed_rows[id] = dataclasses.replace(changed_rows[id], **{part: text})
            elif id in changed_actions and option not in ("subtitle", "group"):
                change: dict[str, Any] = {"confirm" if option == "sure" else option: text}
                changed_actions[id] = dataclasses.replace(changed_actions[id], **change)
            else:
                known = changed_rows if option in ("subtitle", "group") else {**changed_rows, **changed_actions}
                near = nearest(id, known)
                hint = f"did you mean '{near}'?" if near else f"there are {', '.join(known) or 'none'}"
                raise FlowError(f"the option '{option}' of {what} names no choice '{id}': {hint}")
    if len(changed_actions) < len(actions) or len(changed_rows) < len(rows):
        # The screen refuses an ID that occurs twice, and names it.
        return actions, rows
    return list(changed_actions.values()), list(changed_rows.values())


def distinct(rows: list[Item], actions: list[Action]) -> list[Item]:
    """Returns the rows. Those with the ID of an action are disabled: the script could not tell them apart."""
    ids = {screens.id_text(action.id) for action in actions}
    reason = "This name has another meaning here."
    return [dataclasses.replace(row, disabled=reason) if screens.id_text(row.id) in ids else row for row in rows]
