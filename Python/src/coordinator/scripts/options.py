"""The options of questions, with the names and the meanings that they have in `ask`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from os import PathLike
from typing import Any, TypeAlias, TypedDict

from coordinator.screens import ID, Action, Message

Texts: TypeAlias = str | Sequence[str]
"""A text, or several."""
Problem: TypeAlias = str | Message | Mapping[str, str] | None
"""A message, or messages about fields by name. An empty one is none."""
Actions: TypeAlias = Mapping[Any, str] | Iterable[Action | tuple[ID, str]] | Action
"""Actions: titles by ID, pairs of an ID and a title, or actions."""
Details: TypeAlias = Mapping[Any, str]
"""Texts by the ID of the action or of the row that they are about."""


class ScreenOptions(TypedDict, total=False):
    """What every question takes: what its screen shows besides the title, and how long it waits."""

    body: str
    paragraph: Texts
    bullet: Texts
    verbatim: Texts
    strong: Texts
    link: str | Mapping[str, str]
    markup: str
    error: Problem
    warning: Problem
    info: Problem
    accent: str
    step: int | tuple[int, int]
    qr: str
    picture: tuple[str | PathLike[str] | bytes, str]
    timeout: float | timedelta
    default: Any


class _ActionOptions(ScreenOptions, total=False):
    primary: Actions
    destructive: Actions
    cancel: bool | str | Actions
    extra: Actions
    summary: Details
    sure: Details
    disabled: Details


class MenuOptions(_ActionOptions, total=False):
    """The options of `ui.menu`: also further actions, and what explains them."""

    action: Actions


class ConfirmOptions(ScreenOptions, total=False):
    """The options of `ui.confirm`."""

    yes: str
    no: str
    destructive: bool


class ListOptions(MenuOptions, total=False):
    """The options of `ui.list`."""

    multiple: bool | int | tuple[int | None, int | None]
    choosing: tuple[int, int]
    initial: ID | Sequence[ID]
    subtitle: Details
    group: Details


class FormOptions(_ActionOptions, total=False):
    """The options of `ui.form`."""

    action: str | Actions
    submit: str | Actions
    values: Any


class MessageOptions(_ActionOptions, total=False):
    """The options of `ui.message`."""

    action: str | Actions


RESERVED = frozenset({*ListOptions.__annotations__, *FormOptions.__annotations__})
"""Names of options, which a choice that is a keyword argument of `ui.menu` cannot have."""
