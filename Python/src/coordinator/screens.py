"""Screens: what a renderer shows, as pure data.

The functions named after the kinds create screens: `menu`, `list_of`, `form`, `message`, `progress`. Methods of
`Screen` return a copy with one thing more: `form(…).busy("Joining")`.
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
    """Returns the ID that a string or a case of an enum stands for."""
    text = value.value if isinstance(value, enum.Enum) else value
    if not isinstance(text, str) or not text:
        raise FlowError(f"an id is a string that is not empty, not {text!r}")
    return text


@dataclass(frozen=True)
class Action:
    """Something that the user can do; its ID is the event that the coordinator receives."""

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
        """Returns the action as one that cannot be chosen now, and the reason; an empty reason enables it."""
        return dataclasses.replace(self, disabled=reason)

    def to_json(self) -> dict[str, JSON]:
        """Returns the action as the contract has it."""
        more = _present(summary=self.summary, confirm=self.confirm, disabled=self.disabled)
        return {"id": id_text(self.id), "title": self.title, "role": self.role, **more}


def primary(id: ID, title: str, summary: str = "") -> Action:
    """Returns the action that the screen is for; on a form, the one that sends the fields."""
    return Action(id, title, "primary", summary)


def cancel_action(id: ID, title: str, summary: str = "") -> Action:
    """Returns an action that leaves the screen without doing what it is for."""
    return Action(id, title, "cancel", summary)


def destructive(id: ID, title: str, confirm: str = "") -> Action:
    """Returns an action that destroys something."""
    return Action(id, title, "destructive", confirm=confirm)


@dataclass(frozen=True)
class Item:
    """A row of a list."""

    id: ID
    title: str
    subtitle: str = ""
    group: str = ""
    disabled: str = ""

    def to_json(self) -> dict[str, JSON]:
        """Returns the item as the contract has it."""
        more = _present(subtitle=self.subtitle, group=self.group, disabled=self.disabled)
        return {"id": id_text(self.id), "title": self.title, **more}


@dataclass(frozen=True)
class Message:
    """A message on a screen, perhaps about a field."""

    level: Level
    code: str
    text: str
    field: str = ""

    def to_json(self) -> dict[str, JSON]:
        """Returns the message as the contract has it."""
        return {"level": self.level, "code": self.code, "text": self.text, **_present(field=self.field)}


def error(code: str, text: str, field: str = "") -> Message:
    """Returns a message about an error."""
    return Message("error", code, text, field)


def warning(code: str, text: str, field: str = "") -> Message:
    """Returns a warning."""
    return Message("warning", code, text, field)


def info(code: str, text: str, field: str = "") -> Message:
    """Returns a message that informs."""
    return Message("info", code, text, field)


@dataclass(frozen=True)
class ReviewRow:
    """An answer to check; `key` is the screen of this coordinator to which Change leads."""

    title: str
    value: str
    key: str = ""

    def to_json(self) -> dict[str, JSON]:
        """Returns the row. The daemon replaces the key of a screen with its ID."""
        return {"title": self.title, "value": self.value, **_present(key=self.key)}


@dataclass(frozen=True)
class Screen:
    """What a renderer shows.

    `name` is stable, and names the screen in answers files. `back` says whether Back may leave the screen.
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
        """Returns the screen as one that Back cannot leave."""
        return dataclasses.replace(self, back=unless)

    def saying(self, *messages: Message | None) -> Screen:
        """Returns the screen with further messages; None is left out."""
        more = [message for message in messages if message is not None]
        return dataclasses.replace(self, messages=[*self.messages, *more])

    def busy(self, text: str = "") -> Screen:
        """Returns the screen as busy while work runs: its primary action cannot be sent meanwhile."""
        return self._with(busy=text)

    def step(self, number: int, of: int | None = None) -> Screen:
        """Returns the screen with its place in a sequence."""
        if number < 1 or (of is not None and number > of):
            raise FlowError(f"there is no step {number} of {of}")
        return self._with(step={"number": number, **({} if of is None else {"count": of})})

    def choosing(self, minimum: int = 0, maximum: int | None = None, initial: Iterable[ID] = ()) -> Screen:
        """Returns a list of which several rows can be chosen, or whose `initial` rows are chosen at first."""
        limits = {} if maximum is None else {"min": minimum, "max": maximum}
        chosen = [id_text(item) for item in initial]
        return self._with(choosing={**limits, **({"initial": chosen} if chosen else {})})

    def reviewing(self, *rows: ReviewRow) -> Screen:
        """Returns the screen with answers to check."""
        return self._with(review=[row.to_json() for row in rows])

    def marked_up(self, text: str) -> Screen:
        """Returns the screen with a body that has structure: see `markup`."""
        blocks = markup(text)
        plain = "\n\n".join("".join(span["text"] for span in block["spans"]) for block in blocks)
        return dataclasses.replace(self, body=self.body or plain)._with(blocks=blocks)

    def code(self, text: str) -> Screen:
        """Returns the screen with a QR code of a text."""
        return self._with(picture={"code": text})

    def image(self, data: bytes, description: str) -> Screen:
        """Returns the screen with an image, PNG or JPEG."""
        types = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
        kind = next((kind for start, kind in types.items() if data.startswith(start)), None)
        encoded = base64.b64encode(data).decode()
        if kind is None:
            raise FlowError("an image is a PNG or a JPEG")
        if len(encoded) > _PICTURE_BYTES:
            raise FlowError(f"an image may take up {_PICTURE_BYTES} bytes in base64, not {len(encoded)}")
        return self._with(picture={"type": kind, "base64": encoded, "description": description})

    def counting_down(self, until: datetime | int | None) -> Screen:
        """Returns the screen with a countdown to a time, in microseconds since 1970 if it is a number."""
        return self if until is None else self._with(until=microseconds(until))

    def to_json(self) -> dict[str, JSON]:
        """Returns the screen as the contract has it, with `back` and `busy` beside it."""
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
    """Returns a time as microseconds since 1970."""
    if isinstance(time, int):
        return time
    if time.tzinfo is None:
        raise FlowError("a time needs a time zone, such as datetime.timezone.utc")
    return round(time.timestamp() * 1_000_000)


