"""The language of the user: its names, and the question for it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from coordinator import screens
from coordinator.codec import JSON
from coordinator.errors import FlowError
from coordinator.scripts.calls import Call
from coordinator.scripts.fits import digest
from coordinator.scripts.options import ScreenOptions
from coordinator.scripts.questions import ask
from coordinator.scripts.tags import tag_of


class LanguageOptions(ScreenOptions, total=False):
    """The options of `ui.choose_language`."""

    name: str
    title: str
    domain: str
    directory: str


def question(named: Iterable[str], options: LanguageOptions) -> Call[str]:
    """Returns the question for a language. The engine fills in the rows."""
    if isinstance(named, str):
        raise FlowError(f'ui.choose_language takes several languages, such as ["en", "de"], not {named!r}')
    offer: dict[str, JSON] = {"named": [tag_of(one) for one in named]}
    for key in ("domain", "directory"):
        if key in options:
            offer[key] = str(options[key])
    screen = screens.list_of(options.get("name", "language"), options.get("title", ""), ())
    shown = {key: value for key, value in options.items() if key in ScreenOptions.__annotations__}
    call = ask(screen, lambda got, _: str(got["payload"]["id"]), shown, None)
    message = {**call.message, "languages": offer, "digest": digest({**call.message["screen"], "languages": offer})}
    if "default" in options:
        if "timeout" not in options:
            raise FlowError(
                "the default of ui.choose_language needs a timeout: the cursor begins on the user's language"
            )
        message["default"] = {"event": "select", "payload": {"id": tag_of(options["default"])}}
    return dataclasses.replace(call, message=message)
