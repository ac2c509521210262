"""Plays of scripts without a daemon."""

import enum
import threading
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, SecretStr, field_validator

from coordinator import UI, Action, As, Failed, InvalidInput, PlainUI, Secret, SecretName, flow, primary
from coordinator.errors import FlowError
from coordinator.scripts.calls import Cancelled, SecretSpent
from coordinator.testing import Held, Refused, ScriptPlay, play, replays


class World:
    """The state that the steps of these flows change."""

    def __init__(self, *, fails: int = 0) -> None:
        self.done: list[str] = []
        self.fails = fails

    def do(self, name: str = "done") -> str:
        if self.fails > 0:
            self.fails -= 1
            raise OSError(f"{name} is impossible")
        self.done.append(name)
        return name

    def undo(self, result: Any) -> None:
        self.do(f"undone {result}")


@flow("order")
async def order(ui: UI, world: World = World()) -> dict[str, Any]:  # noqa: B008
    size = await ui.menu("size", "How large?", small="Small", large="Large")
    await ui.step("brew", world.do, size)
    again = await ui.confirm("again", "Another one?")
    return {"size": size, "again": again}


def test_a_step_is_a_barrier_and_is_done_once() -> None:
    world = World()
    coffee = play(order, world=world).answer("small")
    assert coffee.screen.name == "again" and not coffee.can_go_back
    with pytest.raises(Refused):
        coffee.back()
    assert coffee.restart().answer("no").result == {"size": "small", "again": False}
    assert world.done == ["small"]


def test_back_from_the_first_question_cancels() -> None:
    assert play(order, world=World()).back().is_cancelled


@pytest.mark.parametrize(("crash", "times"), [("before-step", 1), ("during-step", 1), ("after-step", 2)])
def test_a_step_is_repeated_if_its_process_dies_before_its_result_is_stored(crash: Any, times: int) -> None:
    world = World()
    coffee = play(order, world=world).answer("small", crash=crash)
    assert coffee.screen.name == "again" and world.done == ["small"] * times
    assert coffee.log["entries"][1]["attempts"] == (1 if crash == "before-step" else 2)


@flow("once")
async def lamp(ui: UI, world: World = World()) -> dict[str, Any]:  # noqa: B008
    await ui.message("ready", "Ready?")
    try:
        await ui.step("light", world.do, once=True)
    except ui.Unknown:
        return {"light": await ui.confirm("light", "Did the light come on?")}
    return {"light": True}


def test_a_step_with_once_is_never_repeated() -> None:
    world = World()
    flow = play(lamp, world=world).answer("okay", crash="after-step")
    assert flow.screen.name == "light" and not flow.can_go_back
    assert flow.answer("yes").result == {"light": True} and world.done == ["done"]
    assert play(lamp, world=World()).answer("okay", crash="before-step").result == {"light": True}


@flow("retry")
async def retry(ui: UI, world: World = World()) -> dict[str, Any]:  # noqa: B008
    return {"done": await ui.step("do", world.do, attempts=3)}


def test_attempts_are_made_within_a_step() -> None:
    assert play(retry, world=World(fails=2)).result == {"done": "done"}
    failed = play(retry, world=World(fails=3))
    assert failed.end == {"fail": {"code": "step-failed", "message": "do: done is impossible"}}


@pytest.mark.parametrize("crash", ["during-step", "after-step"])
def test_a_crash_does_not_give_a_step_its_attempts_anew(crash: Any) -> None:
    @flow("retry-later")
    async def later(ui: UI, world: Any) -> dict[str, Any]:
        await ui.message("ready", "Ready?")
        try:
            await ui.step("do", world.try_it, attempts=3)
        except ui.StepFailed as failed:
            return {"message": failed.message}
        return {}

    class Counting(World):
        tries = 0

        def try_it(self) -> None:
            self.tries += 1
            raise OSError("no")

    world = Counting()
    played = play(later, world=world).answer("okay", crash=crash)
    assert played.result == {"message": "no"}
    assert played.log["entries"][1]["attempts"] == 3
    # An attempt that was cut short before it began counts, too.
    assert world.tries == (2 if crash == "during-step" else 3)


