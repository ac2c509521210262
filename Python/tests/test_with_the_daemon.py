"""The examples as separate processes, and the real daemon; both are killed."""

import contextlib
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from conftest import Daemon
from coordinator import Client, Denied, InvalidPayload, Tree
from coordinator.errors import CoordinatorError, NotDismissable, NotRunning, ProviderFailed, ProviderGone
from coordinator.testing import Play, play
from schedule_visit import Visit
from test_client import connected

ROOT = Path(__file__).parents[1]
WIFI = """
import sys, time
from coordinator import Secret, serve
from join_network import JoinNetwork

class FakeRadio:
    def join(self, network: str, passphrase: bytes | None) -> None:
        if passphrase != b"open-sesame":
            raise PermissionError("refused")

serve(JoinNetwork.using(radio=FakeRadio()), bus_name="com.example.Wifi")
"""
LOCKED = """
from coordinator import Coordinator, Event, Screen, menu, serve

class Locked(Coordinator, flow="locked", leavable=False):
    def start(self) -> None:
        self.present("gate")

    def screen(self, key: str) -> Screen:
        return menu("gate", "Gate", stay="Stay")

    def receive(self, event: Event, key: str) -> None:
        pass

serve(Locked)
"""
OTHER = """
from coordinator import Coordinator, Event, Screen, menu, serve
from dataclasses import dataclass

@dataclass
class Text:
    text: str

class Parent(Coordinator, flow="parent", version={version}):
    def start(self) -> None:
        self.present("home")

    def screen(self, key: str) -> Screen:
        return menu("home", "Home {version}", visit="Visit", look="Look")

    def receive(self, event: Event, key: str) -> None:
        self.start_child("schedule-visit" if event.name == "visit" else "kanji-list")

    def child_ended(self, child, outcome) -> None:
        self.finish({{"of": child.flow, "end": outcome.end, "visit": outcome.result.get("visit", "")}})

serve(Parent{name})
"""


WIZARD = """
from coordinator import serve
from test_core import Asking, Wizard

serve(Wizard, Asking, bus_name="com.example.Wizard")
"""


class Process:
    """A provider: a Python program that can be killed and started again."""

    def __init__(self, *command: str) -> None:
        self.command = command
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        paths = os.pathsep.join(str(ROOT / folder) for folder in ("src", "examples", "tests"))
        environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
        self.process = subprocess.Popen(self.command, env=environment)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()


@pytest.fixture
def serve() -> Iterator[Callable[..., Process]]:
    """Starts providers, and kills them in the end."""
    started: list[Process] = []

    def start(*command: str) -> Process:
        started.append(Process(*command))
        return started[-1]

    yield start
    for process in started:
        process.kill()


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code)


VISIT = (sys.executable, str(ROOT / "examples" / "schedule_visit.py"))


def eventually(what: str, is_true: Callable[[], Any]) -> Any:
    """Waits for a result of another process, and returns it."""
    end = time.monotonic() + 30
    while True:
        with contextlib.suppress(NotRunning, ProviderFailed, ProviderGone):
            if result := is_true():
                return result
        assert time.monotonic() < end, what
        time.sleep(0.02)


def providers(client: Client) -> list[dict[str, Any]]:
    from coordinator import wire

    return [wire.plain(one) for one in client._manager("ListProviders")[0]]


def is_served(client: Client, flow: str) -> bool:
    return any(flow in one["flows"] and one["state"] == "running" for one in providers(client))


def served(client: Client, flow: str) -> None:
    eventually(f"'{flow}' is not served", lambda: is_served(client, flow))


def names(tree: Tree) -> list[str]:
    return [screen.name for screen in tree.window.screens]


