"""Forms, screens, JSON and D-Bus values."""

import enum
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, Any, Literal, cast

import pytest
from jeepney import DBusAddress, new_method_call

from coordinator import (
    As,
    FlowError,
    Form,
    FormError,
    SecretName,
    codec,
    form,
    list_of,
    menu,
    message,
    patterns,
    primary,
    wire,
)
from coordinator.errors import error_from
from coordinator.forms import boolean, check_pattern, choice, choices, form_of, integer, number, secret, text
from coordinator.screens import Item, ReviewRow, markup


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"

    @property
    def title(self) -> str:
        return self.value.upper()


@dataclass
class Address:
    ip: Annotated[str, As("Address", format="ip")]


@dataclass
class Person:
    name: Annotated[str, As("Full name", length=(1, 64))]
    size: Size
    born: date | None
    age: Annotated[int, As(bounds=(0, 150))] = 18
    tags: list[str] = field(default_factory=list)
    password: Annotated[SecretName, As("Password", length=(8, 128))] = field(default_factory=SecretName)
    addresses: list[Address] = field(default_factory=list)
    mood: Literal["good", "bad"] = "good"


def test_a_form_of_a_dataclass() -> None:
    schema = form_of(Person).to_json()
    assert schema["required"] == ["name", "size", "password"]
    parts = schema["properties"]
    assert parts["size"] == {
        "title": "Size",
        "type": "string",
        "oneOf": [{"const": "small", "title": "SMALL"}, {"const": "large", "title": "LARGE"}],
    }
    assert parts["password"]["writeOnly"] and parts["born"]["format"] == "date" and parts["age"]["default"] == 18
    assert parts["addresses"]["items"]["properties"]["ip"]["format"] == "ip"
    person = codec.decode(Person, {"name": "Ada", "size": "small", "addresses": [{"ip": "::1"}]})
    assert person == Person("Ada", Size.SMALL, None, addresses=[Address("::1")])
    assert "password" not in form_of(Person).shown_values(codec.encode(person))


def test_a_form_of_a_model() -> None:
    pytest.importorskip("pydantic", minversion="2")
    import pydantic

    class Account(pydantic.BaseModel):
        login: str = pydantic.Field(title="Log-in name", min_length=1, max_length=32, pattern="^[a-z]+$")
        size: Size = Size.SMALL
        age: int | None = pydantic.Field(None, ge=0, le=150)
        password: pydantic.SecretStr | None = pydantic.Field(None, title="Password")
        kind: Literal["a", "b"] = "a"
        born: date | None = None

    found = form_of(Account)
    parts = found.to_json()["properties"]
    assert found.to_json()["required"] == ["login"] and found.secrets == ["password"]
    assert parts["size"]["oneOf"][0] == {"const": "small", "title": "SMALL"} and parts["size"]["title"] == "Size"
    assert parts["age"] == {"title": "Age", "type": "integer", "minimum": 0, "maximum": 150}
    account = codec.decode(Account, {"login": "ada", "size": "large"})
    assert account.size is Size.LARGE
    screen = form("account", "Account", Account, values=account).to_json()
    assert screen["values"] == {"login": "ada", "size": "large", "kind": "a"}

    class Wrong(pydantic.BaseModel):
        either: int | str

    with pytest.raises(FormError, match=r"Wrong: /properties/either/anyOf"):
        form_of(Wrong)


def test_fields_and_problems() -> None:
    one = Form(
        text("name", "Name", length=(1, 4), pattern="^[a-z]+$").example("ada").meant_for("username"),
        integer("age", "Age", bounds=(0, 9)).measured_in("years").optional,
        number("weight", "Weight").optional,
        boolean("member", "Member", default=False).optional,
        choice("security", "Security", {"wpa": "WPA", "open": "None"}, default="wpa"),
        secret("key", "Key", length=(8, None)).shown_if(security="wpa").revealable(),
        choices("colours", "Colours", ["red", "blue"], count=(0, 2)).optional,
    )
    assert one.problems({"name": "ada", "security": "open"}) == {}
    assert one.problems({"name": "ada", "security": "wpa"}) == {"key": "is required"}
    assert one.problems({"name": "ada\n", "security": "open", "age": True, "x": 1, "colours": ["red", "red"]}) == {
        "name": "is not in the expected form, such as ada", "age": "must be a whole number",
        "x": "is not a field of this form", "colours": "must not have an entry twice",
    }  # fmt: skip
    assert one.problems({"security": "open", "age": 10, "name": "toolong"})["age"] == "must be at most 9"
    again = Form(secret("password", "Password"), secret("again", "Once more").same_as("password"))
    assert again.problems({"password": "tea", "again": "tea"}) == {}
    assert again.problems({"password": "tea", "again": "tee"}) == {"again": "is not the same as Password"}
    assert again.problems({"password": "tea"}) == {"again": "is required"}