def test_a_step_whose_last_attempt_was_cut_short_is_unknown() -> None:
    @flow("only")
    async def only(ui: UI, world: World) -> dict[str, Any]:
        await ui.message("ready", "Ready?")
        try:
            await ui.step("do", world.do, attempts=1)
        except ui.Unknown:
            return {"known": await ui.confirm("sure", "Was it done?")}
        return {}

    world = World()
    played = play(only, world=world).answer("okay", crash="after-step")
    assert played.screen.name == "sure" and not played.can_go_back and world.done == ["done"]


def test_attempts_are_a_number() -> None:
    for attempts in (0, -1, 101, 1.5, "3"):

        @flow("wrong")
        async def wrong(ui: UI, attempts: Any = attempts) -> None:
            await ui.step("do", World().do, attempts=attempts)

        with pytest.raises(FlowError, match="a number from 1 to 100"):
            play(wrong)


@pytest.mark.parametrize(
    ("result", "reason"),
    [("x" * 70_000, "its result has 70002 bytes"), (object(), "not JSON"), (float("nan"), "not JSON")],
    ids=["long", "object", "nan"],
)
def test_a_step_that_was_done_is_not_repeated_because_of_its_result(result: Any, reason: str) -> None:
    world = World()

    def do() -> Any:
        world.do()
        return result

    @flow("resultless")
    async def resultless(ui: UI) -> dict[str, Any]:
        await ui.message("ready", "Ready?")
        try:
            await ui.step("do", do, attempts=3)
        except ui.StepFailed:
            return {"failed": True}
        except ui.NoResult as lost:
            return {"lost": lost.message, "sure": await ui.confirm("sure", "Sure?")}
        return {}

    played = play(resultless).answer("okay")
    assert played.screen.name == "sure" and not played.can_go_back and world.done == ["done"]
    lost = (played.restart().answer("yes").result or {})["lost"]
    assert reason in lost and world.done == ["done"]


def test_a_result_with_a_secret_is_neither_recorded_nor_a_reason_to_repeat_the_step() -> None:
    world = World()

    def do(pin: Secret) -> str:
        world.do()
        return bytes(pin).decode()

    @flow("telling")
    async def telling(ui: UI) -> None:
        form = await ui.form("pin", "PIN?", ui.secret("pin"))
        await ui.step("do", do, form.pin, attempts=3)

    played = play(telling).answer(pin="canary")
    assert (played.end or {})["fail"]["code"] == "no-result" and world.done == ["done"]
    assert "canary" not in played.log_text


def test_what_an_undo_returns_does_not_matter() -> None:
    @flow("undone")
    async def undone(ui: UI, world: World) -> None:
        await ui.message("one", "One")

        def undo(result: Any) -> Any:
            world.undo(result)
            return object()

        await ui.step("do", world.do, undo=undo)
        await ui.message("two", "Two")

    world = World()
    assert play(undone, world=world).answer("okay").back().screen.name == "one"
    assert world.done == ["done", "undone done"]


def test_a_list_without_rows_can_be_cancelled() -> None:
    @flow("empty")
    async def empty(ui: UI) -> dict[str, Any]:
        nothing = await ui.list("some", "Which?", [], choosing=(0, 2))
        return {"chosen": await ui.list("which", f"Which? {nothing}", [])}

    played = play(empty).answer([])
    assert [message.text for message in played.screen.messages] == ["There is nothing to choose."]
    assert played.answer("cancel").is_cancelled


def test_a_menu_without_choices_is_a_mistake() -> None:
    @flow("nothing")
    async def nothing(ui: UI) -> None:
        await ui.menu("which", "Which?")

    with pytest.raises(FlowError, match="'which' has nothing to choose"):
        play(nothing)


def test_an_error_of_a_step_is_never_mistaken_for_one_of_the_engine() -> None:
    class Unknown(Exception):
        pass

    def fail() -> None:
        raise Unknown("no")

    @flow("fails")
    async def fails(ui: UI) -> dict[str, Any]:
        try:
            await ui.step("fail", fail)
        except ui.StepFailed as failed:
            return {"type": failed.type, "message": failed.message}
        return {}

    assert play(fails).result == {"type": "test_script_flows.Unknown", "message": "no"}


