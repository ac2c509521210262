import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import pytest

from coordinator import Coordinator, Denied, Event, Failed, InvalidPayload, Screen, Secret, current_work, menu
from coordinator.bus import Connection
from coordinator.errors import AccessDenied, CoordinatorError, FlowTaken, ProviderFailed, UnknownEvent
from coordinator.provider import CUT, INTERFACE, PROVIDER_PATH, Provider
from fake_daemon import FakeDaemon
from schedule_visit import Visit

NAME = "com.example.Test"


class Busy(Coordinator, flow="busy"):
    """Does everything that the edge has to carry."""

    gate: ClassVar[threading.Event] = threading.Event()
    begun: ClassVar[list[tuple[str, int, bytes]]] = []

    def start(self) -> None:
        self.present("menu")

    def screen(self, key: str) -> Screen:
        return menu("menu", "What?", deny="Deny", invalid="Invalid", fail="Fail", bug="Bug")

    def receive(self, event: Event, key: str) -> None:
        match event.name:
            case "deny":
                raise Denied("not today")
            case "invalid":
                raise InvalidPayload(name="is odd")
            case "fail":
                self.fail("broken", "it broke")
            case "bug":
                raise ZeroDivisionError("a bug")
            case "slow":
                time.sleep(0.2)
            case _:
                raise event.not_taken()

    def perform_wait(self, *words: str, password: Secret | None = None) -> dict[str, Any]:
        work = current_work()
        Busy.begun.append((work.key, work.attempt, bytes(password or b"")))
        work.report(0.5, "half", live={"list": {"items": [{"id": "a", "title": "A"}]}})
        while not Busy.gate.wait(0.01):
            work.check_cancelled()
        return {"words": list(words)}

    @staticmethod
    def perform_large() -> str:
        return "x" * 300_000

    @staticmethod
    def perform_wordy() -> None:
        raise LookupError("x" * 300_000)

    async def perform_bug(self) -> None:
        raise LookupError("nothing there")


@contextmanager
def serving(**options: Any) -> Iterator[Provider]:
    Busy.gate.clear()
    Busy.begun.clear()
    provider = Provider((Busy, Visit), **{"bus_name": NAME, "bus": "session", "grace": 1.0, **options})
    thread = threading.Thread(target=provider.run)
    thread.start()
    try:
        yield provider
    finally:
        Busy.gate.set()
        provider.stop()
        thread.join(20)
        assert not thread.is_alive()


@pytest.fixture
def daemon(bus: str) -> Iterator[FakeDaemon]:
    one = FakeDaemon()
    yield one
    one.close()


def test_registers_and_decides(daemon: FakeDaemon) -> None:
    with serving():
        _, flows, options = daemon.registered()
        assert options == {"name": NAME, "concurrency": 16}
        assert flows["python-visit"]["title"] == "Schedule a visit" and flows["python-visit"]["rehearsable"] is True
        assert flows["python-visit"]["result"]["required"] == ["visit"] and flows["python-visit"]["version"] == 2
        started = daemon.decide(NAME, "python-visit", {"kind": "start"})
        assert started["do"] == [{"op": "present", "key": "visit-type"}]
        assert [one["id"] for one in started["screens"]["visit-type"]["actions"]] == ["well", "sick"]
        event = {"kind": "event", "key": "visit-type", "name": "sick", "payload": {}}
        answer = daemon.decide(NAME, "python-visit", event, state=started["state"], screens=["visit-type"])
        assert answer["do"] == [{"op": "present", "key": "pain-level"}]
        # The first screen has not changed.
        assert list(answer["screens"]) == ["pain-level"]


