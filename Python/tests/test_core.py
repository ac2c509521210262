import enum
import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, ClassVar

import pytest

from coordinator import (
    JSON,
    Child,
    Coordinator,
    Denied,
    Event,
    Failed,
    FlowError,
    InvalidInput,
    Item,
    NotDismissable,
    Outcome,
    Screen,
    Secret,
    UnknownEvent,
    Work,
    WorkResult,
    cancel_action,
    current_work,
    form,
    info,
    list_of,
    menu,
    message,
    primary,
)
from coordinator.core import decide
from coordinator.forms import secret, text
from coordinator.testing import NotPure, play


@dataclass
class Name:
    name: str


class Asking(Coordinator, flow="asking", output=Name, router="modal"):
    """A child that emits, and stays for Back."""

    def start(self) -> None:
        self.present("name")

    def screen(self, key: str) -> Screen:
        actions = [primary("next", "Next"), cancel_action("leave", "Leave")]
        return form("name", "Name?", [text("name", "Name", length=(1, 8))], actions=actions)

    def receive(self, event: Event, key: str) -> None:
        if event.name == "leave":
            self.cancel()
        else:
            self.emit(event.decoded(Name))

    def parent_sent(self, message: Mapping[str, JSON]) -> None:
        if message.get("end"):
            self.finish(Name("told"))


@dataclass
class WizardState:
    name: str = ""
    log: list[str] = field(default_factory=list)


class Wizard(Coordinator, flow="wizard"):
    state: WizardState

    def start(self) -> None:
        self.present("welcome")

    def screen(self, key: str) -> Screen:
        if key == "welcome":
            return menu("welcome", "Welcome", ask="Ask", tell="Tell", odd="Odd", both="Both")
        return message("done", f"Hello {self.state.name}", actions=[primary("okay", "Okay")])

    def receive(self, event: Event, key: str) -> None:
        if key == "done":
            return self.finish(self.state)
        self.start_child(Asking, router="modal" if event.name == "tell" else None)
        if event.name == "both":
            self.start_child("asking")
        return None

    def child_emitted(self, child: Child, value: Mapping[str, JSON]) -> None:
        assert child.runs(Asking)
        if value["name"] == "ada":
            raise Denied("somebody has that name")
        self.state.name = value["name"]
        if value["name"] == "end":
            self.send(child, {"end": True})
        else:
            self.present("done")

    def child_ended(self, child: Child, outcome: Outcome) -> None:
        self.state.log.append(f"{outcome.end} {outcome.decoded(Name).name if outcome.finished else ''}".strip())

    def receive_from_child(self, event: Event, child: Child) -> None:
        raise Failed("unexpected", event.name)


def test_a_child_emits_and_back_leads_into_it() -> None:
    flow = play(Wizard, flows=[Asking]).answer("ask")
    assert flow.names == ["welcome", "name"]
    with pytest.raises(Denied):
        flow.answer(name="ada")
    flow.answer(name="bob")
    assert flow.names == ["welcome", "name", "done"]
    flow.back().answer(name="eve").answer("okay")
    assert flow.result == {"name": "eve", "log": []}


def test_children_end_in_every_way() -> None:
    flow = play(Wizard, flows=[Asking]).answer("tell")
    flow.answer(name="end")
    assert flow.names == ["welcome"]
    flow.answer("ask").answer("leave").answer("ask").back()
    assert "finished told" in flow.state_text and flow.state_text.count("cancelled") == 2
    flow.answer("both")
    assert flow.names == ["welcome", "name", "name"]
    assert [node for node in flow._tree.nodes if "asking" in node][-1].endswith("asking_5")


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class VaultState:
    colour: Colour = Colour.RED
    seconds: int = 0
    notes: dict[str, list[int]] = field(default_factory=dict)


