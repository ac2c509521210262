import pytest

from coordinator import Coordinator, Event, Screen, menu, message
from coordinator.testing import Stuck, explore
from join_network import JoinNetwork
from schedule_visit import Visit
from test_network import FakeRadio


def test_explores() -> None:
    walk = explore(Visit)
    assert walk.screens == {"select-visit-type", "select-pain-level", "faking-it", "no-appointment-required"}
    assert walk.ends == {"finished", "cancelled"}


def test_explores_forms() -> None:
    ways = [{"name": "home", "security": "open"}, {"name": "x", "security": "wpa", "passphrase": "wrong-one"}]
    walk = explore(JoinNetwork, answers={"network": ways}, radio=FakeRadio())
    assert walk.screens == {"network", "joined"} and walk.states > 2


class Trap(Coordinator, flow="trap"):
    def start(self) -> None:
        self.present("a")

    def screen(self, key: str) -> Screen:
        return menu("a", "A", go="Go", lost="Lost") if key == "a" else message("b", "B").without_back()

    def receive(self, event: Event, key: str) -> None:
        if event.name == "lost":
            raise event.not_taken()
        self.present("b")


def test_finds_what_is_wrong() -> None:
    with pytest.raises(Stuck, match="at the start ▸ a ▸ lost: no coordinator takes the event 'lost'"):
        explore(Trap)

    class Dead(Trap, flow="dead"):
        def receive(self, event: Event, key: str) -> None:
            self.present("b")

    with pytest.raises(Stuck, match="a ▸ go: 'b' is a dead end"):
        explore(Dead)

    class Broken(Trap, flow="broken"):
        def receive(self, event: Event, key: str) -> None:
            self.fail("odd", "Something")

    with pytest.raises(Stuck, match="the flow fails"):
        explore(Broken)
