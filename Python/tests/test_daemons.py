"""Several daemons on one bus."""

import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from conftest import Daemon
from coordinator import Client, FlowError
from coordinator.daemons import DaemonName
from coordinator.errors import NotRunning
from coordinator.provider import Provider
from test_client import connected
from test_core import Asking


@pytest.mark.parametrize(
    ("text", "name", "path"),
    [
        ("coordinatord", "org.coordinatord.Coordinator1", "/org/coordinatord/Coordinator1"),
        ("kiosk", "org.coordinatord.kiosk", "/org/coordinatord/kiosk"),
        ("first-boot", "org.coordinatord.first-boot", "/org/coordinatord/first_boot"),
        ("org.example.Kiosk1", "org.example.Kiosk1", "/org/example/Kiosk1"),
    ],
)
def test_names(text: str, name: str, path: str) -> None:
    assert DaemonName.of(text) == DaemonName(name, path)


@pytest.mark.parametrize("text", ["", ".", "a/b", "1st", "org..kiosk", "a b", "k\u00efosk", "Scripts", "a" * 250])
def test_wrong_names(text: str) -> None:
    with pytest.raises(FlowError, match="is not the name of a daemon"):
        DaemonName.of(text)


def test_the_environment_names_the_daemon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COORDINATORD_NAME", "kiosk")
    assert DaemonName.of().bus_name == "org.coordinatord.kiosk"
    assert DaemonName.of("coordinatord").bus_name == "org.coordinatord.Coordinator1"
    monkeypatch.setenv("COORDINATORD_NAME", "")
    assert DaemonName.of().bus_name == "org.coordinatord.Coordinator1"


def test_a_second_daemon(daemon: Daemon, tmp_path: Path) -> None:
    """Clients and providers of each daemon know nothing of the other."""
    connected(daemon).close()
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    with (
        subprocess.Popen([str(daemon.program), "--name", "kiosk"], env=environment) as kiosk,
        Client() as standard,
        Client(daemon="kiosk") as client,
        Client(daemon="nobody") as nobody,
    ):
        try:
            eventually(client)
            provider = Provider([Asking], daemon="kiosk")
            provider.start()
            try:
                assert provider.registered.wait(20)
                assert Asking.flow.name in names(client) and Asking.flow.name not in names(standard)
                with client.start("schedule-visit", token="mine", lifetime="daemon") as tree:
                    assert tree.path == "/org/coordinatord/kiosk/flows/mine"
                    tree.delegate("sick")
                    top = tree.wait(lambda window: bool(window.top and window.top.name == "select-pain-level")).top
                    assert top is not None
                assert standard.list_active() == []
                with pytest.raises(NotRunning, match=r"org\.coordinatord\.nobody does not run"):
                    nobody.list_flows()
            finally:
                provider.stop()
        finally:
            kiosk.kill()


def names(client: Client) -> list[str]:
    return [flow.name for flow in client.list_flows()]


def eventually(client: Client) -> Any:
    end = time.monotonic() + 20
    while True:
        try:
            return client.list_flows()
        except NotRunning:
            assert time.monotonic() < end, "the daemon does not answer"
            time.sleep(0.02)