@pytest.mark.parametrize(
    ("event", "error", "more"),
    [
        ("deny", Denied, {"message": "not today"}),
        ("invalid", InvalidPayload, {"reasons": {"name": "is odd"}}),
        ("fail", Failed, {"code": "broken", "message": "it broke"}),
        ("bug", ProviderFailed, {"message": "ZeroDivisionError: a bug"}),
        ("other", UnknownEvent, {}),
    ],
)
def test_errors(daemon: FakeDaemon, event: str, error: type[CoordinatorError], more: dict[str, Any]) -> None:
    with serving():
        daemon.registered()
        started = daemon.decide(NAME, "busy", {"kind": "start"})
        what = {"kind": "event", "key": "menu", "name": event, "payload": {}}
        with pytest.raises(error) as caught:
            daemon.decide(NAME, "busy", what, state=started["state"], screens=["menu"])
        assert {name: getattr(caught.value, name) for name in more} == more


def test_only_the_daemon_may_ask(daemon: FakeDaemon) -> None:
    with serving(), Connection("session") as stranger:
        daemon.registered()
        with pytest.raises(AccessDenied):
            stranger.call(NAME, PROVIDER_PATH, INTERFACE, "Decide", "sstsa{sv}a{sv}", ("busy", "i", 1, "", {}, {}))
        with pytest.raises(CoordinatorError, match="takes sssusa"):
            daemon.connection.call(NAME, PROVIDER_PATH, INTERFACE, "Perform", "s", ("busy",))


def test_registers_again_with_the_next_daemon(bus: str) -> None:
    with serving() as provider:
        time.sleep(0.1)
        assert not provider.registered.is_set()
        for _ in range(3):
            daemon = FakeDaemon()
            daemon.registered()
            assert daemon.decide(NAME, "busy", {"kind": "start"})["do"]
            daemon.close()


def test_work_is_accepted_once_and_ended_until_it_is_stored(daemon: FakeDaemon) -> None:
    with serving():
        daemon.registered()
        daemon.refuse_results = 2
        daemon.perform(NAME, "busy", "wait-1", '["a"]', {"password": "open-sesame"})
        daemon.perform(NAME, "busy", "wait-1", '["a"]', attempt=2)
        report = daemon.reports.get(timeout=10)
        assert report[2] == {"fraction": 0.5, "text": "half", "live": {"list": {"items": [{"id": "a", "title": "A"}]}}}
        assert daemon.results.empty()
        Busy.gate.set()
        assert daemon.results.get(timeout=20) == ("/flows/1@1", "wait-1", {"value": '{"words":["a"]}'})
        assert Busy.begun == [("/flows/1@1/wait-1", 1, b"open-sesame")]


def test_work_survives_the_daemon(bus: str) -> None:
    with serving():
        daemon = FakeDaemon()
        daemon.registered()
        daemon.perform(NAME, "busy", "wait-1")
        daemon.close()
        daemon = FakeDaemon()
        daemon.registered()
        daemon.perform(NAME, "busy", "wait-1", attempt=2)
        Busy.gate.set()
        assert daemon.results.get(timeout=20)[1] == "wait-1"
        assert len(Busy.begun) == 1
        daemon.close()


def test_a_result_waits_for_the_next_daemon(bus: str) -> None:
    with serving():
        daemon = FakeDaemon()
        daemon.registered()
        daemon.perform(NAME, "busy", "wait-1")
        daemon.close()
        Busy.gate.set()
        time.sleep(0.1)
        daemon = FakeDaemon()
        assert daemon.results.get(timeout=20)[1] == "wait-1"
        daemon.close()


