"""Providers as processes: activated by the bus, killed, interrupted."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from coordinator.bus import Connection
from coordinator.errors import NoReply
from fake_daemon import FakeDaemon

EXAMPLES = Path(__file__).parents[1] / "examples"
SOURCES = Path(__file__).parents[1] / "src"
NAME = "com.example.Vet"
CODE = """
import sys, time
from coordinator import Coordinator, menu, serve

class Slow(Coordinator, flow="slow"):
    def start(self):
        time.sleep({sleep})
        self.present("a")
    def screen(self, key):
        return menu("a", "A", go="Go")
    def perform_wait(self):
        time.sleep(0.5)

serve(Slow, bus_name="com.example.Vet")
"""


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(SOURCES), "PYTHONUNBUFFERED": "1"}


def provider(code: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-c", code], env=environment(), stderr=subprocess.PIPE, text=True)


@pytest.fixture
def daemon(bus: str) -> Iterator[FakeDaemon]:
    one = FakeDaemon()
    yield one
    one.close()


def test_the_bus_starts_a_provider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    services = tmp_path / "dbus-1" / "services"
    services.mkdir(parents=True)
    command = f"/usr/bin/env PYTHONPATH={SOURCES} {sys.executable} {EXAMPLES / 'schedule_visit.py'}"
    (services / f"{NAME}.service").write_text(f"[D-BUS Service]\nName={NAME}\nExec={command}\n")
    start = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"]
    bus = subprocess.Popen(
        start,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "XDG_DATA_DIRS": str(tmp_path)},
    )
    assert bus.stdout is not None
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus.stdout.readline().strip())
    daemon = FakeDaemon()
    try:
        # Asked before it runs: all are answered once it does.
        futures = [daemon.ask(NAME, "python-visit", {"kind": "start"}, turn=turn) for turn in range(20)]
        assert all(future.result(20)[0]["do"][1][0]["key"] == ("s", "visit-type") for future in futures)
        sender, flows, options = daemon.registered()
        assert list(flows) == ["python-visit"] and options["name"] == NAME
        process = daemon.connection.call(
            "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetConnectionUnixProcessID", "s", (sender,)
        )[0]
        os.kill(process, signal.SIGKILL)
        # It is started again. A call that crosses its end gets NoReply, and is repeated, as the daemon does.
        for _ in range(3):
            try:
                assert daemon.decide(NAME, "python-visit", {"kind": "start"})["do"]
                break
            except NoReply:
                continue
        assert daemon.registered()[0] != sender
    finally:
        daemon.close()
        bus.terminate()
        bus.wait()
        bus.stdout.close()


def test_killed_while_it_decides(daemon: FakeDaemon) -> None:
    process = provider(CODE.format(sleep=30))
    daemon.registered()
    future = daemon.ask(NAME, "slow", {"kind": "start"})
    time.sleep(0.2)
    process.kill()
    with pytest.raises(NoReply):
        future.result(5)
    process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_ends_cleanly(daemon: FakeDaemon, number: int) -> None:
    process = provider(CODE.format(sleep=0.5))
    daemon.registered()
    future = daemon.ask(NAME, "slow", {"kind": "start"})
    daemon.perform(NAME, "slow", "wait-1")
    process.send_signal(number)
    # It answers its questions, and reports the results of its work.
    assert future.result(5)[0]["do"]
    assert daemon.results.get(timeout=5)[1] == "wait-1"
    _, log = process.communicate(timeout=10)
    assert process.returncode == 0 and "Traceback" not in log


def test_says_what_is_wrong(bus: str) -> None:
    process = subprocess.run(
        [sys.executable, "-c", CODE.format(sleep=0)], capture_output=True, text=True, timeout=20,
        env={**environment(), "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"}, check=False,
    )  # fmt: skip
    assert process.returncode == 1 and process.stderr.startswith("error: cannot connect to the bus"), process.stderr


def test_the_bus_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    start = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"]
    bus = subprocess.Popen(start, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert bus.stdout is not None
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus.stdout.readline().strip())
    process = provider(CODE.format(sleep=0))
    with Connection("session") as connection:
        end = time.monotonic() + 20
        while not connection.name_owner(NAME) and time.monotonic() < end:
            time.sleep(0.05)
        bus.kill()
        bus.wait()
        bus.stdout.close()
        _, log = process.communicate(timeout=10)
    assert process.returncode == 1 and "the connection to the bus was lost" in log