class Vault(Coordinator, flow="vault", input=[text("owner", "Owner", length=(2, 9))]):
    """Keeps secrets, runs timers, shows live values."""

    state: VaultState
    opened: ClassVar[list[tuple[str, bytes]]] = []

    def start(self) -> None:
        self.present("new")
        self.timer("closes", after=timedelta(minutes=1))

    def screen(self, key: str) -> Screen:
        if key == "new":
            fields = [secret("one", "Password"), secret("two", "Once more").optional]
            return form("new", f"For {self.input['owner']}", fields)
        return menu("weak", f"Weak, {self.language}", use="Use it", other="Another").step(2, of=3)

    def receive(self, event: Event, key: str) -> None:
        match event.name:
            case "continue":
                if not event.equal("one", "two"):
                    raise Denied("not the same")
                self.keep_secret("one")
                self.present("weak", "modal")
            case "use":
                self.start_work("open", self.state.colour, secrets=["one"])
            case "other":
                self.drop_secret("one")
                self.dismiss()

    @staticmethod
    def perform_open(colour: str, *, one: Secret) -> dict[str, int]:
        assert "•" in repr(one) and "•" in f"{one}"
        current_work().report(1, "opening", {"new": {"items": [Item("a", "A")]}})
        Vault.opened.append((colour, bytes(one)))
        return {"length": len(one)}

    def work_ended(self, work: Work, result: WorkResult) -> None:
        assert work.name == "open" and work.arguments == ["red"]
        self.finish({"length": result.get()["length"]})

    def secrets_gone(self, names: frozenset[str]) -> None:
        self.dismiss_to("new")
        assert names == {"one"}

    def timer_fired(self, key: str) -> None:
        self.state.seconds += 60
        if self.state.seconds == 60:
            self.attach(info("late", "Hurry"))
            self.timer(key, after=timedelta(minutes=1))
        else:
            self.cancel()


NOW = 1_700_000_000_000_000


def test_a_timer_of_a_duration_says_so() -> None:
    """The daemon waits for it, even if the clock is set; a daemon that knows no durations takes the time."""

    class Bell(Coordinator, flow="bell"):
        def start(self) -> None:
            self.timer("soon", after=timedelta(seconds=90))
            self.timer("past", after=timedelta(seconds=-1))
            self.timer("then", at=5)
            self.present("bell")

        def screen(self, key: str) -> Screen:
            return menu("bell", "Bell", go="Go")

    arguments: Any = {"event": {"kind": "start"}, "state": "", "context": {"now": NOW, "input": {}, "screens": []}}
    timers = [operation for operation in decide(Bell, arguments)["do"] if operation["op"] == "timer"]
    assert timers == [
        {"op": "timer", "key": "soon", "at": NOW + 90_000_000, "after": 90_000_000},
        {"op": "timer", "key": "past", "at": NOW - 1_000_000, "after": 0},
        {"op": "timer", "key": "then", "at": 5},
    ]


def test_secrets_are_kept_and_taken_once() -> None:
    Vault.opened.clear()
    flow = play(Vault, input={"owner": "ada"}).send("continue", {"one": "open-sesame", "two": "open-sesame"})
    assert flow.names == ["new", "weak"] and flow.screen.step == {"number": 2, "count": 3}
    assert "sesame" not in flow.state_text
    assert flow.answer("use").result == {"length": 11}
    assert Vault.opened == [("red", b"open-sesame")]


def test_secrets_are_compared_dropped_and_lost() -> None:
    flow = play(Vault, input={"owner": "ada"})
    with pytest.raises(Denied, match="not the same"):
        flow.answer(one="open-sesame", two="open-sesam")
    flow.answer(one="open-sesame", two="open-sesame").answer("other")
    assert flow.names == ["new"]
    flow.answer(one="open-sesame", two="open-sesame").restart()
    assert flow.names == ["new"]


