"""Screens: pure data that renderers show.

Functions named after the kinds create screens: `menu`, `list_of`, `form`, `message`, `progress`. Methods of `Screen`
return a modified copy: `form(…).busy("Joining")`.
"""

from __future__ import annotations

import base64
import dataclasses
import enum
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias

from coordinator import codec
from coordinator.codec import JSON
from coordinator.errors import FlowError
from coordinator.forms import Form, FormLike, form_of

Kind: TypeAlias = Literal["menu", "form", "list", "message", "progress"]
Role: TypeAlias = Literal["primary", "normal", "cancel", "destructive"]
Level: TypeAlias = Literal["error", "warning", "info"]
ID: TypeAlias = str | enum.Enum

_PICTURE_BYTES = 256 * 1024


def id_text(value: ID) -> str:
    """Returns an ID, given as a string or an enum member, as a string."""
    text = value.value if isinstance(value, enum.Enum) else value
    if not isinstance(text, str) or not text:
        raise FlowError(f"an id is a string that is not empty, not {text!r}")
    return text


@dataclass(frozen=True)
class Action:
    """An action that the user can choose. Its ID is the event that the coordinator receives."""

    id: ID
    title: str
    role: Role = "normal"
    summary: str = ""
    confirm: str = ""
    disabled: str = ""

    def confirming(self, question: str) -> Action:
        """Returns the action with a question that renderers ask before they send it."""
        return dataclasses.replace(self, confirm=question)

    def disabled_because(self, reason: str) -> Action:
        """Returns the action, disabled for a reason. An empty reason enables it."""
        return dataclasses.replace(self, disabled=reason)

    def to_json(self) -> dict[str, JSON]:
        """Returns the action in the form of the contract."""
        more = _present(summary=self.summary, confirm=self.confirm, disabled=self.disabled)
        return {"id": id_text(self.id), "title": self.title, "role": self.role, **more}


def primary(id: ID, title: str, summary: str = "") -> Action:
    """Returns the primary action of a screen. On a form, it sends the fields."""
    return Action(id, title, "primary", summary)


def cancel_action(id: ID, title: str, summary: str = "") -> Action:
    """Returns an action that cancels."""
    return Action(id, title, "cancel", summary)


def destructive(id: ID, title: str, confirm: str = "") -> Action:
    """Returns an action that destroys something."""
    return Action(id, title, "destructive", confirm=confirm)


@dataclass(frozen=True)
class Item:
    """An item of a list."""

    id: ID
    title: str
    subtitle: str = ""
    group: str = ""
    disabled: str = ""

    def to_json(self) -> dict[str, JSON]:
        """Returns the item in the form of the contract."""
        more = _present(subtitle=self.subtitle, group=self.group, disabled=self.disabled)
        return {"id": id_text(self.id), "title": self.title, **more}


@dataclass(frozen=True)
class Message:
    """A message on a screen, optionally about a field."""

    level: Level
    code: str
    text: str
    field: str = ""

    def to_json(self) -> dict[str, JSON]:
        """Returns the message in the form of the contract."""
        return {"level": self.level, "code": self.code, "text": self.text, **_present(field=self.field)}


def error(code: str, text: str, field: str = "") -> Message:
    """Returns an error message."""
    return Message("error", code, text, field)


def warning(code: str, text: str, field: str = "") -> Message:
    """Returns a warning message."""
    return Message("warning", code, text, field)


def info(code: str, text: str, field: str = "") -> Message:
    """Returns an informational message."""
    return Message("info", code, text, field)


@dataclass(frozen=True)
class ReviewRow:
    """A row of a review. `key` names the screen of this coordinator on which the user can change the answer."""

    title: str
    value: str
    key: str = ""

    def to_json(self) -> dict[str, JSON]:
        """Returns the row. The daemon replaces the key with the ID of the screen."""
        return {"title": self.title, "value": self.value, **_present(key=self.key)}


