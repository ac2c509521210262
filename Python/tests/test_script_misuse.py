"""Mistakes of authors are errors at the call, which say what to write instead."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any, cast

import pytest

from coordinator import UI, Outcome, flow
from coordinator.errors import FlowError
from coordinator.forms import FormError
from coordinator.testing import play

ui: Any = UI.__new__(UI)
"""The calls of a script, without a run, and without the types that would prevent these mistakes."""


def work(size: str = "") -> None: ...


MISTAKES: dict[str, tuple[Callable[[], Any], str]] = {
    # Options.
    "misspelt option of a menu": (
        lambda: ui.menu("a", "A", {"x": "X"}, tiemout=3),
        "the menu 'a' has no option 'tiemout': did you mean 'timeout'?",
    ),
    "misspelt option with a title": (lambda: ui.menu("a", "A", x="X", eror="No"), "did you mean 'error'?"),
    "option of a list at a menu": (
        lambda: ui.menu("a", "A", x="X", multiple=True),
        "the menu 'a' has no option 'multiple'",
    ),
    "choice called like an option": (
        lambda: ui.menu("a", "A", subtitle="Subtitle"),
        'belongs in a dictionary of choices: {"subtitle": "Title"}',
    ),
    "misspelt option of a list": (
        lambda: ui.list("a", "A", ["x"], initail="x"),
        "ui.list has no option 'initail': did you mean 'initial'?",
    ),
    "misspelt option of a form": (lambda: ui.form("a", "A", valeus={}), "did you mean 'values'?"),
    "misspelt option of a confirm": (lambda: ui.confirm("a", "A", destructve=True), "did you mean 'destructive'?"),
    "misspelt option of a message": (lambda: ui.message("a", "A", bulet="B"), "did you mean 'bullet'?"),
    "unknown option": (
        lambda: ui.confirm("a", "A", frobnicate=1),
        "has no option 'frobnicate': it has accent, body, bullet",
    ),
    "misspelt option of a step": (lambda: ui.step("a", work, atempts=3), "did you mean 'attempts'?"),
    "misspelt parameter of a step": (lambda: ui.step("a", work, sise="s"), "did you mean 'size'?"),
    "misspelt option of a sleep": (
        lambda: ui.sleep(3, nmae="x"),
        "ui.sleep has no option 'nmae': did you mean 'name'?",
    ),
    "misspelt option of a field": (
        lambda: ui.text("a", lenght=(1, 2)),
        "ui.text has no option 'lenght': did you mean 'length'?",
    ),
    "option of another kind of field": (lambda: ui.integer("a", bounds=(1, 2)), "write 'range'"),
    "value of a secret": (lambda: ui.secret("a", value="x"), "ui.secret has no option 'value'"),
    "option without a name": (lambda: ui.confirm("a", "A", "B"), "ui.confirm has too many arguments"),
    # Choices and rows.
    "menu without choices": (lambda: ui.menu("b", "B"), "the menu 'b' has nothing to choose: give it choices"),
    "list without items": (lambda: ui.list("b", "B"), "ui.list: missing 1 required positional argument: 'items'"),
    "choices as a string": (lambda: ui.menu("a", "A", "small"), "the choices of the menu 'a': write {"),
    "items as a string": (lambda: ui.list("a", "A", "small"), "the items of the list 'a' are"),
    "item as a number": (lambda: ui.list("a", "A", [1, 2]), "an item of the list 'a' is an ID"),
    "title that is no string": (lambda: ui.menu("a", "A", {"x": 3}), "not ('x', 3)"),
    "detail of an unknown choice": (
        lambda: ui.menu("a", "A", {"small": "Small"}, summary={"smal": "S"}),
        "names no choice 'smal': did you mean 'small'?",
    ),
    "question before a row": (lambda: ui.list("a", "A", {"x": "X"}, sure={"x": "Sure?"}), "names no choice 'x'"),
    "detail without an ID": (
        lambda: ui.menu("a", "A", x="X", summary="All"),
        'the option \'summary\' of the menu \'a\' is {"ID"',
    ),
    "destructive choice without an ID": (lambda: ui.menu("a", "A", x="X", destructive="Erase"), "not 'Erase'"),
    "multiple that allows nothing": (
        lambda: ui.list("a", "A", ["x"], multiple=(3, 1)),
        "the option 'multiple' of the list 'a'",
    ),
    # Screens.
    "place in a sequence": (
        lambda: ui.menu("a", "A", {"x": "X"}, step="1/2"),
        "is a number or (number, count), such as (2, 5)",
    ),
    "step beyond the count": (lambda: ui.message("a", "A", step=(3, 2)), "'step' of the message 'a' is (3, 2)"),
    "QR code of bytes": (lambda: ui.message("a", "A", qr=b"x"), "the option 'qr' of the message 'a' is a string"),
    "QR code beside a picture": (lambda: ui.message("a", "A", qr="x", picture=("x.png", "X")), "either a QR code"),
    "picture without a description": (lambda: ui.message("a", "A", picture="x.png"), "is (file, description)"),
    "picture that does not exist": (lambda: ui.message("a", "A", picture=("/none.png", "X")), "cannot be read"),
    "color": (lambda: ui.message("a", "A", accent="red"), "is #RRGGBB, not 'red'"),
    "bullet that is no text": (lambda: ui.message("a", "A", bullet=[1]), "the option 'bullet' of the message 'a'"),
    "two bodies": (lambda: ui.message("a", "A", "B", body="C"), "has two bodies"),
    "link to a script": (lambda: ui.message("a", "A", markup="[x](javascript:x)"), "a link begins with https://"),
    "error about an unknown field": (
        lambda: ui.form("a", "A", ui.text("name"), error={"nmae": "No"}),
        "names no field 'nmae': did you mean 'name'?",
    ),
    "error about a field of a menu": (
        lambda: ui.menu("a", "A", {"x": "X"}, error={"x": "No"}),
        "because it is not a form",
    ),
    "destructive default": (lambda: ui.confirm("a", "A", destructive=True, default=True), "Enter must not choose"),
    "default of several rows": (lambda: ui.list("a", "A", {"x": "X"}, multiple=True, default=["x"]), "'initial'"),
    "default of a form": (lambda: ui.form("a", "A", ui.text("b", optional=True), default={}), "begin with 'value'"),
    "timeout that is no number": (
        lambda: ui.menu("a", "A", {"x": "X"}, timeout="60"),
        "is a number of seconds above 0, not '60'",
    ),
    "default of a confirm": (lambda: ui.confirm("a", "A", timeout=3, default="no"), "is True or False, not 'no'"),
    "title that is None": (lambda: ui.menu("a", None, {"x": "X"}), "the title of the menu 'a' is a string, not None"),
    "two primary actions": (
        lambda: ui.menu("a", "A", primary={"x": "X", "y": "Y"}),
        "the menu 'a' has the primary actions 'x' and 'y'",
    ),
    "picture of another type": (
        lambda: ui.message("a", "A", picture=(b"GIF", "X")),
        "the option 'picture' of the message 'a': an image is a PNG or a JPEG",
    ),
    "default that is no choice": (
        lambda: ui.menu("a", "A", {"x": "X", "y": "Y"}, default="z"),
        "the default 'z' of the menu 'a' is not accepted: the choices are x, y",
    ),
    "default of a form that does not fit": (
        lambda: ui.form("a", "A", ui.integer("b"), timeout=3, default={"b": "x"}),
        "the default {'b': 'x'} of the form 'a' is not accepted: 'b' must be a whole number",
    ),
    # Forms.
    "pattern with an open group": (
        lambda: ui.form("a", "A", ui.text("b", pattern="(ab")),
        "the form 'a': the field 'b', 'pattern': '(ab': unterminated group at position 0",
    ),
    "pattern with a lookahead": (
        lambda: ui.form("a", "A", ui.text("b", pattern="(?=x)y")),
        "the form 'a': the field 'b', 'pattern': '(?=x)y': lookaround is not supported",
    ),
    "pattern without a length": (
        lambda: ui.form("a", "A", ui.text("b", pattern="^(?:[a-z]{1,99}-){1,40}$")),
        "could take too long on a string of 1048576 characters: limit the length",
    ),
    "pattern that is no string": (lambda: ui.text("a", pattern=5), "the option 'pattern' of 'a' is a string, not 5"),
    "repetition of an unknown field": (
        lambda: ui.form("a", "A", ui.text("b", same_as="c")),
        "the form 'a': the field 'b', 'same_as': must name another text field",
    ),
    "integer of more than 64 bits": (lambda: ui.integer("a", value=2**63), "'a' must be from -9223372036854775808 to"),
    "number that is not finite": (lambda: ui.number("a", value=float("nan")), "the option 'value' of 'a' is nan"),
    "name in place of a field": (
        lambda: ui.form("a", "A", "name"),
        'a field of the form \'a\' is made by ui.text("name", "Name")',
    ),
    "dictionary in place of fields": (lambda: ui.form("a", "A", {"name": str}), "is made by ui.text"),
    "choice without choices": (lambda: ui.choice("a"), 'ui.choice("a") takes its choices as option={"ID": "Title"}'),
    "choice with no choices": (lambda: ui.choice("a", option={}), "has nothing to choose"),
    "length that allows nothing": (lambda: ui.text("a", length=(3, 1)), "allows nothing"),
    "length that is a text": (lambda: ui.text("a", length="1-3"), "is (minimum, maximum), such as (1, 64)"),
    "value of another type": (
        lambda: ui.integer("a", value="three"),
        "the option 'value' of 'a' must be a whole number",
    ),
    "condition without a field": (lambda: ui.text("a", shown_if="b"), "the option 'shown_if' of 'a'"),
    # Other operations.
    "result in place of a function": (lambda: ui.step("a", "work"), "takes a function and its arguments"),
    "once with attempts": (lambda: ui.step("a", work, once=True, attempts=3), "either 'once' or 'attempts'"),
    "undo that is no function": (lambda: ui.step("a", work, undo="rm"), "is a function, not 'rm'"),
    "too many attempts": (lambda: ui.look("a", work, attempts=101), "a number from 1 to 100"),
    "percentage": (lambda: ui.progress(40), "a fraction from 0 to 1, such as 0.4 for 40 %, not 40"),
    "sleep without a number": (lambda: ui.sleep("pause"), "takes a number of seconds"),
    "flow that is no flow": (lambda: ui.run(work), "the name of a flow"),
    "failure without a code": (lambda: ui.fail(""), "takes a code and a message"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_an_error_at_the_call_that_says_what_to_write(mistake: str) -> None:
    call, expected = MISTAKES[mistake]
    with pytest.raises(FlowError, match=re.escape(expected)):
        call()


def test_an_input_that_is_a_dictionary_of_types_is_refused_with_the_fields_to_write() -> None:
    expected = 'not of a dictionary: write [text("device", "Device")], or the dataclass'
    with pytest.raises(FormError, match=re.escape(expected)):
        flow("join", input=cast(Any, {"device": str}))
    with pytest.raises(FormError, match="is made by text"):
        flow("join", input=cast(Any, ["device"]))


def test_an_unknown_name_of_a_child_s_input_is_refused() -> None:
    @flow("child", input=[ui.text("device")])
    async def child(ui: UI) -> None: ...

    with pytest.raises(FlowError, match="the input of 'child' has no 'devise': did you mean 'device'"):
        ui.run(child, devise="sda")


def test_an_unknown_name_in_again_is_refused() -> None:
    @flow("rounds", input=[ui.integer("round").optional])
    async def rounds(ui: UI) -> None:
        ui.again(rond=2)

    with pytest.raises(FlowError, match="the input of 'rounds' has no 'rond': did you mean 'round'"):
        play(rounds)


def test_an_error_inside_a_call_is_not_mistaken_for_a_wrong_call() -> None:
    class Title(str):
        def __bool__(self) -> bool:
            raise TypeError("not now")

    with pytest.raises(TypeError, match="not now"):
        ui.text("a", Title("A"))


def test_choices_that_look_a_little_like_options_are_choices() -> None:
    for name in ("yes", "no", "stop", "bad", "none", "again", "exit", "time", "go", "other", "later"):
        assert ui.menu("a", "A", **{name: "Title"}).message["screen"]["actions"][0]["id"] == name


def test_a_time_limit_may_be_a_duration() -> None:
    assert ui.confirm("a", "A", timeout=timedelta(minutes=1)).message["timeout"] == 60


def test_an_outcome_is_true_if_the_coordinator_has_finished() -> None:
    assert Outcome("finished", {}) and not Outcome("cancelled", {}) and not Outcome("failed", {})


def test_what_no_longer_exists_is_left_out_with_a_line_that_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    @flow("choose")
    async def choose(ui: UI) -> None:
        await ui.list("disk", "Which?", ["sda", "sdb"], initial="gone-row", default="gone-default")
        await ui.form("size", "How large?", ui.choice("size", option={"s": "Small"}, value="gone-value"))

    one = play(choose)
    assert "initial" not in getattr(one.screen, "choosing", {}) and not hasattr(one.screen, "default")
    one.answer("sda")
    assert not getattr(one.screen, "values", None)
    written = capfd.readouterr().err.splitlines()
    for expected in (
        "the option 'initial' of the list 'disk': 'gone-row' is not among the rows, and is left out",
        "the option 'default' of the list 'disk': 'gone-default' is not among the rows, and is left out",
        "the option 'value' of 'size': 'gone-value' is not among its choices, and is left out",
    ):
        assert [line.startswith("test_script_misuse.py:") for line in written if expected in line] == [True]


def test_a_text_that_is_not_optional_has_a_character() -> None:
    for field, expected in (
        (ui.text("a"), 1), (ui.multiline("a"), 1), (ui.text("a", length=(None, 9)), 1),
        (ui.text("a", length=(0, 9)), 0),
        (ui.text("a", optional=True), None), (ui.secret("a"), None), (ui.email("a"), None), (ui.texts("a"), None),
    ):  # fmt: skip
        assert field.schema.get("minLength") == expected, field