def test_a_crash_of_the_script_changes_nothing() -> None:
    @flow("faulty")
    async def faulty(ui: UI) -> None:
        if await ui.menu("a", "A?", good="Good", bad="Bad") == "bad":
            raise KeyError("a mistake")

    one = play(faulty)
    with pytest.raises(KeyError):
        one.answer("bad")
    assert one.screen.name == "a" and one.answer("good").result == {}


# Back, with and without undo.


@flow("trip")
async def trip(ui: UI, world: World = World()) -> dict[str, Any]:  # noqa: B008
    city = await ui.menu("city", "Where?", rome="Rome", oslo="Oslo")
    await ui.step("flight", world.do, f"flight to {city}", undo=world.undo)
    await ui.step("hotel", world.do, f"hotel in {city}", undo=world.undo)
    await ui.confirm("sure", "Is that right?")
    return {"city": city}


def test_back_undoes_steps_newest_first() -> None:
    world = World()
    flow = play(trip, world=world).answer("rome")
    assert flow.can_go_back and flow.back().screen.name == "city" and flow.screen.suggested == "rome"
    assert world.done == ["flight to rome", "hotel in rome", "undone hotel in rome", "undone flight to rome"]
    assert flow.answer("oslo").answer("yes").result == {"city": "oslo"}


def test_an_undo_that_fails_leaves_the_user_where_they_are() -> None:
    world = World()
    flow = play(trip, world=world).answer("rome")
    world.fails = 1
    assert flow.back().screen.name == "sure" and flow.screen.messages[0].code == "undo-failed" and flow.can_go_back
    assert flow.answer("yes").result == {"city": "rome"}


def test_back_does_looks_again_only_after_the_question_before() -> None:
    seen: list[str] = []

    def see(what: str) -> int:
        seen.append(what)
        return len(seen)

    @flow("looks")
    async def looks(ui: UI) -> dict[str, Any]:
        first = await ui.look("first", see, "first")
        await ui.message("a", f"First {first}")
        second = await ui.look("second", see, "second")
        await ui.message("b", f"Second {second}")
        return {}

    flow_ = play(looks).answer("okay")
    assert flow_.back().screen.title == "First 1" and flow_.answer("okay").screen.title == "Second 3"
    assert seen == ["first", "second", "second"]


def test_a_correction_is_passed_over_by_back() -> None:
    @flow("login")
    async def login(ui: UI) -> dict[str, Any]:
        await ui.confirm("terms", "Do you agree?")
        problem = None
        while True:
            form = await ui.form("user", "Who?", ui.text("user"), error=problem)
            if form.user == "ada":
                return {"user": form.user}
            problem = {"user": "is not known"}

    one = play(login).answer("yes").answer(user="x").answer(user="y")
    assert one.screen.messages[0].field == "user" and one.back().screen.name == "terms"
    assert one.answer("yes").screen.suggested == {"user": "y"} or one.screen.suggested == {"user": "x"}
    assert one.answer(user="ada").result == {"user": "ada"}


def test_loops_use_the_same_name_any_number_of_times() -> None:
    @flow("loop")
    async def loop(ui: UI) -> dict[str, Any]:
        found: list[str] = []
        while len(found) < 4:
            found.append(await ui.menu("next", f"Number {len(found)}?", a="A", b="B"))
        return {"found": found}

    one = play(loop).answer("a").answer("b").answer("a").back().back()
    assert one.screen.title == "Number 1?" and one.screen.suggested == "b"
    assert one.answer("a").answer("a").answer("b").result == {"found": ["a", "a", "a", "b"]}
    assert [entry["key"] for entry in one.log["entries"]] == ["next", "next#2", "next#3", "next#4"]


def test_again_begins_anew_without_a_way_back() -> None:
    @flow("rounds")
    async def rounds(ui: UI) -> dict[str, Any]:
        number = ui.input.get("round", 1)
        if await ui.menu("go", f"Round {number}", on="On", stop="Stop") == "on":
            ui.again(round=number + 1)
        return {"rounds": number}

    one = play(rounds).answer("on").answer("on")
    assert one.screen.title == "Round 3" and not one.can_go_back and one.log["entries"][0]["key"] == "go"
    assert one.answer("stop").result == {"rounds": 3}


# Kinds of questions.


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