class Speaking(Coordinator, flow="speaking"):
    def start(self) -> None:
        self.present("home")

    def screen(self, key: str) -> Screen:
        return form("home", f"In {self.language}", [secret("one", "One"), secret("two", "Two").optional])

    def receive(self, event: Event, key: str) -> None:
        if event.equal("one", "kept:one"):
            self.change_language("fr")
        elif event.equal("one", "two"):
            self.keep_secret("one")
            self.change_language("de")


def test_speaks_and_compares_with_kept_secrets() -> None:
    flow = play(Speaking).answer(one="a")
    assert flow.screen.title == "In en"
    assert flow.answer(one="a", two="a").screen.title == "In de"
    assert flow.answer(one="b").screen.title == "In de"
    assert flow.answer(one="a").screen.title == "In fr"


def test_timers_and_languages() -> None:
    flow = play(Vault, input={"owner": "ada"}, language="de")
    assert flow.advance(59).screen.messages == []
    assert [one.text for one in flow.advance(1).screen.messages] == ["Hurry"]
    flow.answer(one="x", two="x")
    assert flow.screen.title == "Weak, de" and flow.set_language("fr").screen.title == "Weak, fr"
    outcome = flow.advance(timedelta(minutes=2)).outcome
    assert outcome is not None and outcome.end == "cancelled"


def test_input_is_checked() -> None:
    with pytest.raises(InvalidInput) as caught:
        play(Vault, input={"owner": "a", "other": 1})
    assert set(caught.value.reasons) == {"owner", "other"}
    with pytest.raises(InvalidInput):
        play(Wizard, input={"a": 1})


class Old(Coordinator, flow="ages", version=1):
    def start(self) -> None:
        self.stored["ssid"] = "home"
        self.present("a")

    def screen(self, key: str) -> Screen:
        return menu("a", "A", go="Go")


@dataclass
class OldState:
    ssid: str = "home"


class Older(Old, flow="ages", version=1):
    state: OldState


@dataclass
class NewState:
    network: str = ""


class Newer(Old, flow="ages", version=3):
    state: NewState

    def screen(self, key: str) -> Screen:
        return menu("a", f"In {self.state.network}", go="Go", stay="Stay")

    def receive(self, event: Event, key: str) -> None:
        self.finish(self.state)

    def migrate(self, from_version: int) -> None:
        assert from_version == 1
        self.stored["network"] = self.stored.pop("ssid")


def test_migrates() -> None:
    flow = play(Older).upgrade(Newer)
    assert flow.screen.title == "In home" and flow.screen.events == ["go", "stay"]
    assert flow.answer("go").result == {"network": "home"}


def test_a_version_without_migration() -> None:
    class Unable(Older, flow="ages", version=2):
        pass

    flow = play(Older)
    with pytest.raises(FlowError, match="does not migrate from version 1"):
        flow.upgrade(Unable)
    assert flow.screen.title == "A"


class Impure(Coordinator, flow="impure"):
    counter: ClassVar[Any] = itertools.count()

    def start(self) -> None:
        self.present("a")

    def screen(self, key: str) -> Screen:
        return message("a", str(next(Impure.counter)))


def test_impurity_is_found() -> None:
    with pytest.raises(NotPure, match="two answers"):
        play(Impure)


class Faulty(Coordinator, flow="faulty", singleton=True):
    def start(self) -> None:
        self.present("menu")

    def screen(self, key: str) -> Screen:
        return menu(
            "menu", "What?", twice="a", work="b", fail="c", back="d", after="e", nothing="f", nul="g"
        ).without_back()

    def receive(self, event: Event, key: str) -> None:
        match event.name:
            case "twice":
                self.present("menu")
            case "work":
                self.start_work("nothing")
            case "fail":
                self.present("other")
                self.fail("broken", "It is broken")
            case "after":
                self.finish()
                self.present("other")
            case "nothing":
                self.dismiss()
            case "nul":
                self.finish({"a": "\0"})

    @property
    def is_dismissable(self) -> bool:
        return False


