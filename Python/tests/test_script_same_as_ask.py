"""`ask` and `ui` are one language: the same question is the same screen."""

import base64
import importlib.util
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coordinator import UI, Action
from coordinator.screens import Item
from coordinator.scripts.calls import Call

ASK_TESTS = Path(__file__).parents[2] / "Tests" / "AskTests"
PROGRAM = shutil.which("coordinator-ask")
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

pytestmark = pytest.mark.skipif(
    PROGRAM is None or not ASK_TESTS.is_dir(), reason="needs coordinator-ask in PATH, and the tests of its source"
)

ui = UI.__new__(UI)
"""The questions of a script, without a run."""


def asked_by_ask(*words: str, input: str = "") -> dict[str, Any]:
    """The message that a command of ask sends."""
    os.environ["ASK"] = str(PROGRAM)
    name = "fake_engine"
    if name not in sys.modules:
        specification = importlib.util.spec_from_file_location(name, ASK_TESTS / f"{name}.py")
        assert specification is not None and specification.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(sys.modules[name])
    with sys.modules[name].Engine() as engine:
        engine.start("ask", *words)
        connection = engine.accept()
        connection.done(b"", 0)
        message: dict[str, Any] = connection.message
        return message


def plain(value: Any) -> Any:
    """A message without what only one of the languages sends, and that changes nothing."""
    if isinstance(value, list):
        return [plain(one) for one in value]
    if not isinstance(value, dict):
        return value
    kept = {key: plain(one) for key, one in value.items() if one not in ("", [], {}) or key == "payload"}
    kept.pop("additionalProperties", None)
    if "oneOf" in kept:
        kept.pop("type", None)
    if "level" in kept:
        kept.pop("code")
    return kept


def asked_by_ui(call: Call[Any]) -> dict[str, Any]:
    """The message of a call. Its screen repeats the name, which ask leaves to the engine."""
    screen = {key: value for key, value in call.message["screen"].items() if key != "name"}
    return {**call.message, "screen": screen}