@dataclass
class Person:
    name: Annotated[str, As("Full name", length=(1, 64))]
    password: Annotated[SecretName, As("Password")] = field(default_factory=SecretName)


class Account(BaseModel):
    login: str
    password: SecretStr | None = None


def test_every_kind_of_question() -> None:
    taken: list[bytes] = []

    def take(secret: Secret) -> None:
        taken.append(bytes(secret))

    @flow("all-kinds")
    async def kinds(ui: UI) -> dict[str, Any]:
        size = await ui.menu("size", "How large?", Size, extra={"none": "None"})
        assert size is Size.LARGE or size == "none"
        several = await ui.list("days", "When?", {"mo": "Monday", "tu": "Tuesday"}, choosing=(0, 2))
        person = await ui.form("person", "Who?", Person, values={"name": "A"}, extra={"later": "Later"})
        if person == "later":
            ui.cancel()
        await ui.step("one", take, person.password)
        account = await ui.form("account", "Which?", Account)
        await ui.step("two", take, account.password)
        return {"size": str(size), "days": several, "name": person.name, "login": account.login}

    one = play(kinds).answer(Size.LARGE).answer("days", ["mo", "tu"])
    assert one.back().screen.suggested == ["mo", "tu"] and one.answer("days", []).back().screen.suggested == []
    one.answer("days", ["mo", "tu"])
    assert one.screen.values == {"name": "A"} and one.screen.events == ["submit", "later"]
    one.answer(name="Ada", password="secret-1").answer(login="ada", password="secret-2")
    assert one.result == {"size": "Size.LARGE", "days": ["mo", "tu"], "name": "Ada", "login": "ada"}
    assert taken == [b"secret-1", b"secret-2"] and "secret-1" not in one.log_text and "secret-2" not in one.log_text
    assert play(kinds).answer("none").answer("mo").answer("later").is_cancelled


class Booking(BaseModel):
    name: str
    guests: int
    pin: SecretStr | None = None

    @field_validator("guests")
    @classmethod
    def even(cls, value: int) -> int:
        if value % 2:
            raise ValueError("must be even")
        return value


def test_a_form_is_asked_again_until_its_model_accepts_it() -> None:
    @flow("booking")
    async def book(ui: UI) -> dict[str, Any]:
        await ui.confirm("first", "First?")
        booking = await ui.form("booking", "Which?", Booking)
        return {"guests": booking.guests}

    one = play(book).answer("yes").answer(name="Ada", guests=3, pin="canary")
    assert one.screen.messages[0].field == "guests" and "must be even" in one.screen.messages[0].text
    assert one.screen.values == {"name": "Ada", "guests": 3}
    assert one.restart().back().screen.name == "first"
    one.answer("yes").answer(name="Ada", guests=3).answer(name="Ada", guests=4)
    assert one.result == {"guests": 4} and replays(book, one.log) and "canary" not in one.log_text


def test_a_question_times_out() -> None:
    @flow("slow")
    async def slow(ui: UI) -> dict[str, Any]:
        size = await ui.menu("size", "How large?", small="Small", large="Large", timeout=60, default="small")
        try:
            await ui.confirm("sure", "Sure?", timeout=30)
        except ui.TimedOut:
            return {"size": size, "asked": True}
        return {"size": size}

    one = play(slow).advance(59)
    assert one.screen.name == "size" and one.restart().advance(1).screen.name == "sure"
    assert one.advance(30).result == {"size": "small", "asked": True}
    assert one.log["entries"][1]["answer"] == {"timeout": True}
    assert replays(slow, one.log)


def test_a_default_has_to_be_possible() -> None:
    @flow("wrong")
    async def wrong(ui: UI) -> None:
        await ui.menu("size", "How large?", small="Small", timeout=60, default="large")

    with pytest.raises(
        FlowError, match="the default 'large' of the menu 'size' is not accepted: the choices are small"
    ):
        play(wrong)


