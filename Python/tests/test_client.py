import subprocess
import threading
import time
from typing import Any

import pytest

import coordinator
from conftest import Daemon
from coordinator import Client, StaleScreen, UnknownEvent
from coordinator.client import NoAnswerError
from coordinator.errors import Disconnected, InvalidInput, NotRunning, UnknownFlow, UnknownObject


def connected(daemon: Daemon) -> Client:
    """A client, once the daemon is there."""
    client = Client()
    end = time.monotonic() + 20
    while True:
        try:
            client.list_flows()
            return client
        except NotRunning:
            assert time.monotonic() < end, "the daemon does not answer"
            time.sleep(0.02)


def test_no_daemon(bus: str) -> None:
    with Client() as client, pytest.raises(NotRunning, match="does not run"):
        client.list_flows()


def test_plays_with_answers(daemon: Daemon) -> None:
    connected(daemon).close()
    answers: dict[str, Any] = {
        "select-visit-type": "sick",
        "select-pain-level": ["little"],
        "faking-it": ("is-fake", {}),
    }
    outcome = coordinator.run("schedule-visit", answers=answers)
    assert outcome.finished and outcome.result == {"visit": "sick", "pain": "little", "faked": True}


def test_a_screen_without_an_answer(daemon: Daemon) -> None:
    with connected(daemon) as client:
        with pytest.raises(NoAnswerError, match="select-pain-level"):
            client.run("schedule-visit", answers={"select-visit-type": "sick"})
        assert client.list_active() == []


def test_lists_and_errors(daemon: Daemon) -> None:
    with connected(daemon) as client:
        flows = {flow.name: flow for flow in client.list_flows()}
        assert flows["schedule-visit"].title == "Schedule a visit"
        with pytest.raises(UnknownFlow):
            client.start("nothing")
        with pytest.raises(InvalidInput) as caught:
            client.start("kanji-detail", {"kanjis": "水"})
        assert "kanjis" in caught.value.reasons
        detail = client.start("kanji-detail", {"kanji": "水"})
        assert detail.top and detail.top.name == "kanji-detail"
        detail.dismiss()


def test_follows_answers_and_back(daemon: Daemon) -> None:
    with connected(daemon) as client, client.start("schedule-visit", token="mine") as tree:
        first = tree.window
        assert tree.held == "" and repr(tree).endswith("mine>")
        assert first.top and first.top.name == "select-visit-type" and first.top.events == ["well", "sick"]
        with pytest.raises(UnknownEvent):
            tree.delegate("healthy")
        revision = tree.delegate("sick", seen=first.revision)
        window = tree.wait(lambda window: window.revision >= revision)
        assert [screen.name for screen in window.screens] == ["select-visit-type", "select-pain-level"]
        with pytest.raises(StaleScreen) as caught:
            tree.delegate("well", screen=first.top)
        assert caught.value.why == "covered"
        revision = tree.back()
        assert tree.wait(lambda window: window.revision >= revision).top == first.top
        tree.dismiss()
        assert tree.wait_ended(10).end == "cancelled"
        with pytest.raises(UnknownObject):
            tree.delegate("well", screen=first.top)
        assert client.forget("mine")


def test_two_clients_see_the_same(daemon: Daemon) -> None:
    with connected(daemon) as one, Client() as two:
        tree = one.start("schedule-visit").attach()
        other = two.tree(tree.path).attach()
        answers = {"select-visit-type": "well"}
        player = threading.Thread(target=lambda: other.play(answers))
        player.start()
        assert tree.wait_ended(20).result == {"visit": "well"}
        player.join(20)
        assert not player.is_alive()


def test_goes_on_after_the_daemon_was_killed(daemon: Daemon) -> None:
    with connected(daemon) as client, client.start("schedule-visit") as tree:
        revision = tree.delegate("sick")
        tree.wait(lambda window: window.revision == revision)
        daemon.kill()
        daemon.start()
        connected(daemon).close()
        assert tree.delegate("severe") == revision + 1
        top = tree.wait(lambda window: window.revision == revision + 1).top
        assert top and top.name == "no-appointment-required"
        tree.delegate("okay")
        assert tree.wait_ended(20).finished


def test_five_hundred_at_once(daemon: Daemon) -> None:
    with connected(daemon) as client:
        from coordinator.client import DAEMON, MANAGER, ROOT

        futures = [
            client.connection.call_async(DAEMON, ROOT, MANAGER, "StartFlow", "sa{sv}a{sv}", ("schedule-visit", {}, {}))
            for _ in range(500)
        ]
        assert len({future.result(60)[0] for future in futures}) == 500


def test_the_bus_is_lost(daemon: Daemon, bus_process: "subprocess.Popen[str]") -> None:
    with connected(daemon) as client, client.start("schedule-visit") as tree:
        timer = threading.Timer(0.3, bus_process.kill)
        timer.start()
        with pytest.raises(Disconnected):
            tree.wait(lambda window: window.revision > 1, timeout=None)
        with pytest.raises(Disconnected):
            tree.delegate("well")
