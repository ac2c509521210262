"""A process that serves scripts to an engine."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from coordinator.scripts.flow import Script
from coordinator.scripts.host import Activation, Workers
from coordinator.scripts.wire import Sealed
from script_engine import ROOT, FlowInHosts, HostProcess, eventually

SCRIPT = '''
import os, sys, time
from pathlib import Path
from coordinator import flow, serve, Secret, UI

FOLDER = os.environ.get("TEST_FOLDER", "")

def note(text):
    with open(f"{FOLDER}/notes", "a") as file:
        file.write(text + "\\n")

def join(pin: Secret):
    import ctypes
    PR_GET_DUMPABLE = 3
    note(f"join, dumpable {ctypes.CDLL(None).prctl(PR_GET_DUMPABLE)}")
    return len(bytes(pin))

async def brew(ui, size):
    for number in range(3):
        ui.progress(number / 2, f"{size} {number}")
    return os.getpid()

@flow("coffee", title="Make coffee", rehearsable=True)
async def coffee(ui):
    """Makes coffee."""
    try:
        size = await ui.menu("size", "How large?", small="Small", large="Large")
        if ui.patched("strong"):
            number = ui.random()
        await ui.step("brew", brew, ui, size, busy="Brewing")
        form = await ui.form("pin", "PIN?", ui.text("user"), ui.secret("pin"))
        length = await ui.step("join", join, form.pin, busy="Joining")
        await ui.message("done", f"{number >= 0} {length}")
        return {"size": size, "user": form.user}
    except ui.Cancelled as cancelled:
        note(f"cancelled {cancelled.reason}")
        raise

@flow("plain")
def plain(ui):
    try:
        size = ui.menu("size", "How large?", small="Small", large="Large")
        both = ui.all(ui.later.look("a", lambda: 1), ui.later.look("b", lambda: 2))
        return {"size": size, "both": both}
    except ui.Cancelled as cancelled:
        note(f"plain cancelled {cancelled.reason}")
        raise

@flow("undo")
async def undo(ui):
    await ui.confirm("first", "First?")
    await ui.step("brew", lambda: "cup", undo=lambda result: note(f"undone {result}"))
    await ui.confirm("second", "Second?")

@flow("long")
async def long(ui):
    try:
        await ui.look("long", lambda: "x" * 2_000_000)
    except ui.NoResult as failed:
        return {"message": failed.message}

@flow("tried")
async def tried(ui):
    pin = (await ui.form("pin", "PIN?", ui.secret("pin"))).pin
    def fail(pin):
        note(f"{ui.key} {len(bytes(pin))}")
        raise OSError("no")
    try:
        await ui.step("try", fail, pin, attempts=2)
    except ui.StepFailed as failed:
        return {"message": failed.message}

def stubborn():
    note("begun")
    while not os.path.exists(f"{FOLDER}/enough"):
        time.sleep(0.01)
    note("over")
    return 1

async def patient():
    import asyncio
    try:
        note("begun")
        await asyncio.sleep(1000)
    finally:
        await asyncio.sleep(0.2)
        note("over")

def leaving():
    sys.exit("left")

@flow("stuck")
async def stuck(ui):
    kinds = {"step": "Step", "coroutine": "Coroutine", "compute": "Compute", "exit": "Exit"}
    kind = await ui.menu("kind", "Which?", kinds)
    if kind == "compute":
        stubborn()
        ui.now()
    await ui.step("stuck", {"step": stubborn, "coroutine": patient, "exit": leaving}.get(kind, stubborn))
    return {}

@flow("plain-stuck")
def plain_stuck(ui):
    try:
        ui.menu("kind", "Which?", a="A")
    finally:
        stubborn()

@flow("careless")
async def careless(ui):
    await ui.step("read", open, "/no/such/disk")

@flow("valued")
async def valued(ui):
    await ui.step("brew", lambda: "cup", undo=lambda result: note(f"undone {result}"))
    return {"now": ui.now()}

@flow("gathering")
async def gathering(ui):
    import asyncio
    await asyncio.gather(ui.step("a", lambda: 1), ui.step("b", lambda: 2))

@flow("grouped")
async def grouped(ui):
    import asyncio
    async with asyncio.TaskGroup() as group:
        group.create_task(ui.step("a", lambda: 1))

def meet(own, other):
    Path(FOLDER, own).touch()
    while not Path(FOLDER, other).exists():
        time.sleep(0.01)
    return own

@flow("meeting")
async def meeting(ui):
    await ui.confirm("go", "Go?")
    both = await ui.all(
        ui.step("one", meet, "one", "two", undo=lambda _: note("undone one")),
        ui.step("two", meet, "two", "one", undo=lambda _: note("undone two")))
    await ui.confirm("sure", "Sure?")
    return {"met": both}

@flow("crash")
async def crash(ui):
    raise ValueError("a mistake")

if __name__ == "__main__":
    serve(coffee, plain, undo, long, crash, stuck, plain_stuck, careless, valued, gathering, grouped, meeting, tried)
'''


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TEST_FOLDER", str(tmp_path))
    path = tmp_path / "coffee.py"
    path.write_text(f"#!{sys.executable}\n{SCRIPT}")
    path.chmod(0o700)
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    return path


@pytest.fixture
def host(file: Path) -> Iterator[HostProcess]:
    one = HostProcess(file)
    yield one
    one.kill()


def notes(file: Path) -> list[str]:
    path = file.with_name("notes")
    return path.read_text().splitlines() if path.exists() else []


def test_descriptions(file: Path) -> None:
    command = [sys.executable, str(file), "--describe"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    found = json.loads(subprocess.run(command, capture_output=True, check=True, env=environment).stdout)
    about = {"name": "coffee", "title": "Make coffee", "summary": "Makes coffee.", "version": 1, "rehearsable": True}
    assert found["host"] is True and found["flows"][0] == about
    assert [one["name"] for one in found["flows"]][:5] == ["coffee", "plain", "undo", "long", "crash"]


def test_a_whole_flow(file: Path) -> None:
    one = FlowInHosts(file, "coffee")
    assert one.screen["actions"][1]["title"] == "Large" and one.log["entries"][0]["at"].startswith("coffee.py:")
    one.answer("large")
    one.answer("submit", {"user": "ada"}, pin="canary-1")
    assert one.screen["title"] == "True 8" and not one.can_go_back
    one.answer("okay")
    assert one.end == {"finish": {"size": "large", "user": "ada"}} and "canary" not in str(one.log)
    one.close()
    assert [note for note in notes(file) if not note.startswith("cancelled")] == ["join, dumpable 0"]


@pytest.mark.parametrize("crash", ["", "before-step", "during-step", "after-step"])
def test_steps_side_by_side_wait_for_each_other(file: Path, crash: str) -> None:
    one = FlowInHosts(file, "meeting")
    one.answer("yes", crash=crash)
    assert [entry.get("more", False) for entry in one.log["entries"]] == [False, True, False, False]
    one.answer("yes")
    assert one.end == {"finish": {"met": ["one", "two"]}}
    one.close()


def test_a_step_is_undone_while_the_run_waits_for_another_one_beside_it(file: Path, host: HostProcess) -> None:
    asked = {"kind": "ask", "key": "go", "digest": "", "answer": {"event": "yes", "payload": {}}}
    host.send({"run": 1, "flow": "meeting", "input": {}, "version": 1, "log": []})
    host.receive()
    host.send({"run": 1, "entry": 0, "answer": asked["answer"]})
    one, two = host.receive(), host.receive()
    assert (one["entry"], one["more"], two["entry"], "more" in two) == (1, True, 2, False)
    host.send({"run": 1, "entry": 1, "result": "one"})
    host.send({"run": 1, "entry": 1, "undo": True, "key": "k"})
    assert host.receive() == {"run": 1, "entry": 1, "done": None} and notes(file) == ["undone one"]


@pytest.mark.parametrize(("crash", "joins"), [("before-step", 0), ("during-step", 0), ("after-step", 1)])
def test_a_host_is_killed_at_a_step_with_a_secret(file: Path, crash: str, joins: int) -> None:
    one = FlowInHosts(file, "coffee")
    one.answer("large")
    one.answer("submit", {"user": "ada"}, pin="canary-1", crash=crash)
    assert [message["code"] for message in one.screen["messages"]] == ["secret-lost"]
    assert one.screen["values"] == {"user": "ada"} and not one.can_go_back
    assert len([note for note in notes(file) if note.startswith("join")]) == joins
    one.answer("submit", {"user": "ada"}, pin="canary-12")
    assert one.screen["title"] == "True 9"
    one.close()


def test_a_host_is_killed_at_each_question(file: Path) -> None:
    one = FlowInHosts(file, "coffee")
    one.restart()
    one.answer("small")
    one.restart()
    one.answer("submit", {"user": "ada"}, pin="12345")
    one.restart()
    one.answer("okay")
    assert one.end == {"finish": {"size": "small", "user": "ada"}}
    one.close()


def test_back_starts_another_run_in_the_same_host(file: Path, host: HostProcess) -> None:
    host.send({"run": 1, "flow": "undo", "input": {}})
    asked = host.receive()
    host.send({"run": 1, "entry": 0, "answer": {"event": "yes", "payload": {}}})
    assert host.receive()["step"] == "brew"
    host.send({"run": 1, "entry": 1, "go": True, "key": "brew", "attempt": 1})
    assert host.receive() == {"run": 1, "entry": 1, "done": "cup"}
    host.send({"run": 1, "entry": 1, "recorded": True})
    assert host.receive()["ask"] == "second"
    host.send({"run": 1, "stop": "back"})
    assert host.receive() == {"run": 1, "stopped": True}
    first = {"kind": "ask", "key": "first", "digest": asked["digest"], "answer": {"event": "yes", "payload": {}}}
    log = [first, {"kind": "step", "key": "brew", "result": "cup"}]
    host.send({"run": 2, "flow": "undo", "input": {}, "log": log})
    message = host.receive()
    assert message["ask"] == "second" and message["entry"] == 2
    host.send({"run": 2, "entry": 1, "undo": True, "key": "brew"})
    assert host.receive() == {"run": 2, "entry": 1, "done": None}
    assert notes(file) == ["undone cup"]


def test_recorded_entries_are_replayed_without_a_word(host: HostProcess) -> None:
    host.send({"run": 1, "flow": "plain", "input": {}})
    first = host.receive()
    log = [
        {"kind": "ask", "key": "size", "digest": first["digest"], "answer": {"event": "large", "payload": {}}},
        {"kind": "look", "key": "a", "result": 1},
        {"kind": "look", "key": "b", "result": 2},
    ]
    host.send({"run": 2, "flow": "plain", "input": {}, "log": log})
    assert host.receive() == {"run": 2, "entry": 3, "finish": {"size": "large", "both": [1, 2]}}
    # At the first difference, everything is asked of the engine.
    host.send({"run": 3, "flow": "plain", "input": {}, "log": [{**log[0], "digest": "other"}, *log[1:]]})
    assert host.receive() == {**first, "run": 3}
    host.send({"run": 3, "entry": 0, "answer": {"event": "large", "payload": {}}})
    assert [host.receive()["look"], host.receive()["look"]] == ["a", "b"]


def test_a_mark_in_the_log_is_recorded_though_nothing_is_recorded_of_it(host: HostProcess) -> None:
    host.send({"run": 1, "flow": "coffee", "input": {}})
    answer = {"event": "large", "payload": {}}
    asked = {"kind": "ask", "key": "size", "digest": host.receive()["digest"], "answer": answer}
    host.send({"run": 2, "flow": "coffee", "input": {}, "log": [asked, {"kind": "patch", "key": "strong"}]})
    message = host.receive()
    assert (message["entry"], message["value"]) == (2, "random")


def test_many_runs_wait_at_a_time(host: HostProcess) -> None:
    for number in range(500):
        host.send({"run": number, "flow": "coffee" if number % 2 else "plain", "input": {}})
    assert sorted(host.receive()["run"] for _ in range(500)) == list(range(500))
    for number in range(0, 500, 2):
        host.send({"run": number, "entry": 0, "answer": {"event": "small", "payload": {}}})
    looks = [host.receive() for _ in range(500)]
    assert {one["look"] for one in looks} == {"a", "b"}


@pytest.mark.parametrize("how", ["stop", "close", "terminate"])
def test_runs_that_wait_end_cleanly(file: Path, how: str) -> None:
    host = HostProcess(file)
    for number, name in enumerate(["coffee", "plain"]):
        host.send({"run": number, "flow": name, "input": {}})
    assert {host.receive()["ask"] for _ in range(2)} == {"size"}
    reason = "cancelled" if how == "stop" else "evicted"
    if how == "stop":
        host.send({"run": 0, "stop": "cancelled"})
        host.send({"run": 1, "stop": "cancelled"})
        eventually(lambda: len(notes(file)) == 2)
    elif how == "terminate":
        host.process.send_signal(signal.SIGTERM)
        host.process.wait(30)
    assert host.close() == 0
    assert sorted(notes(file)) == [f"cancelled {reason}", f"plain cancelled {reason}"]


def test_mistakes_are_reported(host: HostProcess) -> None:
    host.send({"run": 1, "flow": "crash", "input": {}})
    crash: dict[str, Any] = host.receive()["crash"]
    assert (crash["type"], crash["message"]) == ("ValueError", "a mistake") and crash["at"].startswith("coffee.py:")
    assert crash["trace"].startswith("Traceback") and crash["trace"].endswith("ValueError: a mistake\n")
    host.send({"run": 2, "flow": "none", "input": {}})
    assert host.receive()["crash"]["type"] == "UnknownFlow"
    host.send({"run": 3, "flow": "long", "input": {}})


def test_a_failure_that_is_not_handled_is_marked_as_one_for_the_author(host: HostProcess) -> None:
    host.send({"run": 1, "flow": "careless", "input": {}})
    assert host.receive()["step"] == "read"
    host.send({"run": 1, "entry": 0, "go": True, "key": "read", "attempt": 1, "secrets": []})
    assert host.receive()["error"]["type"] == "FileNotFoundError"
    host.send({"run": 1, "entry": 0, "recorded": True})
    failure = host.receive()["fail"]
    assert (failure["code"], failure["unhandled"]) == ("step-failed", True) and "/no/such/disk" in failure["message"]
    assert failure["trace"].startswith("Traceback") and "coffee.py" in failure["trace"]


LONG = "this was done, but its result has 2000002 bytes: at most 65536 are recorded"


def test_each_attempt_that_the_engine_counts_is_one(host: HostProcess, file: Path) -> None:
    host.send({"run": 3, "flow": "tried", "input": {}})
    assert host.receive()["ask"] == "pin"
    host.send({"run": 3, "entry": 0, "answer": {"event": "submit", "payload": {"pin": {"secret": True}}}})
    asked = host.receive()
    assert (asked["step"], asked["attempts"]) == ("try", 2)
    for attempt in (1, 2):
        go = {"run": 3, "entry": 1, "go": True, "key": "try", "attempt": attempt, "secrets": ["pin"], "counted": True}
        host.send(go, {"pin": b"canary"})
        assert host.receive() == {"run": 3, "entry": 1, "error": {"type": "OSError", "message": "no"}}
        assert notes(file) == ["try 6"] * attempt
    host.send({"run": 3, "entry": 1, "recorded": True})
    assert host.receive() == {"run": 3, "entry": 2, "finish": {"message": "no"}}


def test_an_engine_that_does_not_count_attempts_gets_them_all_at_once(host: HostProcess, file: Path) -> None:
    host.send({"run": 3, "flow": "tried", "input": {}})
    host.receive()
    host.send({"run": 3, "entry": 0, "answer": {"event": "submit", "payload": {"pin": {"secret": True}}}})
    host.receive()
    go = {"run": 3, "entry": 1, "go": True, "key": "try", "attempt": 1, "secrets": ["pin"]}
    host.send(go, {"pin": b"canary"})
    assert host.receive() == {"run": 3, "entry": 1, "error": {"type": "OSError", "message": "no"}}
    assert notes(file) == ["try 6"] * 2


def test_a_result_that_is_too_long_is_the_error_of_the_step(host: HostProcess) -> None:
    host.send({"run": 3, "flow": "long", "input": {}})
    assert host.receive()["look"] == "long"
    host.send({"run": 3, "entry": 0, "go": True, "key": "long", "attempt": 1, "secrets": []})
    error = host.receive()["error"]
    assert error == {"type": "too-long", "message": LONG}
    host.send({"run": 3, "entry": 0, "recorded": True})
    assert host.receive() == {"run": 3, "entry": 1, "finish": {"message": LONG}}


def begin(host: HostProcess, run: int, kind: str) -> None:
    host.send({"run": run, "flow": "stuck", "input": {}})
    assert host.receive()["ask"] == "kind"
    host.send({"run": run, "entry": 0, "answer": {"event": kind, "payload": {}}})
    if kind != "compute":
        assert host.receive()["step"] == "stuck"
        host.send({"run": run, "entry": 1, "go": True, "key": "stuck", "attempt": 1})


def test_a_run_that_waits_is_stopped_at_once(host: HostProcess) -> None:
    for number, name in enumerate(["coffee", "plain"]):
        host.send({"run": number, "flow": name, "input": {}})
        assert host.receive()["ask"] == "size"
        host.send({"run": number, "stop": "back"})
        assert host.receive() == {"run": number, "stopped": True}
    # Also one that is over, or was never there.
    for number in (1, 77):
        host.send({"run": number, "stop": "back"})
        assert host.receive() == {"run": number, "stopped": True}


def test_a_run_is_forgotten_before_the_engine_hears_that_it_has_stopped() -> None:
    said: SimpleQueue[object] = SimpleQueue()
    script = Script(lambda ui: ui.menu("size", "How large?", small="Small"), "plain", "Plain")
    run = Activation(1, script, {"run": 1, "flow": "plain", "input": {}}, said.put, Workers(), said.put)
    run.receive({"stop": "back"}, Sealed({}))
    heard: list[object] = []
    while {"run": 1, "stopped": True} not in heard:
        heard.append(said.get(timeout=30))
    assert heard[-2:] == [1, {"run": 1, "stopped": True}]


@pytest.mark.parametrize("kind", ["step", "compute"])
def test_a_run_is_stopped_when_none_of_its_threads_runs_any_more(file: Path, host: HostProcess, kind: str) -> None:
    begin(host, 1, kind)
    eventually(lambda: notes(file) == ["begun"])
    host.send({"run": 1, "stop": "back"})
    # The host continues with others meanwhile.
    host.send({"run": 2, "flow": "coffee", "input": {}})
    assert host.receive()["run"] == 2
    assert notes(file) == ["begun"]
    file.with_name("enough").touch()
    assert host.receive() == {"run": 1, "stopped": True}
    assert notes(file) == ["begun", "over"]


def test_a_plain_function_is_stopped_when_it_has_ended(file: Path, host: HostProcess) -> None:
    host.send({"run": 1, "flow": "plain-stuck", "input": {}})
    assert host.receive()["ask"] == "kind"
    host.send({"run": 1, "stop": "cancelled"})
    eventually(lambda: notes(file) == ["begun"])
    file.with_name("enough").touch()
    assert host.receive() == {"run": 1, "stopped": True}
    assert notes(file) == ["begun", "over"]


def test_the_coroutine_of_a_step_is_cancelled_and_waited_for(file: Path, host: HostProcess) -> None:
    begin(host, 1, "coroutine")
    eventually(lambda: notes(file) == ["begun"])
    host.send({"run": 1, "stop": "back"})
    assert host.receive() == {"run": 1, "stopped": True}
    assert notes(file) == ["begun", "over"]


def test_a_host_that_is_closed_waits_a_little_for_its_steps(file: Path) -> None:
    host = HostProcess(file)
    begin(host, 1, "coroutine")
    eventually(lambda: notes(file) == ["begun"])
    assert host.close() == 0
    assert notes(file) == ["begun", "over"]


def test_a_step_that_would_leave_has_failed(host: HostProcess) -> None:
    begin(host, 1, "exit")
    assert host.receive() == {"run": 1, "entry": 1, "error": {"type": "SystemExit", "message": "left"}}


def test_a_go_that_comes_before_its_operation_waits_for_it(file: Path, host: HostProcess) -> None:
    host.send({"run": 1, "flow": "coffee", "input": {}})
    host.send({"run": 1, "entry": 4, "go": True, "key": "join", "attempt": 1, "secrets": ["pin"]}, {"pin": b"canary-1"})
    host.send({"run": 1, "entry": 1, "go": True, "key": "brew", "attempt": 1})
    assert host.receive()["ask"] == "size"
    host.send({"run": 1, "entry": 0, "answer": {"event": "large", "payload": {}}})
    assert host.receive()["patched"] == "strong"
    host.send({"run": 1, "entry": 1, "result": False})
    assert host.receive()["step"] == "brew"
    message, progress = host.receive(), []
    while "progress" in message:
        progress.append(message["progress"])
        message = host.receive()
    assert message["entry"] == 1 and "done" in message and progress[-1] == {"fraction": 1.0, "text": "large 2"}


def test_a_go_that_the_run_cannot_follow_is_answered_with_an_error(host: HostProcess) -> None:
    host.send({"run": 1, "flow": "undo", "input": {}})
    assert host.receive()["ask"] == "first"
    for order in ({"go": True, "attempt": 1}, {"undo": True}):
        host.send({"run": 1, "entry": 0, "key": "first", **order})
        refused = host.receive()
        assert (refused["entry"], refused["error"]["type"]) == (0, "NotOpen")
    host.send({"run": 2, "flow": "crash", "input": {}})
    assert "crash" in host.receive()
    host.send({"run": 2, "entry": 3, "go": True, "key": "a", "attempt": 1})
    assert host.receive()["error"]["type"] == "NotOpen"


def test_a_step_is_undone_also_where_the_run_waits_for_a_value(file: Path, host: HostProcess) -> None:
    log = [{"kind": "step", "key": "brew", "result": "cup"}]
    host.send({"run": 1, "flow": "valued", "input": {}, "log": log})
    host.send({"run": 1, "entry": 0, "undo": True, "key": "brew"})
    got = [host.receive(), host.receive()]
    assert {"run": 1, "entry": 0, "done": None} in got and notes(file) == ["undone cup"]
    host.send({"run": 1, "stop": "back"})
    assert host.receive() == {"run": 1, "stopped": True}


@pytest.mark.parametrize("name", ["gathering", "grouped"])
def test_asyncio_cannot_wait_for_several_operations(host: HostProcess, name: str) -> None:
    host.send({"run": 1, "flow": name, "input": {}})
    crash = host.receive()["crash"]
    assert crash["type"] == "ForeignAwait" and "ui.all" in crash["message"], crash


def test_a_host_loads_no_bus_library(tmp_path: Path) -> None:
    code = (
        "import sys; from coordinator import flow, serve; import coordinator.scripts.host, coordinator.scripts.serving;"
        "print([name for name in sys.modules if name.split('.')[0] in ('jeepney', 'asyncio', 'pydantic', 'ssl')])"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, env=environment, capture_output=True, check=True, text=True).stdout == "[]\n"
