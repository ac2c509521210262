"""What the options of questions and operations do, played by the engine."""

from typing import Any

from coordinator import UI, PlainUI, flow
from coordinator.testing import explore, play


def test_a_list_tells_a_row_and_an_action_apart() -> None:
    @flow("join")
    async def join(ui: UI) -> dict[str, Any]:
        return {"network": await ui.list("network", "Which?", ["home", "again"], action={"again": "Look again"})}

    played = play(join)
    disabled = {item["id"]: item.get("disabled", "") for item in played.screen.data["items"]}
    assert disabled == {"home": "", "again": "This name has another meaning here."}
    assert played.answer("again").result == {"network": "again"}


def test_several_rows_are_chosen_between_limits_and_some_at_first() -> None:
    @flow("days")
    async def days(ui: UI) -> dict[str, Any]:
        chosen = await ui.list(
            "days", "When?", {"mo": "Monday", "tu": "Tuesday"}, multiple=True, initial=["tu", "gone"]
        )
        return {"days": chosen}

    played = play(days)
    assert played.screen.choosing == {"min": 0, "max": 2, "initial": ["tu"]}
    assert played.answer(["mo", "tu"]).result == {"days": ["mo", "tu"]}


def test_an_action_that_cancels_ends_the_flow() -> None:
    @flow("leave")
    async def leave(ui: UI) -> dict[str, Any]:
        await ui.menu("what", "What?", {"go": "Go"}, cancel="Leave")
        return {}

    assert play(leave).answer("cancel").is_cancelled


def test_a_message_has_its_own_actions() -> None:
    @flow("done")
    async def done(ui: UI) -> dict[str, Any]:
        first = await ui.message("a", "A", action={"on": "On", "off": "Off"})
        second = await ui.message("b", "B", extra={"off": "Off"})
        third = await ui.message("c", "C", action="Next")
        return {"chosen": [first, second, third]}

    assert play(done).answer("off").answer("okay").answer("okay").result == {"chosen": ["off", "okay", "okay"]}


def test_each_kind_of_field_is_accepted_by_the_engine_with_its_value() -> None:
    @flow("kinds")
    async def kinds(ui: UI) -> dict[str, Any]:
        form = await ui.form(
            "kinds", "Kinds",
            ui.multiline("notes", optional=True), ui.flag("news", value=True), ui.texts("names", value=["Ada"]),
            ui.integers("ports", count=(1, 2)), ui.numbers("rates", optional=True),
            ui.several("days", option={"mo": "Monday"}, optional=True), ui.date("day", value="2026-11-27"),
            ui.time("hour", optional=True), ui.date_time("at", optional=True), ui.duration("long", optional=True),
            ui.email("mail", optional=True), ui.phone("phone", optional=True), ui.host("host", optional=True),
            ui.ip("ip", value="10.0.0.1"), ui.url("page", optional=True), ui.file("file", optional=True),
            ui.uuid("id", optional=True), ui.schema("size", {"type": "integer", "title": "Size"}),
            ui.text("why", shown_if={"news": True}),
        )  # fmt: skip
        return {"day": form.day, "ports": form.ports, "mail": form.mail, "why": form.why}

    played = play(kinds)
    assert played.screen.values == {"news": True, "names": ["Ada"], "day": "2026-11-27", "ip": "10.0.0.1"}
    given: dict[str, Any] = {
        "news": True,
        "names": ["Ada"],
        "ports": [22],
        "day": "2026-11-27",
        "ip": "10.0.0.1",
        "size": 3,
        "why": "so",
    }
    assert played.answer(**given).result == {"day": "2026-11-27", "ports": [22], "why": "so"}


def test_a_body_has_bold_words_links_and_bullets() -> None:
    @flow("read")
    async def read(ui: UI) -> dict[str, Any]:
        await ui.message("a", "A", markup="**Read** [this](https://example.org)\n\n- One", bullet="Two")
        return {}

    blocks = play(read).screen.blocks
    assert [block["kind"] for block in blocks] == ["paragraph", "bullet", "bullet"]
    assert blocks[0]["spans"][0] == {"text": "Read", "style": "strong"}
    assert blocks[0]["spans"][2] == {"text": "this", "link": "https://example.org"}


def test_a_form_that_is_asked_again_keeps_what_its_screen_shows() -> None:
    @flow("again")
    async def again(ui: UI) -> dict[str, Any]:
        problem = ""
        while True:
            form = await ui.form(
                "name", "Who?", ui.text("name"), qr="x", info="Once.", step=(1, 2), error={"name": problem}
            )
            if form.name == "Ada":
                return {"name": form.name}
            problem = "is not Ada"

    played = play(again).answer(name="Bob")
    assert [(one.level, one.text, one.field) for one in played.screen.messages] == [
        ("error", "is not Ada", "name"), ("info", "Once.", ""),
    ]  # fmt: skip
    assert played.screen.picture == {"code": "x"} and played.screen.step == {"number": 1, "count": 2}
    assert played.answer(name="Ada").result == {"name": "Ada"}


def test_finish_ends_the_flow_from_within_a_function() -> None:
    @flow("early")
    async def early(ui: UI) -> dict[str, Any]:
        def leave() -> None:
            ui.finish(size="small", name=None)

        if await ui.confirm("sure", "Sure?"):
            leave()
        return {}

    assert play(early).answer("yes").result == {"size": "small"}


def test_a_child_gets_an_input_called_name() -> None:
    @flow("greet")
    async def greet(ui: UI) -> dict[str, Any]:
        await ui.message("hello", f"Hello {ui.input['name']}")
        return {}

    @flow("parent")
    async def parent(ui: UI) -> dict[str, Any]:
        return {"greeted": bool(await ui.run(greet, {"name": "Ada"}, name="first"))}

    played = play(parent, flows=[greet])
    assert played.screen.title == "Hello Ada"
    assert played.answer("okay").result == {"greeted": True}


def test_a_plain_function_names_its_place_and_takes_the_same_options() -> None:
    @flow("plain")
    def plain(ui: PlainUI) -> dict[str, Any]:
        return {"id": ui.uuid(), "sure": ui.confirm("sure", "Sure?", destructive=True)}

    played = play(plain)
    assert played.log["entries"][1]["at"].startswith("test_script_options.py:")
    assert played.screen.actions[0]["role"] == "destructive"


def test_all_paths_with_options_are_walked() -> None:
    @flow("walk")
    async def walk(ui: UI) -> dict[str, Any]:
        await ui.menu("a", "A", {"x": "X"}, destructive={"y": "Y"}, sure={"y": "Sure?"})
        await ui.form("b", "B", ui.integers("n", count=(1, 2)), ui.date("day"), cancel=True)
        return {}

    assert explore(walk).screens == {"a", "b"}