SAME: list[tuple[list[str], Callable[[], Call[Any]]]] = [
    (
        ["menu", "size", "How large?", "small=Small", "large=Large", "--timeout", "60", "--default", "small"],
        lambda: ui.menu("size", "How large?", {"small": "Small", "large": "Large"}, timeout=60, default="small"),
    ),
    (
        ["menu", "disk", "What now?", "look=Look", "--summary", "Once more.", "--primary", "keep=Keep",
         "--destructive", "erase=Erase", "--sure", "Erase it?", "--action", "more=More", "--disabled", "Not yet.",
         "--cancel=Leave"],
        lambda: ui.menu(
            "disk", "What now?", [("look", "Look")], primary={"keep": "Keep"}, destructive={"erase": "Erase"},
            action={"more": "More"}, cancel="Leave", summary={"look": "Once more."}, sure={"erase": "Erase it?"},
            disabled={"more": "Not yet."},
        ),
    ),
    (["menu", "a", "A", "x=X", "--cancel"], lambda: ui.menu("a", "A", {"x": "X"}, cancel=True)),
    (["menu", "a", "A", "x=X", "--cancel=out=Out"], lambda: ui.menu("a", "A", {"x": "X"}, cancel={"out": "Out"})),
    (
        ["message", "done", "Done", "All is well.", "--accent", "#12aBcd", "--step", "2/5", "--qr",
         "https://example.org/", "--info", "One", "--warning", "", "--paragraph", "Text", "--bullet", "Point",
         "--verbatim", "  code"],
        lambda: ui.message(
            "done", "Done", "All is well.", accent="#12aBcd", step=(2, 5), qr="https://example.org/", info="One",
            warning="", paragraph="Text", bullet=["Point"], verbatim="  code",
        ),
    ),
    (["message", "a", "A", "--error", "No."], lambda: ui.message("a", "A", error="No.")),
    (["message", "a", "A", "--step", "3", "--body", "B"], lambda: ui.message("a", "A", step=3, body="B")),
    (["message", "a", "A", "--cancel=stop=Stop it"], lambda: ui.message("a", "A", cancel={"stop": "Stop it"})),
    (["menu", "a", "A", "x=X", "y=Y", "--default", "y"], lambda: ui.menu("a", "A", {"x": "X", "y": "Y"}, default="y")),
    (
        ["list", "a", "A", "x=X", "y=Y", "--action", "b=B", "--default", "b"],
        lambda: ui.list("a", "A", {"x": "X", "y": "Y"}, action={"b": "B"}, default="b"),
    ),
    (
        ["confirm", "a", "A", "--destructive", "--timeout", "9", "--default", "yes"],
        lambda: ui.confirm("a", "A", destructive=True, timeout=9, default=True),
    ),
    (
        ["message", "a", "A", "on=On", "off=Off", "--timeout", "9", "--default", "off"],
        lambda: ui.message("a", "A", action={"on": "On", "off": "Off"}, timeout=9, default="off"),
    ),
    (
        ["confirm", "erase", "Erase?", "--yes", "Erase", "--no", "Keep", "--destructive", "--bullet", "All",
         "--bullet", "Forever", "--timeout", "60", "--default", "no"],
        lambda: ui.confirm(
            "erase", "Erase?", yes="Erase", no="Keep", destructive=True, bullet=["All", "Forever"], timeout=60,
            default=False,
        ),
    ),
    (
        ["list", "disk", "Which?", "sda=System", "--subtitle", "500 GB", "--group", "Inside", "sdb=Stick",
         "--disabled", "In use.", "--action", "again=Look again"],
        lambda: ui.list(
            "disk", "Which?", {"sda": "System", "sdb": "Stick"}, subtitle={"sda": "500 GB"}, group={"sda": "Inside"},
            disabled={"sdb": "In use."}, action={"again": "Look again"},
        ),
    ),
    (
        ["list", "days", "When?", "mo=Monday", "tu=Tuesday", "we=Wednesday", "--multiple=1-2", "--initial", "tu",
         "--initial", "fr", "--timeout", "5", "--default", "mo", "--default", "we"],
        lambda: ui.list(
            "days", "When?", [Item("mo", "Monday"), ("tu", "Tuesday"), ("we", "Wednesday")], multiple=(1, 2),
            initial=["tu", "fr"], timeout=5, default=["mo", "we"],
        ),
    ),
    (["list", "a", "A", "x=X", "y=Y", "--multiple"], lambda: ui.list("a", "A", {"x": "X", "y": "Y"}, multiple=True)),
    (["list", "a", "A", "x=X", "y=Y", "--multiple=2"], lambda: ui.list("a", "A", {"x": "X", "y": "Y"}, multiple=2)),
    (["list", "a", "A", "x=X", "y=Y", "--initial", "y"], lambda: ui.list("a", "A", {"x": "X", "y": "Y"}, initial="y")),
    (
        ["form", "account", "Account", "--text", "login=Log-in", "--length", "1..32", "--pattern", "^[a-z]*$",
         "--example", "ada", "--message", "Small letters.", "--purpose", "username", "--value", "ada", "--secret",
         "pin", "--length", "4..", "--revealable", "--secret", "again", "--same-as", "pin",
         "--integer", "age", "--range", "0..150", "--unit", "years",
         "--optional", "--flag", "news", "--help-text", "Once a month.", "--value", "true", "--choice", "size",
         "--option", "s=Small", "--option", "l=Large", "--text", "why", "--shown-if", "size=s,l", "--submit",
         "join=Join", "--assignments"],
        lambda: ui.form(
            "account", "Account",
            ui.text("login", "Log-in", length=(1, 32), pattern="^[a-z]*$", example="ada", message="Small letters.",
                    purpose="username", value="ada"),
            ui.secret("pin", length=(4, None), revealable=True),
            ui.secret("again", same_as="pin"),
            ui.integer("age", range=(0, 150), unit="years", optional=True),
            ui.flag("news", help_text="Once a month.", value=True),
            ui.choice("size", option={"s": "Small", "l": "Large"}),
            ui.text("why", shown_if={"size": ["s", "l"]}), submit={"join": "Join"},
        ),
    ),
    (
        ["form", "lists", "Lists", "--several", "days", "--option", "mo=Monday", "--option", "tu=Tuesday",
         "--count", "1..2", "--value", "tu", "--value", "fr", "--integers", "ports", "--range", "1..65535",
         "--value", "22", "--numbers", "rates", "--count", "3", "--json"],
        lambda: ui.form(
            "lists", "Lists",
            ui.several("days", option={"mo": "Monday", "tu": "Tuesday"}, count=(1, 2), value=["tu", "fr"]),
            ui.integers("ports", range=(1, 65535), value=[22]), ui.numbers("rates", count=3),
        ),
    ),
    (
        ["form", "kinds", "Kinds", "--multiline", "notes", "--number", "rate", "--date", "day", "--time", "hour",
         "--date-time", "at", "--duration", "long", "--email", "mail", "--phone", "phone", "--host", "host", "--ip",
         "ip", "--url", "page", "--file", "file", "--uuid", "id", "--schema",
         'port={"type": "integer", "title": "Port", "minimum": 1}', "--json"],
        lambda: ui.form(
            "kinds", "Kinds", ui.multiline("notes"), ui.number("rate"), ui.date("day"), ui.time("hour"),
            ui.date_time("at"), ui.duration("long"), ui.email("mail"), ui.phone("phone"), ui.host("host"),
            ui.ip("ip"), ui.url("page"),
            ui.file("file"), ui.uuid("id"), ui.schema("port", {"type": "integer", "title": "Port", "minimum": 1}),
        ),
    ),
    (
        ["form", "user", "Who?", "--text", "name", "--value", "Ada", "--error", "name=is taken", "--action",
         "later=Later", "--timeout", "60", "--default", "submit", "--json"],
        lambda: ui.form(
            "user", "Who?", ui.text("name", value="Ada"), error={"name": "is taken"}, action={"later": "Later"},
            timeout=60, default="submit",
        ),
    ),
    (
        ["form", "user", "Who?", "--text", "name", "--action", "later=Later", "--timeout", "60", "--default",
         "later", "--json"],
        lambda: ui.form("user", "Who?", ui.text("name"), extra=[Action("later", "Later")], timeout=60, default="later"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("words", "call"), SAME, ids=[f"{one[0][0]}-{n}" for n, one in enumerate(SAME)])
def test_a_question_of_ui_is_the_screen_of_the_same_question_of_ask(
    words: list[str], call: Callable[[], Call[Any]]
) -> None:
    of_ask, of_ui = asked_by_ask(*words), asked_by_ui(call())
    assert of_ask["ask"] == of_ui["ask"]
    assert plain(of_ui["screen"]) == plain(of_ask["screen"])
    assert of_ui.get("timeout") == of_ask.get("timeout")
    assert of_ui.get("default") == of_ask.get("default")


def test_a_picture_is_read_from_a_file_as_ask_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "dot.png"
    file.write_bytes(PNG)
    of_ask = asked_by_ask("message", "dot", "Dot", "--picture", f"{file}=A dot")
    for picture in ((file, "A dot"), (str(file), "A dot"), (PNG, "A dot")):
        of_ui = asked_by_ui(ui.message("dot", "Dot", picture=picture))
        assert plain(of_ui["screen"]) == plain(of_ask["screen"])
