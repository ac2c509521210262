"""What the screen of a question shows besides its title and its choices."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import timedelta
from os import PathLike
from typing import Any

from coordinator.codec import JSON
from coordinator.errors import FlowError
from coordinator.screens import Level, Message, Screen
from coordinator.scripts.misuse import instead

_LEVELS: tuple[Level, ...] = ("warning", "info")
_BLOCKS = ("paragraph", "bullet", "verbatim", "strong")
_SCHEMES = ("https://", "http://", "mailto:")


def shown(what: str, screen: Screen, options: Mapping[str, Any]) -> Screen:
    """Returns the screen with what the options of every question add to it."""
    for option in ("body", "accent", "markup", "qr"):
        if not isinstance(options.get(option, ""), str):
            raise FlowError(f"the option '{option}' of {what} is a string, not {options[option]!r}")
    if changed := {option: options[option] for option in ("body", "accent") if option in options}:
        screen = dataclasses.replace(screen, **changed)
    if "markup" in options:
        screen = screen.marked_up(options["markup"])
    if blocks := _blocks(what, options):
        # Renderers show the blocks in place of the body.
        body = [{"kind": "paragraph", "spans": [{"text": screen.body}]}] if screen.body else []
        first = screen.extras.get("blocks", body)
        screen = dataclasses.replace(screen, extras={**screen.extras, "blocks": [*first, *blocks]})
    for level in (name for name in options if name in _LEVELS):
        screen = screen.saying(*messages(what, level, options[level], screen))
    if "step" in options:
        screen = _numbered(what, screen, options["step"])
    return _pictured(what, screen, options)


def _blocks(what: str, options: Mapping[str, Any]) -> list[dict[str, JSON]]:
    found: list[dict[str, JSON]] = []
    for option in (name for name in options if name in _BLOCKS or name == "link"):
        if option == "link":
            found += _links(what, options[option])
            continue
        texts = [options[option]] if isinstance(options[option], str) else list(options[option])
        for text in texts:
            if not isinstance(text, str):
                raise FlowError(f"the option '{option}' of {what} is a string or a list of them, not {text!r}")
            is_strong = option == "strong"
            span: dict[str, JSON] = {"style": "strong", "text": text} if is_strong else {"text": text}
            found.append({"kind": "paragraph" if is_strong else option, "spans": [span]})
    return found


def _links(what: str, given: Any) -> list[dict[str, JSON]]:
    """Returns a paragraph for each link: an address, or addresses by text."""
    links = {given: given} if isinstance(given, str) else given
    if not isinstance(links, Mapping) or not all(isinstance(one, str) for pair in links.items() for one in pair):
        raise FlowError(f'the option \'link\' of {what} is an address, or {{"TEXT": "ADDRESS"}}, not {given!r}')
    for address in links.values():
        if not address.startswith(_SCHEMES):
            raise FlowError(
                f"the option 'link' of {what} takes addresses that begin with https://, http:// or mailto:,"
                f" not {address!r}"
            )
    return [{"kind": "paragraph", "spans": [{"link": address, "text": text}]} for text, address in links.items()]


def messages(what: str, level: Level, given: Any, screen: Screen) -> list[Message]:
    """Returns messages of a level: from a text, a message, or texts by field. Empty ones are none."""
    if not given:
        return []
    if isinstance(given, Message):
        return [given]
    # Answers that were refused have this code in flows of every kind.
    code = "not-accepted" if level == "error" else level
    if isinstance(given, str):
        return [Message(level, code, given)]
    if not isinstance(given, Mapping):
        raise FlowError(f'the option \'{level}\' of {what} is a text, or {{"FIELD": "Text"}}, not {given!r}')
    names = [] if screen.form is None else screen.form.names
    for field in given:
        if field and field not in names:
            hint = f": {instead(field, names)}" if names else ", because it is not a form: write a text"
            raise FlowError(f"the option '{level}' of {what} names no field '{field}'{hint}")
    return [Message(level, code, text, field) for field, text in given.items() if text]


def _numbered(what: str, screen: Screen, step: Any) -> Screen:
    if step is None:
        return screen
    parts = step if isinstance(step, tuple) else (step,)
    if not (1 <= len(parts) <= 2 and all(isinstance(one, int) and not isinstance(one, bool) for one in parts)):
        raise FlowError(f"the option 'step' of {what} is a number or (number, count), such as (2, 5), not {step!r}")
    if not 1 <= parts[0] <= parts[-1]:
        raise FlowError(f"the option 'step' of {what} is {step!r}, but the number is from 1 to the count")
    return screen.step(*parts)


def _pictured(what: str, screen: Screen, options: Mapping[str, Any]) -> Screen:
    code, picture = options.get("qr"), options.get("picture")
    if code and picture:
        raise FlowError(f"{what} shows either a QR code, 'qr', or a picture, 'picture'")
    if code:
        return screen.code(code)
    if not picture:
        return screen
    if not (isinstance(picture, tuple) and len(picture) == 2 and isinstance(picture[1], str) and picture[1]):
        raise FlowError(f"the option 'picture' of {what} is (file, description), not {picture!r:.200}")
    file, description = picture
    try:
        data = file if isinstance(file, bytes) else _read(file)
    except OSError as error:
        raise FlowError(f"the picture of {what} cannot be read: {error}") from error
    try:
        return screen.image(data, description)
    except FlowError as error:
        raise FlowError(f"the option 'picture' of {what}: {error}") from None


def _read(file: str | PathLike[str]) -> bytes:
    with open(file, "rb") as opened:
        return opened.read()


def seconds(what: str, time: Any) -> float | None:
    """Returns the number of seconds of a time limit."""
    if time is None:
        return None
    number = time.total_seconds() if isinstance(time, timedelta) else time
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 < number < float("inf"):
        raise FlowError(f"the option 'timeout' of {what} is a number of seconds above 0, not {time!r}")
    return float(number)