Choices: TypeAlias = Mapping[Any, str] | Iterable[Action] | type[enum.Enum]


def actions_of(choices: Choices) -> list[Action]:
    """Returns the actions of a menu.

    Choices are a dictionary of titles, actions, or an enum whose cases have a property `title`.
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
    """Returns a screen that asks the user to choose one of a few actions.

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
    """Returns a screen with rows to choose from; `event.selection` is the ID of the chosen one."""
    if isinstance(items, Mapping):
        items = [Item(item, title) for item, title in items.items()]
    return Screen(name, "list", title, body, actions, list(items), messages=messages)


def form(
    name: str, title: str, fields: FormLike, *, body: str = "", values: Any = None,
    actions: Sequence[Action] = (), messages: Sequence[Message] = (),
) -> Screen:  # fmt: skip
    """Returns a screen with fields to fill in: a `Form`, a dataclass, or a model of pydantic.

    `values` are filled in at first: a dictionary, or a value of the dataclass or the model. The primary action sends
    the fields; without any action there is one with the title Continue.
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
    """Returns a screen that shows how far something is that the flow waits for."""
    shown: dict[str, JSON] = {**({} if fraction is None else {"fraction": float(fraction)}), **_present(text=text)}
    return Screen(name, "progress", title, body, actions, messages=messages, extras={"progress": shown})


_SPAN = re.compile(r"\*\*(?P<strong>.+?)\*\*|`(?P<code>[^`]+)`|\[(?P<text>[^\]]+)\]\((?P<link>[^)\s]+)\)")


def markup(text: str) -> list[dict[str, JSON]]:
    """Returns the blocks of a text.

    An empty line separates paragraphs, `- ` begins a bullet, four spaces a verbatim line; `**strong**`, `` `code` ``
    and `[links](https://example.org)` stand within a line.
    """
    blocks: list[dict[str, JSON]] = []
    paragraph: list[str] = []

    def flush() -> None:
        if paragraph:
            blocks.append({"kind": "paragraph", "spans": _spans(" ".join(paragraph))})
            paragraph.clear()

    for line in text.splitlines():
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
    """Finds mistakes that the daemon would refuse, where their author can see the line that made them."""
    name = screen["name"]
    if not name:
        raise FlowError("a screen needs a name")
    for part in ("actions", "items"):
        ids = [entry["id"] for entry in screen.get(part, [])]
        if twice := sorted({entry for entry in ids if ids.count(entry) > 1} if len(ids) < 64 else _twice(ids)):
            raise FlowError(f"screen '{name}' has the {part[:-1]} '{twice[0]}' twice")
    if screen["kind"] == "list" and "items" not in screen:
        raise FlowError(f"the list '{name}' needs items")
    if screen["kind"] == "form" and sum(action["role"] == "primary" for action in screen["actions"]) != 1:
        raise FlowError(f"the form '{name}' needs exactly one primary action, which sends the fields")
    accent = screen.get("accent", "")
    if accent and not _ACCENT.match(accent):
        raise FlowError(f"the accent of screen '{name}' is #RRGGBB, not '{accent}'")


def _twice(ids: Sequence[str]) -> set[str]:
    seen: set[str] = set()
    return {entry for entry in ids if entry in seen or seen.add(entry)}  # type: ignore[func-returns-value]