@pytest.mark.parametrize(
    "pattern",
    [
        "(?=a)",
        r"(a)\1",
        "a++",
        "(?P<x>a)",
        "(",
        "(?i)a",
        r"\Aa",
        r"a\Z",
        "a{2,1}",
        "[b-a]",
        r"\p{X}",
        "]",
        "(?:a{99}){999}",
    ],
)
def test_patterns_that_are_refused(pattern: str) -> None:
    with pytest.raises(FormError):
        check_pattern(pattern)


@pytest.mark.parametrize("pattern", ["^[a-z][a-z0-9-]*$", r"\\1", "[(?=]", "(?:a|b){2,3}", r"^\d+$", "a+?"])
def test_patterns_that_are_taken(pattern: str) -> None:
    check_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        ("^[a-z][a-z0-9-]*$", "a-1", "a\n"), (r"^\d{2,3}$", "12", "١٢"), (r"^\p{Lu}\P{L}$", "Ä1", "ää"),
        (r"^[^\s]+$", "ab", "a\ufeff"), (r"^.\u{1F600}?$", "x😀", "\u2028"), (r"^[\w.-]+@\w+$", "a.b@c", "a b@c"),
        (r"^(?<year>\d{4})-\x41\cA[\]\-]$", "2026-A\x01-", "2026"),
        (r"\bfoo\b", "a foo", "afoo"), ("^a|b$", "xb", "xc"),
        ("^[^]$", "a", ""),
    ],
)  # fmt: skip
def test_patterns_mean_what_they_mean_in_the_daemon(pattern: str, good: str, bad: str) -> None:
    assert patterns.compiled(pattern).search(bad) is None
    assert patterns.compiled(pattern).search(good)


def test_patterns_that_could_take_too_long() -> None:
    with pytest.raises(FormError, match="of 1048576 characters: limit the length"):
        check_pattern("^(?:[a-z]{1,99}-){1,40}$", longest=1 << 20)
    check_pattern("^(?:[a-z]{1,99}-){1,40}$", longest=64)


def test_mistakes_in_forms() -> None:
    for fields in (
        [text("a", "")],
        [text("a", "A"), text("a", "A")],
        [text("a", "A", format="colour")],
        [choice("a", "A", {})],
        [integer("a", "A", bounds=(1, 2), default=3)],
        [text("a", "A").shown_if(b=1)],
        [text("a", "A").same_as("b")],
        [text("a", "A").same_as("a")],
        [text("a", "A").same_as("b"), secret("b", "B")],
        [text("a", "A").same_as("b"), integer("b", "B")],
    ):
        with pytest.raises(FormError):
            Form(*fields)


def sent(value: dict[str, Any]) -> dict[str, Any]:
    """The part of a sent answer that arrives."""
    from jeepney.low_level import Message

    data = new_method_call(DBusAddress("/a", "b.c", "d.e"), "F", "a{sv}", (wire.answer(value),)).serialise(serial=1)
    arrived: dict[str, Any] = wire.plain(Message.from_buffer(data).body[0])
    return arrived