def test_sleeps_values_and_children() -> None:
    @flow("child")
    async def child(ui: UI) -> dict[str, Any]:
        return {"name": await ui.menu("name", f"For {ui.input['who']}?", a="A", b="B")}

    @flow("parent")
    async def parent(ui: UI) -> dict[str, Any]:
        begun, number, id = ui.now(), ui.random(), ui.uuid()
        await ui.sleep(60)
        await ui.sleep(datetime.fromtimestamp(begun + 90, UTC), name="until")
        got = await ui.run(child, who="Ada")
        if not got:
            return {"none": got.end}
        await ui.confirm("sure", f"{number} {id}?")
        return {"name": got.result["name"], "seconds": ui.now() - begun}

    one = play(parent, flows=[child]).advance(60).restart().advance(30)
    assert one.screen.title == "For Ada?"
    assert one.answer("b").screen.name == "sure" and not one.can_go_back
    assert one.answer("yes").result == {"name": "b", "seconds": 90}
    assert play(parent, flows=[child]).advance(90).restart().answer("a").screen.name == "sure"
    assert play(parent, flows=[child]).advance(90).back().result == {"none": "cancelled"}


def test_steps_side_by_side() -> None:
    world = World()

    @flow("both")
    async def both(ui: UI) -> dict[str, Any]:
        one, two = await ui.all(ui.step("one", world.do, "1"), ui.look("two", lambda: 2))
        await ui.message("done", f"{one} {two}")
        return {"both": [one, two]}

    assert play(both).restart().answer("okay").result == {"both": ["1", 2]}

    @flow("one-fails")
    async def one_fails(ui: UI) -> dict[str, Any]:
        try:
            await ui.all(ui.step("one", World(fails=1).do, "1"), ui.step("two", world.do, "2"))
        except ui.StepFailed as failed:
            return {"failed": failed.name}
        return {}

    assert play(one_fails).result == {"failed": "one"} and world.done == ["1", "2"]


@pytest.mark.parametrize("crash", [None, "before-step", "during-step", "after-step"])
def test_steps_that_wait_for_each_other_are_done_side_by_side(crash: Any) -> None:
    @flow("meeting")
    async def meeting(ui: UI) -> dict[str, Any]:
        barrier = threading.Barrier(2, timeout=30)
        await ui.menu("go", "Go?", go="Go")
        await ui.all(ui.step("one", barrier.wait), ui.step("two", barrier.wait), ui.sleep(60))
        return {"at": ui.now()}

    assert play(meeting).answer("go", crash=crash).advance(60).result["at"] >= 1_700_000_060


def test_steps_side_by_side_are_undone_one_after_the_other() -> None:
    world = World()

    @flow("both-undone")
    async def both_undone(ui: UI) -> None:
        await ui.confirm("go", "Go?")
        await ui.all(
            ui.step("one", lambda: 1, undo=world.undo), ui.look("found", lambda: 3),
            ui.step("two", lambda: 2, undo=world.undo),
        )  # fmt: skip
        await ui.confirm("sure", "Sure?")

    assert play(both_undone).answer("yes").back().screen.name == "go"
    assert world.done == ["undone 2", "undone 1"]


def test_steps_know_their_key_and_report_progress() -> None:
    keys: list[str] = []

    @flow("progress")
    async def progress(ui: UI) -> dict[str, Any]:
        async def work(number: int) -> None:
            ui.progress(number / 2, f"Part {number}")
            keys.append(ui.key)

        await ui.message("ready", "Ready?")
        await ui.step("work", work, 1, busy="Working")
        await ui.step("work", work, 2)
        return {}

    one = play(progress).answer("okay", crash="after-step")
    assert keys == ["work", "work", "work#2"] and {"fraction": 0.5, "text": "Part 1"} in one.progress


def test_failed_flows_and_inputs() -> None:
    @dataclass
    class Input:
        name: str

    @flow("fails", input=Input)
    async def fails(ui: UI) -> None:
        if ui.input.name == "x":
            raise Failed("no-x", "There is no x")
        ui.fail("no-radio", "There is no radio")

    assert play(fails, input={"name": "x"}).end == {"fail": {"code": "no-x", "message": "There is no x"}}
    assert play(fails, input={"name": "y"}).end == {"fail": {"code": "no-radio", "message": "There is no radio"}}
    with pytest.raises(InvalidInput):
        play(fails, input={"name": 3})


# Secrets.