def test_every_way_through_the_example(daemon: Daemon, serve: Callable[..., Process]) -> None:
    """The flow in its own process shows the same screens as in a test, and ends in the same way."""
    with connected(daemon) as client:
        serve(*VISIT)
        served(client, "python-visit")
        ways: list[list[str]] = [[]]
        walked = 0
        while ways:
            way = ways.pop()
            walked += 1
            flow = play(Visit)
            with client.start("python-visit") as tree:
                for event in way:
                    flow.send(event)
                    revision = tree.delegate(event)
                    if flow.outcome is None:
                        tree.wait(lambda window, to=revision: window.revision >= to)  # type: ignore[misc]
                if flow.outcome is not None:
                    theirs = tree.wait_ended(10)
                    assert (theirs.end, dict(theirs.result)) == (flow.outcome.end, dict(flow.outcome.result))
                    continue
                assert names(tree) == flow.names
                top = tree.window.top
                assert top and top.title == flow.screen.title and top.events == flow.screen.events
                ways += [[*way, event] for event in flow.screen.events]
                flow.back()
                revision = tree.back()
                if flow.outcome is not None:
                    assert tree.wait_ended(10).end == flow.outcome.end
                    continue
                tree.wait(lambda window, to=revision: window.revision >= to)  # type: ignore[misc]
                assert names(tree) == flow.names
                tree.dismiss()
        assert walked == 18


def test_flow_that_cannot_be_left_ends_by_force(daemon: Daemon, serve: Callable[..., Process]) -> None:
    with connected(daemon) as client:
        serve(*python(LOCKED))
        served(client, "locked")
        tree = client.start("locked").attach()
        with pytest.raises(NotDismissable):
            tree.dismiss()
        tree.dismiss(force=True)
        assert tree.wait_ended(10).end == "cancelled"


def test_work_with_a_secret(daemon: Daemon, serve: Callable[..., Process]) -> None:
    with connected(daemon) as client:
        serve(*python(WIFI))
        served(client, "join-network")
        tree = client.start("join-network").attach()
        with pytest.raises(InvalidPayload) as caught:
            tree.delegate("join", {"name": "home", "security": "wpa"})
        assert caught.value.reasons == {"passphrase": "is required by this network"}
        tree.delegate("join", {"name": "home", "security": "wpa", "passphrase": "wrong-one"})
        window = tree.wait(lambda window: bool(window.top and window.top.messages))
        assert window.top and window.top.messages[0]["code"] == "not-joined"
        tree.delegate("join", {"name": "home", "security": "wpa", "passphrase": "open-sesame"})
        tree.wait(lambda window: bool(window.top and window.top.name == "joined"))
        tree.delegate("okay")
        assert tree.wait_ended(10).result == {"network": "home"}
    daemon.kill()
    stored = [file for file in daemon.home.rglob("*") if file.is_file()]
    assert stored and not any(b"open-sesame" in file.read_bytes() for file in stored)


def test_children_of_another_language(daemon: Daemon, serve: Callable[..., Process]) -> None:
    """A flow in Python has a child that is built into the daemon, in Swift."""
    with connected(daemon) as client:
        serve(*python(OTHER.format(version=1, name="")))
        served(client, "parent")
        tree = client.start("parent").attach()
        tree.delegate("visit")
        tree.wait(lambda window: len(window.screens) == 2)
        assert names(tree) == ["home", "select-visit-type"]
        tree.delegate("well")
        tree.wait(lambda window: len(window.screens) == 3)
        tree.delegate("okay")
        assert tree.wait_ended(10).result == {"of": "schedule-visit", "end": "finished", "visit": "well"}


def test_outputs_and_messages(daemon: Daemon, serve: Callable[..., Process]) -> None:
    """A parent and its child, both in Python, which talk to each other."""
    with connected(daemon) as client:
        serve(*python(WIZARD))
        served(client, "wizard")
        tree = client.start("wizard").attach()
        tree.delegate("ask")
        tree.wait(lambda window: len(window.screens) == 2)
        with pytest.raises(Denied, match="somebody has that name"):
            tree.delegate("next", {"name": "ada"})
        tree.delegate("next", {"name": "bob"})
        window = tree.wait(lambda window: len(window.screens) == 3)
        assert window.top and window.top.title == "Hello bob"
        tree.back()
        tree.wait(lambda window: len(window.screens) == 2)
        tree.delegate("next", {"name": "end"})
        tree.wait(lambda window: len(window.screens) == 1)
        tree.delegate("both")
        tree.wait(lambda window: len(window.screens) == 3)
        assert names(tree) == ["welcome", "name", "name"]
        tree.back()
        tree.wait(lambda window: len(window.screens) == 2)
        tree.delegate("next", {"name": "eve"})
        tree.wait(lambda window: len(window.screens) == 3)
        tree.delegate("okay")
        assert tree.wait_ended(10).result == {"name": "eve", "log": ["finished told", "cancelled"]}