def test_errors_and_cancelling_of_work(daemon: FakeDaemon) -> None:
    with serving():
        daemon.registered()
        daemon.perform(NAME, "busy", "bug-1")
        assert daemon.results.get(timeout=20)[2] == {"type": "LookupError", "message": "nothing there"}
        daemon.perform(NAME, "busy", "large-2")
        result = daemon.results.get(timeout=20)[2]
        assert result["type"] == "too-long" and "was done" in result["message"]
        daemon.perform(NAME, "busy", "wordy-3")
        message = daemon.results.get(timeout=20)[2]["message"]
        assert len(message) == 4096 and message.startswith("xxx") and message.endswith(CUT)
        daemon.perform(NAME, "busy", "wait-4")
        daemon.tell(NAME, "CancelWork", "ss", "/flows/1@1", "wait-4")
        assert daemon.results.get(timeout=20)[2]["type"] == "Cancelled"
        daemon.perform(NAME, "busy", "wait-5")
        daemon.tell(NAME, "Ended", "ss", "/flows/1@1", "cancelled")
        with pytest.raises(ProviderFailed, match="perform_nothing"):
            daemon.perform(NAME, "busy", "nothing-5")
        time.sleep(0.1)
        assert daemon.results.empty()


def test_a_result_that_the_daemon_refuses_is_logged_and_an_error_told_instead(
    daemon: FakeDaemon, caplog: pytest.LogCaptureFixture
) -> None:
    with serving():
        daemon.registered()
        daemon.result_errors = [("org.freedesktop.DBus.Error.InvalidArgs", "no room for it")]
        daemon.perform(NAME, "busy", "wait-1")
        Busy.gate.set()
        result = daemon.results.get(timeout=20)[2]
    assert result["type"] == "refused-result" and "no room for it" in result["message"]
    assert [record.levelname for record in caplog.records if "no room for it" in record.message] == ["ERROR"]


def test_work_that_only_this_process_gives_up_has_no_result(daemon: FakeDaemon) -> None:
    with serving() as provider:
        daemon.registered()
        daemon.perform(NAME, "busy", "wait-1")
        provider.stop()
        end = time.monotonic() + 10
        while provider._jobs and time.monotonic() < end:
            time.sleep(0.01)
    assert daemon.results.empty() and not provider._jobs


def test_much_work_at_once(daemon: FakeDaemon) -> None:
    with serving():
        daemon.registered()
        daemon.refuse_results = 50
        for number in range(200):
            daemon.perform(NAME, "busy", f"wait-{number}")
        Busy.gate.set()
        assert {daemon.results.get(timeout=20)[1] for _ in range(200)} == {f"wait-{number}" for number in range(200)}
        assert len(Busy.begun) == 200


def test_flow_taken_ends_the_provider(daemon: FakeDaemon) -> None:
    name = "org.coordinatord.Coordinator1.Error.FlowTaken"
    daemon.refuse_registration = (name, "sa{ss}", ("taken", {"busy": "com.example.Other"}))
    with pytest.raises(FlowTaken, match=r"'busy' by com\.example\.Other"):
        Provider((Busy,), bus="session").run()


def test_release_and_replacement_end_the_provider(daemon: FakeDaemon) -> None:
    with serving() as provider:
        daemon.registered()
        daemon.tell(NAME, "Release", "ass", ["busy", "python-visit"], "a limit was breached")
        assert provider._stop.wait(10)
    with serving() as first:
        daemon.registered()
        with pytest.raises(CoordinatorError, match="replace=True"):
            Provider((Busy,), NAME, "session").run()
        with serving(replace=True):
            assert "replace" not in daemon.registered()[2]
            assert first._stop.wait(10)


def test_idle_exit(daemon: FakeDaemon) -> None:
    provider = Provider((Busy,), NAME, "session", idle_exit=0.3)
    start = time.monotonic()
    provider.run()
    # Clocks of the system that wait are coarser than this one.
    assert time.monotonic() - start > 0.2


def test_five_hundred_decides_at_once(daemon: FakeDaemon) -> None:
    with serving():
        daemon.registered()
        state = "x" * 8192
        start = time.monotonic()
        # As many events at once in one direction, and replies in the other.
        futures = [
            daemon.ask(NAME, "busy", {"kind": "start", "padding": state}, turn=turn, instance=f"/flows/{turn}@1")
            for turn in range(500)
        ]
        assert all("menu" in future.result(60)[0]["screens"][1] for future in futures)
        assert time.monotonic() - start < 60