def test_a_secret_is_bytes_for_the_first_step_only() -> None:
    @flow("secret")
    async def secret(ui: UI) -> None:
        form = await ui.form("pin", "PIN?", ui.secret("pin"))
        assert "•" in f"{form.pin}" and form.pin
        with pytest.raises(SecretSpent):
            bytes(form.pin)
        await ui.step("first", lambda pin: len(bytes(pin)), form.pin)
        with pytest.raises(ui.SecretSpent):
            await ui.step("second", lambda pin: None, form.pin)
        await ui.message("end", "End")

    one = play(secret).answer(pin="1234-canary")
    assert one.screen.name == "end" and "canary" not in one.log_text and one.log["entries"][1]["result"] == 11


def test_the_secret_of_an_earlier_form_with_the_same_name_is_spent() -> None:
    @flow("twice")
    async def twice(ui: UI) -> None:
        first = await ui.form("pin", "PIN?", ui.secret("pin"))
        await ui.form("repeat", "Again?", ui.secret("pin"))
        await ui.step("use", lambda pin: None, first.pin)

    one = play(twice).answer(pin="12345")
    with pytest.raises(SecretSpent):
        one.answer(pin="12345")


def test_a_result_or_an_error_with_a_secret_is_not_stored() -> None:
    def leak(pin: Secret) -> None:
        raise ValueError(f"{bytes(pin).decode()} is wrong")

    @flow("leaks")
    async def leaks(ui: UI) -> dict[str, Any]:
        form = await ui.form("pin", "PIN?", ui.secret("pin"))
        try:
            await ui.step("one", leak, form.pin)
        except ui.StepFailed as failed:
            problem = failed.message
        form = await ui.form("pin", problem, ui.secret("pin"))
        await ui.step("two", lambda pin: pin.reveal(), form.pin)
        return {}

    one = play(leaks).answer(pin="canary")
    assert one.screen.title == "••• is wrong"
    assert one.answer(pin="canary").end is not None and "canary" not in one.log_text
    assert "fail" in (one.end or {})


@pytest.mark.parametrize("crash", ["before-step", "during-step", "after-step"])
def test_a_lost_secret_is_asked_for_again(crash: Any) -> None:
    used: list[bytes] = []

    @flow("lost")
    async def lost(ui: UI) -> dict[str, Any]:
        await ui.confirm("sure", "Sure?")
        form = await ui.form("login", "Who?", ui.text("user"), ui.secret("pin"))
        await ui.step("use", lambda pin: used.append(bytes(pin)), form.pin)
        return {"user": form.user}

    one = play(lost).answer("yes").answer(user="ada", pin="canary-1", crash=crash)
    assert one.screen.messages[0].code == "secret-lost" and one.screen.values == {"user": "ada"} and one.can_go_back
    assert one.answer(user="ada", pin="canary-2").result == {"user": "ada"} and "canary" not in one.log_text
    assert used == ([b"canary-1"] if crash == "after-step" else []) + [b"canary-2"]


def test_a_restart_between_the_form_and_the_step_asks_for_the_secret_again() -> None:
    @flow("between")
    async def between(ui: UI) -> dict[str, Any]:
        form = await ui.form("login", "Who?", ui.secret("pin"))
        await ui.confirm("sure", "Sure?")
        return {"length": await ui.step("use", lambda pin: len(bytes(pin)), form.pin)}

    one = play(between).answer(pin="canary").restart()
    assert one.screen.name == "login" and one.screen.messages[0].code == "secret-lost"
    assert one.answer(pin="canary").answer("yes").result == {"length": 6}


# Upgrades.


def asking(*names: str, step_after: str = "", patched: str = "") -> Any:
    @flow("visit")
    async def script(ui: UI) -> dict[str, Any]:
        for name in names:
            if name == patched and not ui.patched(name):
                continue
            await ui.menu(name, f"{name}?", a="A", b="B")
            if name == step_after:
                await ui.step("book", lambda: 1)
        return {}

    return script


def test_upgrades_before_an_effect_ask_again_with_suggestions() -> None:
    old = play(asking("one", "two", "three")).answer("a").answer("b")
    inserted = play(asking("one", "new", "two", "three"), log=old.log)
    assert inserted.screen.name == "new" and inserted.answer("a").screen.suggested == "b"
    assert play(asking("two", "three"), log=old.log).screen.suggested == "b"
    assert play(asking("one", "2", "three"), log=old.log).screen.name == "2"
    assert not replays(asking("one", "new", "two", "three"), old.log)
    assert replays(asking("one", "two", "three", "four"), old.log)