@dataclass(frozen=True)
class Screen:
    """A screen: pure data that renderers show.

    `name` is stable and identifies the screen in answers files. `back` is whether Back can leave the screen.
    """

    name: str
    kind: Kind
    title: str
    body: str = ""
    actions: Sequence[Action] = ()
    items: Sequence[Item] | None = None
    form: Form | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    messages: Sequence[Message] = ()
    accent: str = ""
    back: bool = True
    extras: Mapping[str, JSON] = field(default_factory=dict)

    def _with(self, **extras: JSON) -> Screen:
        return dataclasses.replace(self, extras={**self.extras, **extras})

    def without_back(self, unless: bool = False) -> Screen:
        """Returns the screen without Back; if `unless` is true, with Back."""
        return dataclasses.replace(self, back=unless)

    def saying(self, *messages: Message | None) -> Screen:
        """Returns the screen with additional messages. Ignores None."""
        more = [message for message in messages if message is not None]
        return dataclasses.replace(self, messages=[*self.messages, *more])

    def busy(self, text: str = "") -> Screen:
        """Returns the screen, marked as busy: the daemon hides its primary action."""
        return self._with(busy=text)

    def step(self, number: int, of: int | None = None) -> Screen:
        """Returns the screen with its place in a sequence."""
        if number < 1 or (of is not None and number > of):
            raise FlowError(f"the screen '{self.name}' is step {number} of {of}, but the number is from 1 to the count")
        return self._with(step={"number": number, **({} if of is None else {"count": of})})

    def choosing(self, minimum: int = 0, maximum: int | None = None, initial: Iterable[ID] = ()) -> Screen:
        """Returns the list with limits for a multiple selection, and initially selected items."""
        limits = {} if maximum is None else {"min": minimum, "max": maximum}
        chosen = [id_text(item) for item in initial]
        return self._with(choosing={**limits, **({"initial": chosen} if chosen else {})})

    def suggesting(self, *ids: ID | None) -> Screen:
        """Returns the screen with suggestions: the user's likely choices, such as earlier ones. Ignores None.

        The IDs are of an action or, on a list, of items. Renderers preselect them; the user still makes the choice.
        """
        suggested = [id_text(one) for one in ids if one is not None]
        return self._with(suggested=suggested) if suggested else self

    def defaulting(self, to: ID) -> Screen:
        """Returns the screen with a default: the action or row at which the cursor begins, and which Enter chooses.

        A suggestion takes precedence. The daemon refuses a destructive action.
        """
        return self._with(default=id_text(to))

    def reviewing(self, *rows: ReviewRow) -> Screen:
        """Returns the screen with a review of answers."""
        return self._with(review=[row.to_json() for row in rows])

    def marked_up(self, text: str) -> Screen:
        """Returns the screen with a structured body. See `markup`."""
        blocks = markup(text)
        plain = "\n\n".join("".join(span["text"] for span in block["spans"]) for block in blocks)
        return dataclasses.replace(self, body=self.body or plain)._with(blocks=blocks)

    def code(self, text: str) -> Screen:
        """Returns the screen with a QR code of a text."""
        return self._with(picture={"code": text})

    def image(self, data: bytes, description: str) -> Screen:
        """Returns the screen with a PNG or JPEG image."""
        types = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
        kind = next((kind for start, kind in types.items() if data.startswith(start)), None)
        encoded = base64.b64encode(data).decode()
        if kind is None:
            raise FlowError(f"an image is a PNG or a JPEG, which does not begin with {data[:8]!r}")
        if len(encoded) > _PICTURE_BYTES:
            raise FlowError(
                f"an image may take up {_PICTURE_BYTES} bytes in base64, not {len(encoded)}: reduce its size"
            )
        return self._with(picture={"type": kind, "base64": encoded, "description": description})

    def counting_down(self, until: datetime | int | None) -> Screen:
        """Returns the screen with a countdown to a time. A number is in microseconds since 1970."""
        return self if until is None else self._with(until=microseconds(until))

    def to_json(self) -> dict[str, JSON]:
        """Returns the screen in the form that Decide returns: the contract's keys, `back` and `busy`."""
        result: dict[str, JSON] = {
            "name": self.name, "kind": self.kind, "title": self.title, "body": self.body,
            "actions": [action.to_json() for action in self.actions], "back": self.back,
        }  # fmt: skip
        if self.items is not None:
            result["items"] = [item.to_json() for item in self.items]
        if self.form is not None:
            result["schema"] = self.form.to_json()
            result["fields"] = self.form.names
            result["values"] = self.form.shown_values(self.values)
        if self.messages:
            result["messages"] = [message.to_json() for message in self.messages]
        if self.accent:
            result["accent"] = self.accent
        result.update(self.extras)
        _check(result)
        return result