KEEPING = """
from coordinator import Coordinator, Event, Screen, Secret, Work, WorkResult, form, menu, serve
from coordinator.forms import secret

class Keeping(Coordinator, flow="keeping"):
    def start(self) -> None:
        self.present("password")

    def screen(self, key: str) -> Screen:
        if key == "password":
            return form("password", "Password?", [secret("password", "Password")])
        return menu("use", "Use it?", use="Use it", forget="Forget it")

    def receive(self, event: Event, key: str) -> None:
        if key == "password":
            self.keep_secret("password")
            self.present("use")
        elif event.name == "use":
            self.start_work("use", secrets=self.held_secrets)
        else:
            self.drop_secret("password")
            self.dismiss()

    def perform_use(self, *, password: Secret) -> int:
        return len(password)

    def work_ended(self, work: Work, result: WorkResult) -> None:
        self.finish({"length": result.get()})

    def secrets_gone(self, names: frozenset[str]) -> None:
        assert names == {"password"}
        self.dismiss_to("password")

serve(Keeping, bus_name="com.example.Keeping")
"""


def test_secrets_are_kept_until_the_daemon_is_killed(daemon: Daemon, serve: Callable[..., Process]) -> None:
    with connected(daemon) as client:
        provider = serve(*python(KEEPING))
        served(client, "keeping")
        tree = client.start("keeping", token="kept").attach()
        keep(tree)
        daemon.kill()
        daemon.start()
        eventually("the daemon does not answer", lambda: client.list_flows() is not None)
        served(client, "keeping")
        eventually("the secret is not missed", lambda: names(client.tree("kept").attach()) == ["password"])
        tree = client.tree("kept").attach()
        keep(tree)
        tree.delegate("forget")
        tree.wait(lambda window: len(window.screens) == 1)
        keep(tree)
        # The secret is the daemon's, not the provider's.
        provider.kill()
        provider.start()
        served(client, "keeping")
        tree.delegate("use")
        assert tree.wait_ended(10).result == {"length": 11}


def keep(tree: Tree) -> None:
    tree.delegate("continue", {"password": "open-sesame"})
    tree.wait(lambda window: len(window.screens) == 2)


UPGRADED = """
from dataclasses import dataclass, field
from coordinator import Coordinator, Event, Screen, menu, serve

@dataclass
class OldState:
    size: str = ""

@dataclass
class NewState:
    sizes: list[str] = field(default_factory=list)

class Coffee(Coordinator, flow="coffee", version={version}):
    state: {state}

    def start(self) -> None:
        self.present("size")

    def screen(self, key: str) -> Screen:
        return menu("size", f"Version {version}", small="Small", large="Large")

    def receive(self, event: Event, key: str) -> None:
        if {version} == 1:
            self.state.size = event.choice()
        else:
            self.state.sizes.append(event.choice())
            self.finish({{"sizes": self.state.sizes}})

    def migrate(self, from_version: int) -> None:
        assert from_version == 1
        self.stored = {{"sizes": [self.stored["size"]]}}

serve(Coffee, bus_name="com.example.Coffee", replace=True)
"""


def test_an_upgrade_while_a_flow_runs(daemon: Daemon, serve: Callable[..., Process]) -> None:
    with connected(daemon) as client:
        old = serve(*python(UPGRADED.format(version=1, state="OldState")))
        served(client, "coffee")
        tree = client.start("coffee").attach()
        tree.delegate("small")
        # The new program takes the name over; the old one leaves.
        serve(*python(UPGRADED.format(version=2, state="NewState")))
        assert old.process is not None and old.process.wait(20) == 0
        eventually("the new program does not serve", lambda: is_served(client, "coffee"))
        # The flow is migrated before its next event.
        assert tree.window.top and tree.window.top.title == "Version 1"
        tree.delegate("large")
        assert tree.wait_ended(10).result == {"sizes": ["small", "large"]}


FRAIL = """
import os, sys, time
from coordinator import Coordinator, Event, Screen, menu, serve

class Frail(Coordinator, flow="frail"):
    def start(self) -> None:
        self.present("home")

    def screen(self, key: str) -> Screen:
        return menu("home", "Home", hang="Hang", bug="Bug")

    def receive(self, event: Event, key: str) -> None:
        if event.name == "bug":
            raise ZeroDivisionError("a bug")
        if not os.path.exists(sys.argv[1]):
            open(sys.argv[1], "w").close()
            time.sleep(60)
        self.finish()

serve(Frail, bus_name="com.example.Frail")
"""