def test_mistakes_are_found() -> None:
    flow = play(Faulty)
    for event, problem in {
        "twice": "shown already", "work": "has no perform_nothing", "after": "has ended", "nul": "NUL",
    }.items():  # fmt: skip
        with pytest.raises(FlowError, match=problem):
            flow.answer(event)
        assert flow.names == ["menu"]
    with pytest.raises(NotDismissable):
        flow.back()
    with pytest.raises(NotDismissable):
        flow.dismiss()
    with pytest.raises(UnknownEvent):
        flow.script("ring")
    outcome = flow.answer("fail").outcome
    assert outcome == Outcome("failed", {"code": "broken", "message": "It is broken"})
    outcome = play(Faulty).answer("nothing").outcome
    assert outcome is not None and outcome.result["code"] == "nothing-to-show"


class Picking(Coordinator, flow="picking"):
    def start(self) -> None:
        self.present("list")

    def screen(self, key: str) -> Screen:
        items = [Item("a", "A"), Item("b", "B", group="Last"), Item("c", "C", disabled="sold out")]
        return (
            list_of("list", "Which?", items, actions=[cancel_action("no", "None")])
            .choosing(1, 2, ["a"])
            .suggesting("b")
        )

    def receive(self, event: Event, key: str) -> None:
        self.finish({"ids": event.selections})


def test_lists() -> None:
    assert play(Picking).screen.suggested == ["b"] and play(Vault, input={"owner": "ada"}).screen.suggested is None
    assert play(Picking).answer("a").result == {"ids": ["a"]}
    assert play(Picking).select("b", "a").result == {"ids": ["b", "a"]}
    with pytest.raises(Denied, match="sold out"):
        play(Picking).answer("c")


@dataclass
class GreetingInput:
    name: str
    loud: bool = False


class Greeting(Coordinator, flow="greeting"):
    input: GreetingInput

    def start(self) -> None:
        self.present("hello")

    def screen(self, key: str) -> Screen:
        name = self.input.name.upper() if self.input.loud else self.input.name
        return message("hello", f"Hello {name}", actions=[primary("okay", "Okay")])


def test_input_is_typed() -> None:
    assert play(Greeting, input={"name": "ada"}).screen.title == "Hello ada"
    assert play(Greeting, input=GreetingInput("ada", True)).screen.title == "Hello ADA"
    with pytest.raises(InvalidInput, match="'name' is required"):
        play(Greeting)


def test_flows_are_described() -> None:
    described = Vault.flow.to_json()
    assert described["name"] == "vault" and described["input"]["required"] == ["owner"]
    assert Asking.flow.to_json()["output"]["properties"]["name"]["title"] == "Name"
    assert json.loads(json.dumps(described)) == described
    with pytest.raises(FlowError, match="not the name of a flow"):

        class Bad(Coordinator, flow="a b"):
            pass

    with pytest.raises(FlowError, match="no attribute 'radoi'"):
        Vault.using(radoi=1)


@dataclass
class Seen:
    looks: int = 0
    looking: bool = False
    languages: list[str] = field(default_factory=list)


class Watching(Coordinator, flow="watching"):
    state: Seen

    def start(self) -> None:
        self.present("home")

    def screen(self, key: str) -> Screen:
        return message(
            "home", f"{self.state.looks} times, {'now' if self.state.looking else 'not now'}, {self.language}"
        )

    def looking_changed(self, looking: bool) -> None:
        self.state.looking = looking
        self.state.looks += looking

    def language_changed(self, language: str) -> None:
        self.state.languages.append(language)


def test_looking_and_language() -> None:
    flow = play(Watching)
    assert flow.screen.title == "0 times, not now, en"
    assert flow.look().screen.title == "1 times, now, en"
    assert flow.set_language("de").look(False).look().screen.title == "2 times, now, de"
    assert '"languages":["de"]' in flow.state_text.replace(" ", "")
