import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

BUILT = Path(os.environ.get("COORDINATORD", Path(__file__).parents[2] / ".build" / "debug" / "coordinatord"))
"""The daemon, with the other programs beside it."""
os.environ["PATH"] = f"{BUILT.parent}:{os.environ['PATH']}"
CAN_PLAY = shutil.which("coordinator-scripts") is not None
collect_ignore_glob = [] if CAN_PLAY else ["test_script_*.py", "test_languages.py"]


def pytest_report_header() -> list[str]:
    return [] if CAN_PLAY else ["scripts are NOT played: there is no coordinator-scripts in PATH"]


@pytest.fixture
def bus_process(monkeypatch: pytest.MonkeyPatch) -> Iterator["subprocess.Popen[str]"]:
    """A dedicated bus, as the session bus."""
    if shutil.which("dbus-daemon") is None:
        pytest.skip("dbus-daemon is not installed")
    command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", process.stdout.readline().strip())
    monkeypatch.delenv("DBUS_STARTER_ADDRESS", raising=False)
    yield process
    process.terminate()
    process.wait()
    process.stdout.close()


@pytest.fixture
def bus(bus_process: "subprocess.Popen[str]") -> str:
    """The address of the session bus."""
    return os.environ["DBUS_SESSION_BUS_ADDRESS"]


class Daemon:
    """The real daemon, with the flows that come with it."""

    def __init__(self, program: Path, home: Path) -> None:
        self.program, self.home = program, home
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        environment = {**os.environ, "XDG_STATE_HOME": str(self.home), "XDG_CONFIG_HOME": str(self.home)}
        self.process = subprocess.Popen([str(self.program), "--log-level", "error"], env=environment)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()


@pytest.fixture
def daemon(bus: str, tmp_path: Path) -> Iterator[Daemon]:
    """A daemon on this bus: the program in COORDINATORD, or one that has been built in this checkout."""
    if not BUILT.exists():
        pytest.skip("there is no coordinatord: set COORDINATORD to one")
    one = Daemon(BUILT, tmp_path)
    one.start()
    yield one
    one.kill()