def test_a_provider_that_is_killed_while_it_decides(
    daemon: Daemon, serve: Callable[..., Process], tmp_path: Path
) -> None:
    """The next process is asked the same question. A bug costs nothing but the event."""
    with connected(daemon) as client:
        provider = serve(*python(FRAIL), str(tmp_path / "asked"))
        served(client, "frail")
        tree = client.start("frail").attach()
        with pytest.raises(ProviderFailed, match="ZeroDivisionError: a bug"):
            tree.delegate("bug")
        assert names(tree) == ["home"]
        with ThreadPoolExecutor() as pool:
            answer = pool.submit(tree.delegate, "hang")
            eventually("the provider is not asked", (tmp_path / "asked").exists)
            provider.kill()
            provider.start()
            answer.result(30)
        assert tree.wait_ended(10).finished


WORKING = """
import os, sys, time
from coordinator import Coordinator, Event, Screen, Work, WorkResult, current_work, menu, serve

class Working(Coordinator, flow="working"):
    def start(self) -> None:
        self.present("go")

    def screen(self, key: str) -> Screen:
        return menu("go", "Go?", go="Go").busy("Working" if self.running_work else None)

    def receive(self, event: Event, key: str) -> None:
        self.start_work("wait", sys.argv[1])

    @staticmethod
    def perform_wait(folder: str) -> str:
        work = current_work()
        with open(f"{folder}/attempts", "a") as file:
            file.write(f"{work.key.rpartition('/')[2]} {work.attempt}\\n")
        while not os.path.exists(f"{folder}/done"):
            time.sleep(0.02)
        return "done"

    def work_ended(self, work: Work, result: WorkResult) -> None:
        self.finish({"result": result.get()})

serve(Working, bus_name="com.example.Working")
"""


def test_work_of_a_provider_that_is_killed(daemon: Daemon, serve: Callable[..., Process], tmp_path: Path) -> None:
    """The next process performs it again; the next daemon asks the same process, which does not start over."""
    attempts = tmp_path / "attempts"
    with connected(daemon) as client:
        provider = serve(*python(WORKING), str(tmp_path))
        served(client, "working")
        tree = client.start("working", token="work")
        tree.delegate("go")
        eventually("the work does not begin", lambda: attempts.exists() and attempts.read_text().count("\n") == 1)
        provider.kill()
        provider.start()
        eventually("the work does not begin again", lambda: attempts.read_text().count("\n") == 2)
        daemon.kill()
        daemon.start()
        eventually("the daemon does not answer", lambda: client.list_flows() is not None)
        served(client, "working")
        (tmp_path / "done").touch()
        eventually("the result is lost", lambda: client.outcome(tree.path))
        assert client.outcome(tree.path).result == {"result": "done"}  # type: ignore[union-attr]
    assert attempts.read_text() == "wait-1 1\nwait-1 2\n"


def test_a_provider_without_a_name_leaves(daemon: Daemon, serve: Callable[..., Process]) -> None:
    with connected(daemon) as client:
        first = serve(*python(OTHER.format(version=1, name="")))
        served(client, "parent")
        tree = client.start("parent").attach()
        first.kill()
        eventually("the flow is still served", lambda: not is_served(client, "parent"))
        # The screens stay, and events change nothing.
        assert names(tree) == ["home"]
        with pytest.raises(ProviderGone):
            tree.delegate("visit")
        assert names(tree) == ["home"] and "parent" not in [flow.name for flow in client.list_flows()]
        first.start()
        served(client, "parent")
        tree.delegate("visit")
        tree.wait(lambda window: len(window.screens) == 2)
        # A flow can be dismissed without its provider.
        first.kill()
        eventually("the flow is still served", lambda: not is_served(client, "parent"))
        tree.dismiss()
        assert tree.wait_ended(10).end == "cancelled"