def test_all_that_a_screen_has_arrives() -> None:
    fields = [choice("a", "A", {1: "One"}), secret("b", "B").optional, integer("c", "C", default=1).optional]
    screens = {
        "form": form("form", "Form", fields, values={"a": 1}, actions=[primary("go", "Go").confirming("Sure?")])
        .busy("Working").to_json(),
        "menu": menu("menu", "Menu", {Size.SMALL: "Small"}, body="Body").step(1).without_back().counting_down(7)
        .suggesting(Size.SMALL).to_json(),
        "list": list_of("list", "List", [Item("a", "A", "sub")]).choosing(0, 3, ["a"]).suggesting("a", "b").to_json(),
        "empty": list_of("empty", "Empty", []).to_json(),
        "text": message("text", "Text", accent="#2E7D32").marked_up("Hi **you**\n\n- [a](https://b.c)").code("x")
        .to_json(),
        "review": message("review", "Check").reviewing(ReviewRow("Name", "Ada", "form")).image(b"\xff\xd8\xff", "x")
        .to_json(),
    }  # fmt: skip
    do = [{"op": "send", "child": "/a/b", "message": {"x": [1, 2.5]}}, {"op": "timer", "key": "k", "at": 5, "after": 6}]
    whole: dict[str, Any] = {"state": "{}", "do": do, "screens": screens, "dismissable": True}
    assert sent(whole) == whole
    assert wire.answer(whole)["do"][1][0]["child"] == ("o", "/a/b") and wire.answer(whole)["do"][1][1]["at"] == ("t", 5)
    assert wire.answer(whole)["do"][1][1]["after"] == ("t", 6)
    assert wire.answer(whole)["screens"][1]["empty"][1]["items"] == ("aa{sv}", [])


def test_suggestions() -> None:
    size = menu("size", "Size", {Size.SMALL: "Small"})
    assert size.suggesting(Size.SMALL).to_json()["suggested"] == ["small"]
    assert size.suggesting(None) == size and "suggested" not in size.to_json()
    with pytest.raises(FlowError):
        size.suggesting("")


@pytest.mark.parametrize("value", [{"a": "\0"}, {"a": "\ud800"}, {"a": 2**70}, {"a": [None]}, {"a": {"b": object()}}])
def test_what_cannot_be_sent(value: dict[str, Any]) -> None:
    with pytest.raises(FlowError):
        wire.answer({"state": "", "screens": {"key": value}})


def test_live_values() -> None:
    live = wire.dictionary({"fraction": 0.5, "live": {"values": {"items": []}}})["live"]
    assert live == ("a{sv}", {"values": ("a{sv}", {"items": ("aa{sv}", [])})})


def test_markup() -> None:
    assert markup("One\ntwo `x`\n\n    verbatim") == [
        {"kind": "paragraph", "spans": [{"text": "One two "}, {"text": "x", "style": "code"}]},
        {"kind": "verbatim", "spans": [{"text": "verbatim"}]},
    ]
    with pytest.raises(FlowError, match="a link begins"):
        markup("[x](javascript:y)")


def test_mistakes_in_screens() -> None:
    for wrong in (
        menu("", "A"),
        menu("a", "A", [primary("x", "X"), primary("x", "Y")]),
        form("a", "A", [], actions=[primary("x", "X"), primary("y", "Y")]),
        message("a", "A", accent="red"),
    ):
        with pytest.raises(FlowError):
            wrong.to_json()


def test_codec() -> None:
    assert codec.decode(dict[str, tuple[int, ...]], {"a": [1]}) == {"a": (1,)}
    assert codec.decode(cast(Any, int | str | None), "x") == "x" and codec.decode(float, 1) == 1.0
    assert codec.decode(cast(Any, Size | str), codec.encode(Size.SMALL)) in (Size.SMALL, "small")
    assert codec.encode({"a": {2, 1}}) == {"a": [1, 2]} and codec.decode(set[int], [1, 2]) == {1, 2}
    for kind, value in ((int, True), (int, "1"), (str, 1), (Size, "x"), (list[int], ["a"]), (Person, {"name": "a"})):
        with pytest.raises(codec.CodecError):
            codec.decode(cast(Any, kind), value)
    with pytest.raises(codec.CodecError):
        codec.encode(object())


def test_errors_by_name() -> None:
    stale = error_from("org.coordinatord.Coordinator1.Error.StaleScreen", ["gone", "covered"])
    assert type(stale).__name__ == "StaleScreen" and getattr(stale, "why", "") == "covered"
    odd = error_from("com.example.Odd", [])
    assert odd.name == "com.example.Odd" and str(odd) == ""
