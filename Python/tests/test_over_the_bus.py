"""Flows play over a bus exactly as they play without one."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from coordinator import Answer, Coordinator, DecideArguments, Denied
from coordinator.provider import Provider
from coordinator.testing import Play, decide_twice
from fake_daemon import FakeDaemon
from join_network import JoinNetwork
from schedule_visit import Visit
from test_core import Asking, Faulty, Picking, Vault, Wizard
from test_network import FakeRadio
from test_provider import NAME

ALL = (Visit, JoinNetwork.using(radio=FakeRadio()), Asking, Wizard, Vault, Picking, Faulty)


@pytest.fixture
def remotely(bus: str) -> Iterator[Callable[..., Play]]:
    """Plays a flow whose Decides go over the bus, to a provider."""
    import threading

    daemon = FakeDaemon()
    provider = Provider(ALL, NAME, "session")
    thread = threading.Thread(target=provider.run)
    thread.start()
    daemon.registered()

    def ask(flow: type[Coordinator], arguments: DecideArguments) -> Answer:
        context: dict[str, Any] = {key: value for key, value in arguments["context"].items() if key != "deadline"}
        answer: Any = None
        try:
            answer = daemon.decide(
                NAME, arguments["flow"], arguments["event"], state=arguments["state"], turn=arguments["turn"],
                instance=arguments["instance"], **context,
            )  # fmt: skip
        finally:
            here: Any = None
            try:
                here = decide_twice(flow, arguments)
            except Exception as error:
                here = repr(error)
            if answer is not None:
                assert json.loads(json.dumps(here)) == answer
        return answer  # type: ignore[no-any-return]

    def play(flow: type[Coordinator], *flows: type[Coordinator], input: Any = None) -> Play:
        return Play(flow, flows, input, "en", False, ask)

    yield play
    provider.stop()
    thread.join(20)
    daemon.close()


def test_over_the_bus(remotely: Callable[..., Play]) -> None:
    assert remotely(Visit).answer("sick").answer("little").back().answer("none").answer("is-fake").result["faked"]
    network = remotely(ALL[1]).answer(name="home", security="wpa", passphrase="wrong-one")
    assert network.screen.messages[0].code == "not-joined"
    assert network.answer(name="home", security="wpa", passphrase="open-sesame").answer("okay").result
    wizard = remotely(Wizard, Asking).answer("ask")
    with pytest.raises(Denied, match="somebody has that name"):
        wizard.answer(name="ada")
    assert wizard.answer(name="bob").back().answer(name="eve").answer("okay").result == {"name": "eve", "log": []}
    vault = remotely(Vault, input={"owner": "ada"}).advance(60)
    assert vault.screen.messages[0].text == "Hurry"
    assert vault.send("continue", {"one": "x", "two": "x"}).answer("use").result == {"length": 1}
    assert remotely(Picking).select("b", "a").result == {"ids": ["b", "a"]}
    failed = remotely(Faulty).answer("fail").outcome
    assert failed is not None and failed.result == {"code": "broken", "message": "It is broken"}
