import pytest

from coordinator import InvalidPayload, UnknownEvent
from coordinator.testing import play
from join_network import JoinNetwork


class FakeRadio:
    def __init__(self) -> None:
        self.joined: list[tuple[str, bytes | None]] = []

    def join(self, network: str, passphrase: bytes | None) -> None:
        if passphrase == b"wrong-one":
            raise ConnectionError("refused")
        self.joined.append((network, passphrase))


def test_joins() -> None:
    radio = FakeRadio()
    flow = play(JoinNetwork, radio=radio).answer("network", name="home", security="wpa", passphrase="open-sesame")
    assert flow.screen.name == "joined" and not flow.can_go_back
    assert radio.joined == [("home", b"open-sesame")]
    assert flow.answer("okay").result == {"network": "home"}


def test_a_wrong_passphrase_is_asked_again() -> None:
    radio = FakeRadio()
    flow = play(JoinNetwork, radio=radio).answer(name="home", security="wpa", passphrase="wrong-one")
    assert flow.screen.messages[0].code == "not-joined" and flow.screen.values == {"name": "home"}
    assert "wrong-one" not in flow.state_text and not radio.joined
    assert flow.answer(name="home", security="wpa", passphrase="open-sesame").screen.name == "joined"


def test_a_missing_passphrase_is_refused() -> None:
    flow = play(JoinNetwork, radio=FakeRadio())
    with pytest.raises(InvalidPayload) as caught:
        flow.answer(name="home", security="wpa")
    assert caught.value.reasons == {"passphrase": "is required by this network"}
    with pytest.raises(InvalidPayload) as caught:
        flow.answer(name="", security="wep", passphrase="short")
    assert set(caught.value.reasons) == {"name", "security", "passphrase"}


def test_busy_and_interrupted() -> None:
    radio = FakeRadio()
    flow = play(JoinNetwork, radio=radio, hold_work=True).answer(name="home", security="wpa", passphrase="open-sesame")
    assert flow.screen.busy == "Joining home" and flow.screen.events == ["stop"] and not flow.is_dismissable
    with pytest.raises(UnknownEvent):
        flow.send("join", {"name": "home", "security": "open"})
    flow.restart()
    assert flow.screen.busy is None and "again" in flow.screen.messages[0].text and not radio.joined
    flow.answer(name="home", security="open")
    assert flow.running_work == ["join-2"]
    assert flow.release("join").screen.name == "joined"


def test_stop() -> None:
    flow = play(JoinNetwork, radio=FakeRadio(), hold_work=True).answer(name="home", security="open").answer("stop")
    assert flow.running_work == [] and flow.screen.busy is None
    outcome = flow.answer("stop").outcome
    assert outcome is not None and outcome.end == "cancelled"