@pytest.mark.parametrize("seed", [1, 2])
def test_daemon_and_provider_are_killed(daemon: Daemon, serve: Callable[..., Process], seed: int) -> None:
    """Acknowledged answers survive, wherever either of them is killed."""
    chance = random.Random(seed)
    client = connected(daemon)
    provider = serve(*VISIT)
    served(client, "python-visit")
    tree, flow = client.start("python-visit", token="visit"), play(Visit)
    for step in range(40):
        if step % 5 == 4:
            both: list[Daemon | Process] = [daemon, provider]
            for one in chance.sample(both, chance.randint(1, 2)):
                one.kill()
                one.start()
            eventually("the daemon does not answer", lambda: client.list_flows() is not None)
            served(client, "python-visit")
        move(client, tree, flow, chance)
        if flow.outcome is not None:
            outcome = client.outcome(tree.path)
            assert outcome is not None and (outcome.end, outcome.result) == (flow.outcome.end, flow.outcome.result)
            tree, flow = client.start("python-visit", token="visit", fresh=True), play(Visit)
    client.close()


def move(client: Client, tree: Tree, flow: Play, chance: random.Random) -> None:
    """Answers the screen on top, or goes back, in the daemon and in the test; both show the same before and after."""
    tree.attach()
    assert names(tree) == flow.names
    assert tree.window.top and tree.window.top.title == flow.screen.title
    if chance.random() < 0.2:
        flow.back()
        revision = tree.back()
    else:
        event = chance.choice(flow.screen.events)
        flow.send(event)
        revision = tree.delegate(event)
    if flow.outcome is None:
        tree.wait(lambda window: window.revision >= revision)
        assert names(tree) == flow.names
    tree.detach()


def compiled(folder: Path) -> str:
    """The example in C."""
    source = ROOT.parent / "Examples" / "c-provider" / "coffee.c"
    if shutil.which("pkg-config") is None or subprocess.run(["pkg-config", "--exists", "libsystemd"]).returncode:
        pytest.skip("libsystemd-dev is not installed")
    program = folder / "coffee"
    options = "-Wall -Wextra -Wno-unused-parameter -Werror"
    command = f"cc {options} -o {program} {source} $(pkg-config --cflags --libs libsystemd)"
    subprocess.run(["sh", "-c", command], check=True)
    return str(program)


TRIAL = (
    Path(os.environ.get("COORDINATORD", ROOT.parent / ".build" / "debug" / "coordinatord")).parent / "provider-trial"
)


@pytest.mark.skipif(not TRIAL.exists(), reason="provider-trial has not been built")
@pytest.mark.parametrize("example", ["c", "python"])
def test_the_trial_finds_no_mistake(example: str, tmp_path: Path) -> None:
    command = (compiled(tmp_path),) if example == "c" else VISIT
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    tried = subprocess.run(
        [str(TRIAL), "--states", "20", "--", *command], env=environment, capture_output=True, text=True, timeout=100,
        check=False,
    )  # fmt: skip
    assert tried.returncode == 0, tried.stdout + tried.stderr


def test_a_provider_in_c(daemon: Daemon, serve: Callable[..., Process], tmp_path: Path) -> None:
    """The same flow, without any library of this project."""
    program = compiled(tmp_path)
    with connected(daemon) as client:
        provider = serve(program)
        served(client, "coffee")
        tree = client.start("coffee", token="cup").attach()
        assert tree.window.top and tree.window.top.events == ["small", "large"]
        tree.delegate("large")
        tree.wait(lambda window: len(window.screens) == 2)
        assert tree.window.top and tree.window.top.data["body"] == "A large one."
        tree.back()
        tree.wait(lambda window: len(window.screens) == 1)
        tree.delegate("small")
        both: list[Daemon | Process] = [daemon, provider]
        for one in both:
            one.kill()
            one.start()
            eventually("the daemon does not answer", lambda: client.list_flows() is not None)
            served(client, "coffee")
            assert client.tree("cup").attach().window.screens[-1].data["body"] == "A small one."
        client.tree("cup").delegate("okay")
        assert client.outcome(tree.path).result == {"size": "small"}  # type: ignore[union-attr]
        with pytest.raises(CoordinatorError):  # Only the daemon may ask.
            client.connection.call(
                "com.example.Coffee", "/org/coordinatord/FlowProvider1", "org.coordinatord.FlowProvider1", "Decide",
                "sstsa{sv}a{sv}", ("coffee", "/flows/1@1", 1, "", {"kind": ("s", "start")}, {}),
            )  # fmt: skip