def _present(**values: str) -> dict[str, JSON]:
    return {key: value for key, value in values.items() if value}


def microseconds(time: datetime | int) -> int:
    """Converts a time to microseconds since 1970."""
    if isinstance(time, int):
        return time
    if time.tzinfo is None:
        raise FlowError(f"the time {time} needs a time zone, such as datetime.timezone.utc")
    return round(time.timestamp() * 1_000_000)


Choices: TypeAlias = Mapping[Any, str] | Iterable[Action] | type[enum.Enum]


def actions_of(choices: Choices) -> list[Action]:
    """Returns the actions of a menu.

    Choices are a dictionary of titles, a list of actions, or an enum whose members have a `title`.
    """
    if isinstance(choices, type) and issubclass(choices, enum.Enum):
        return [Action(case, str(getattr(case, "title", case.name.replace("_", " ").capitalize()))) for case in choices]
    if isinstance(choices, Mapping):
        return [Action(choice, title) for choice, title in choices.items()]
    assert not isinstance(choices, type)
    return list(choices)


def menu(
    name: str, title: str, choices: Choices = (), *, body: str = "", messages: Sequence[Message] = (), **more: str
) -> Screen:
    """Returns a screen that asks the user to choose an action.

    ```python
    menu("select-visit-type", "What is the visit for?", well="A check-up", sick="My pet is sick")
    ```
    """
    actions = [*actions_of(choices), *(Action(choice, title) for choice, title in more.items())]
    return Screen(name, "menu", title, body, actions, messages=messages)


def list_of(
    name: str, title: str, items: Iterable[Item] | Mapping[str, str], *, body: str = "",
    actions: Sequence[Action] = (), messages: Sequence[Message] = (),
) -> Screen:  # fmt: skip
    """Returns a screen with items to choose from. `event.selection` is the ID of the chosen item."""
    if isinstance(items, Mapping):
        items = [Item(item, title) for item, title in items.items()]
    return Screen(name, "list", title, body, actions, list(items), messages=messages)


def form(
    name: str, title: str, fields: FormLike, *, body: str = "", values: Any = None,
    actions: Sequence[Action] = (), messages: Sequence[Message] = (),
) -> Screen:  # fmt: skip
    """Returns a screen with fields to fill in, declared by a `Form`, fields, a dataclass, or a pydantic model.

    `values` are the initial values: a dictionary, or an instance of the dataclass or the model. The primary action
    sends the fields. Without actions, the screen has the primary action `continue`.
    """
    initial = codec.encode(values) if values is not None else {}
    return Screen(
        name, "form", title, body, actions or [primary("continue", "Continue")], form=form_of(fields),
        values=initial, messages=messages,
    )  # fmt: skip


def message(
    name: str, title: str, body: str = "", *, actions: Sequence[Action] = (), messages: Sequence[Message] = (),
    accent: str = "",
) -> Screen:  # fmt: skip
    """Returns a screen that informs the user."""
    return Screen(name, "message", title, body, actions, messages=messages, accent=accent)


