"""A provider with everything that a flow can do, for provider-trial."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from coordinator import (
    Child,
    Coordinator,
    Event,
    Outcome,
    Screen,
    Secret,
    Work,
    WorkResult,
    current_work,
    form,
    menu,
    message,
    primary,
    serve,
)
from coordinator.codec import JSON
from coordinator.forms import integer, secret


@dataclass
class HubState:
    heard: list[str] = field(default_factory=list)


class Hub(Coordinator, flow="hub", title="Hub"):
    """Starts children, a timer, and work with a kept secret."""

    state: HubState

    def start(self) -> None:
        self.present("hub")

    def screen(self, key: str) -> Screen:
        match key:
            case "hub":
                return menu("hub", "What now?", own="Own child", other="Other child", ring="Ring", login="Log in")
            case "login":
                fields = [secret("password", "Password", length=(8, 20))]
                return form("login", "Log in", fields, actions=[primary("keep", "Keep")])
            case "sure":
                screen = message("sure", "Sure?", "", actions=[primary("go", "Go")])
                return screen.busy("Going") if self.running_work else screen
            case _:
                return message("rung", "It rings", "", actions=[primary("okay", "Okay")])

    def receive(self, event: Event, key: str) -> None:
        match key, event.name:
            case "hub", "own":
                self.start_child("leaf", {"number": 1})
            case "hub", "other":
                self.start_child("elsewhere", {"list": ["a"], "object": {"key": True}})
            case "hub", "ring":
                self.timer("ring", after=timedelta(seconds=30))
            case "hub", "login":
                self.present("login")
            case "login", "keep":
                self.keep_secret(*event.secrets)
                self.present("sure")
            case "sure", "go":
                self.start_work("go", secrets=["password"])
            case "rung", "okay":
                self.finish({"heard": len(self.state.heard)})
            case _:
                raise event.not_taken()

    @staticmethod
    def perform_go(*, password: Secret) -> int:
        current_work().report(0.5, "Going")
        current_work().sleep(0.1)
        return len(password)

    def work_ended(self, work: Work, result: WorkResult) -> None:
        self.finish({"length": result.get()})

    def went_back(self, key: str) -> None:
        if key == "sure":
            self.cancel_work()
            self.drop_secret("password")

    def secrets_gone(self, names: frozenset[str]) -> None:
        self.dismiss_to("login")

    def work_interrupted(self, work: Work) -> None:
        self.dismiss_to("login")

    def timer_fired(self, key: str) -> None:
        self.present("rung")

    def child_ended(self, child: Child, outcome: Outcome) -> None:
        self.state.heard = [outcome.end]

    def child_emitted(self, child: Child, value: Mapping[str, JSON]) -> None:
        self.send(child, {"heard": True})

    def receive_from_child(self, event: Event, child: Child) -> None:
        self.state.heard = [event.name]


@dataclass
class LeafState:
    has_heard: bool = False


class Leaf(Coordinator, flow="leaf", title="Leaf", input=[integer("number", "Number").optional]):
    """Sends its parent an output, and receives a message."""

    state: LeafState

    def start(self) -> None:
        self.present("leaf")

    def screen(self, key: str) -> Screen:
        title = "Heard" if self.state.has_heard else "Leaf"
        return menu("leaf", title, okay="Okay", emit="Emit", up="Up", fail="Fail")

    def receive(self, event: Event, key: str) -> None:
        match event.name:
            case "okay":
                self.finish({})
            case "emit":
                self.emit({"number": 1})
            case "fail":
                self.fail("bad", "It went wrong.")
            case _:
                raise event.not_taken()

    def parent_sent(self, message: Mapping[str, JSON]) -> None:
        self.state.has_heard = True


if __name__ == "__main__":
    serve(Hub, Leaf, bus_name="com.example.Hub")