def test_upgrades_before_an_effect_hold_the_flow_unless_patched() -> None:
    old = play(asking("one", "two", step_after="one")).answer("a")
    with pytest.raises(Held, match=r'recorded 2\. step "book" at .*; now 2\. ask "new" at .*patched'):
        play(asking("one", "new", "two"), log=old.log)
    assert not replays(asking("new", "one", "two", step_after="one"), old.log)
    patched = asking("new", "one", "two", step_after="one", patched="new")
    assert replays(patched, old.log) and play(patched, log=old.log).screen.name == "two"
    assert play(patched).screen.name == "new"


def test_the_action_that_goes_on_may_be_given() -> None:
    @flow("actions")
    async def actions(ui: UI) -> dict[str, Any]:
        user = await ui.form("user", "Who?", ui.text("name"), action=primary("join", "Join"), extra={"skip": "Skip"})
        name = user if isinstance(user, str) else user.name
        said = await ui.message("next", "Next", action=Action("go", "Go"))
        last = await ui.message("last", "Last", extra=[Action("out", "Log out"), primary("done", "Done")], timeout=60)
        return {"name": name, "said": [said, last]}

    one = play(actions)
    assert [(one["id"], one["role"]) for one in one.screen.actions] == [("join", "primary"), ("skip", "normal")]
    one.answer(name="Ada").answer("go")
    assert [(one["id"], one["role"]) for one in one.screen.actions] == [("out", "normal"), ("done", "primary")]
    assert one.advance(60).result == {"name": "Ada", "said": ["go", "done"]}
    assert play(actions).answer("skip").answer("go").answer("out").result == {"name": "skip", "said": ["go", "out"]}


# Plain functions.


@flow("plain")
def plain(ui: PlainUI, world: World = World()) -> dict[str, Any]:  # noqa: B008
    size = ui.menu("size", "How large?", small="Small", large="Large")
    if ui.patched("new"):
        ui.message("new", f"{ui.now()}")
    both = ui.all(ui.later.step("one", world.do, "1"), ui.later.look("two", lambda: 2))
    form = ui.form("name", "Who?", ui.text("name"))
    return {"size": size, "both": both, "name": form.name}


def test_a_plain_function_is_a_flow_too() -> None:
    one = play(plain, world=World()).answer("small").back().answer("large").answer("okay").restart().answer(name="Ada")
    assert one.result == {"size": "large", "both": ["1", 2], "name": "Ada"}
    assert one.log["entries"][0]["at"].startswith("test_script_flows.py:")


# Ends.


@pytest.mark.parametrize("is_plain", [False, True])
def test_a_stopped_run_gets_cancelled_at_its_open_call(is_plain: bool) -> None:
    seen: list[object] = []

    @flow("async")
    async def coroutine(ui: UI) -> None:
        try:
            await ui.menu("a", "A?", a="A")
        except Cancelled as cancelled:
            seen.append(cancelled.reason)
            try:
                await ui.menu("b", "B?", a="A")
            except FlowError as error:
                seen.append(type(error))
            raise

    @flow("plain")
    def function(ui: PlainUI) -> None:
        try:
            ui.menu("a", "A?", a="A")
        except Cancelled as cancelled:
            seen.append(cancelled.reason)
            try:
                ui.menu("b", "B?", a="A")
            except FlowError as error:
                seen.append(type(error))
            raise

    script = function if is_plain else coroutine
    assert play(script).screen.name == "a" and Counter(seen) == {"evicted": 3, FlowError: 3}
    one: ScriptPlay = play(script, evict=False)
    seen.clear()
    assert one.back().is_cancelled
    assert seen[:2] == ["cancelled", FlowError]


def test_too_many_entries_end_the_flow() -> None:
    @flow("endless")
    async def endless(ui: UI) -> None:
        while True:
            ui.now()

    assert (play(endless).end or {})["fail"]["code"] == "too-long"

    @flow("large")
    async def large(ui: UI) -> None:
        while True:
            await ui.look("large", lambda: "x" * 10_000)

    assert (play(large).end or {})["fail"]["code"] == "too-long"