def progress(
    name: str, title: str, body: str = "", *, fraction: float | None = None, text: str = "",
    actions: Sequence[Action] = (), messages: Sequence[Message] = (),
) -> Screen:  # fmt: skip
    """Returns a screen that shows progress."""
    shown: dict[str, JSON] = {**({} if fraction is None else {"fraction": float(fraction)}), **_present(text=text)}
    return Screen(name, "progress", title, body, actions, messages=messages, extras={"progress": shown})


_SPAN = re.compile(r"\*\*(?P<strong>.+?)\*\*|`(?P<code>[^`]+)`|\[(?P<text>[^\]]+)\]\((?P<link>[^)\s]+)\)")


def markup(text: str) -> list[dict[str, JSON]]:
    """Parses a text into blocks.

    An empty line separates paragraphs. `- ` starts a bullet, four spaces start a verbatim line. A line can contain
    `**strong**`, `` `code` `` and `[links](https://example.org)`.
    """
    blocks: list[dict[str, JSON]] = []
    paragraph: list[str] = []

    def flush() -> None:
        if paragraph:
            blocks.append({"kind": "paragraph", "spans": _spans(" ".join(paragraph))})
            paragraph.clear()

    for line in text.replace("\r\n", "\n").split("\n"):
        if line.startswith("    "):
            flush()
            blocks.append({"kind": "verbatim", "spans": [{"text": line[4:]}]})
        elif line.startswith("- "):
            flush()
            blocks.append({"kind": "bullet", "spans": _spans(line[2:].strip())})
        elif line.strip():
            paragraph.append(line.strip())
        else:
            flush()
    flush()
    return blocks


def _spans(line: str) -> list[dict[str, JSON]]:
    spans: list[dict[str, JSON]] = []
    end = 0
    for match in _SPAN.finditer(line):
        if match.start() > end:
            spans.append({"text": line[end : match.start()]})
        if match["strong"]:
            spans.append({"text": match["strong"], "style": "strong"})
        elif match["code"]:
            spans.append({"text": match["code"], "style": "code"})
        else:
            if not match["link"].startswith(("https://", "http://", "mailto:")):
                raise FlowError(f"a link begins with https://, http:// or mailto:, not '{match['link']}'")
            spans.append({"text": match["text"], "link": match["link"]})
        end = match.end()
    if end < len(line):
        spans.append({"text": line[end:]})
    return spans


_ACCENT = re.compile(r"#[0-9A-Fa-f]{6}\Z")


def _check(screen: Mapping[str, JSON]) -> None:
    """Raises `FlowError` for a screen that the daemon would refuse, so that the traceback points to its author."""
    name = screen["name"]
    if not name:
        raise FlowError(f"the screen with the title '{screen.get('title', '')}' needs a name")
    for part in ("actions", "items"):
        ids = [entry["id"] for entry in screen.get(part, [])]
        if twice := sorted({entry for entry in ids if ids.count(entry) > 1} if len(ids) < 64 else _twice(ids)):
            raise FlowError(f"screen '{name}' has the {part[:-1]} '{twice[0]}' twice")
    if screen["kind"] == "list" and "items" not in screen:
        raise FlowError(f"the list '{name}' needs 'items', which may be empty")
    if screen["kind"] == "form" and sum(action["role"] == "primary" for action in screen["actions"]) != 1:
        primary = ", ".join(action["id"] for action in screen["actions"] if action["role"] == "primary") or "none"
        raise FlowError(
            f"the form '{name}' needs exactly one primary action, which sends the fields, but primary are: {primary}"
        )
    accent = screen.get("accent", "")
    if accent and not _ACCENT.match(accent):
        raise FlowError(f"the accent of screen '{name}' is #RRGGBB, not '{accent}'")


def _twice(ids: Sequence[str]) -> set[str]:
    seen: set[str] = set()
    return {entry for entry in ids if entry in seen or seen.add(entry)}  # type: ignore[func-returns-value]
