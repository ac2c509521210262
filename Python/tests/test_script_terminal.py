"""A script is tried by typing its name."""

import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

from script_engine import ROOT, eventually

SCRIPT = """
from coordinator import flow, serve

@flow("order")
async def order(ui):
    size = await ui.menu("size", "How large?", small="Small", large="Large")
    form = await ui.form("who", "Who?", ui.text("name"), ui.integer("age", range=(0, 120)), ui.secret("pin"))
    length = await ui.step("use", lambda pin: len(bytes(pin)), form.pin)
    await ui.sleep(0.01)
    days = await ui.list("days", "When?", {"mo": "Monday", "tu": "Tuesday"}, choosing=(0, 2))
    return {"size": size, "name": form.name, "age": form.age, "length": length, "days": days}

serve(order)
"""


class Terminal:
    """A program on a terminal."""

    def __init__(self, *command: str) -> None:
        self.end, other = pty.openpty()
        variables = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        self.process = subprocess.Popen(
            [sys.executable, *command], stdin=other, stdout=other, stderr=other, env=variables, start_new_session=True
        )
        os.close(other)
        self.text = self.all = ""

    @property
    def echoes(self) -> bool:
        return bool(termios.tcgetattr(self.end)[3] & termios.ECHO)

    def until(self, text: str) -> None:
        limit = time.monotonic() + 30
        while text not in self.text:
            assert select.select([self.end], [], [], limit - time.monotonic())[0], self.text
            try:
                data = os.read(self.end, 4096)
            except OSError:
                data = b""
            assert data, f"the program has left: {self.text}"
            self.text += data.decode()
            self.all += data.decode()
        self.text = self.text.partition(text)[2]

    def type(self, prompt: str, line: str) -> None:
        self.until(prompt)
        os.write(self.end, f"{line}\n".encode())


def test_a_script_asks_on_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "order.py"
    path.write_text(SCRIPT)
    terminal = Terminal(str(path))
    terminal.until("How large?")
    terminal.type("number, or < for Back: ", "2")
    terminal.type("Name, or < for Back: ", "<")
    terminal.until("Large (as before)")
    terminal.type("number, or < for Back: ", "1")
    terminal.type("Name, or < for Back: ", "Ada")
    terminal.type("Age, or < for Back: ", "200")
    terminal.type("Pin: ", "canary")
    terminal.until("Age must be at most 120")
    # What was typed is there again, without the secret.
    terminal.type("Name [Ada], or < for Back: ", "")
    terminal.type("Age [200], or < for Back: ", "36")
    terminal.type("Pin: ", "canary")
    terminal.type("numbers: ", "1 2")
    terminal.until('{"age":36,"days":["mo","tu"],"length":6,"name":"Ada","size":"small"}')
    assert terminal.process.wait(30) == 0 and "canary" not in terminal.text
    os.close(terminal.end)


CONFIRM = """
from coordinator import flow, serve

@flow("erase")
async def erase(ui):
    sure = await ui.confirm("sure", "Sure?", destructive=True)
    size = await ui.menu("size", "How large?", small="Small", yes="Yes")
    return {"sure": sure, "size": size}

serve(erase)
"""


def test_y_and_n_answer_a_confirmation_and_ids_answer_all_questions(tmp_path: Path) -> None:
    path = tmp_path / "erase.py"
    path.write_text(CONFIRM)
    for line, sure in (("y", "true"), ("N", "false"), ("no", "false"), ("1", "true")):
        terminal = Terminal(str(path))
        terminal.type("number, or < for Back: ", line)
        terminal.type("number, or < for Back: ", "y")
        terminal.type("number, or < for Back: ", "small")
        terminal.until(f'{{"size":"small","sure":{sure}}}')
        assert terminal.process.wait(30) == 0
        os.close(terminal.end)


def test_without_a_terminal_and_an_engine_a_script_says_what_it_needs(tmp_path: Path) -> None:
    path = tmp_path / "order.py"
    path.write_text(SCRIPT)
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, str(path)]
    got = subprocess.run(
        ["setsid", "-w", *command], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=variables, check=False
    )
    # A new session has no terminal: as from cron, in CI, and by ssh.
    assert got.returncode == 3 and got.stdout == ""
    assert got.stderr.startswith("error: there is no terminal to ask on: run the script in a terminal, as a flow (")


def test_a_line_that_the_kernel_cuts_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "order.py"
    path.write_text(SCRIPT)
    terminal = Terminal(str(path))
    terminal.type("number, or < for Back: ", "2")
    terminal.type("Name, or < for Back: ", "a" * 4095)
    terminal.until("This line is too long: at most 4094 bytes can be typed.")
    terminal.type("Name, or < for Back: ", "b" * 4094)
    terminal.until("Age, or < for Back: ")
    os.close(terminal.end)
    terminal.process.wait(30)


def test_a_script_that_a_comment_makes_a_shell_script_says_so(tmp_path: Path) -> None:
    path = tmp_path / "order.py"
    path.write_text(SCRIPT)
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "COORDINATOR_SOCKET": "/run/scripts-1"}
    done = subprocess.run(
        [sys.executable, path], env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert done.returncode == 1 and "the comment '# coordinator:' makes this file a shell script" in done.stderr
    assert '@flow("order", title=…)' in done.stderr


def test_without_the_program_that_plays_scripts_it_is_said_what_to_install(tmp_path: Path) -> None:
    path = tmp_path / "order.py"
    path.write_text(f"import os\nos.environ['PATH'] = {str(tmp_path)!r}\n{SCRIPT}")
    terminal = Terminal(str(path))
    terminal.until("error: coordinator-scripts plays scripts, and is not in PATH: install coordinatord")
    assert terminal.process.wait(30) == 3
    os.close(terminal.end)


def test_a_script_that_was_tried_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "order.py"
    with tempfile.TemporaryDirectory(prefix="r.", dir="/tmp") as rest:
        path.write_text(f"import os\nos.environ['TMPDIR'] = {rest!r}\n{SCRIPT}")
        terminal = Terminal(str(path))
        terminal.until("number, or < for Back: ")
        terminal.process.kill()
        terminal.process.wait()
        eventually(lambda: not os.listdir(rest))
    os.close(terminal.end)


def test_the_directory_for_temporary_files_may_have_a_long_path(tmp_path: Path) -> None:
    path, long = tmp_path / "order.py", tmp_path / ("a" * 100)
    long.mkdir()
    path.write_text(f"import os\nos.environ['TMPDIR'] = {str(long)!r}\n{SCRIPT}")
    terminal = Terminal(str(path))
    terminal.until("number, or < for Back: ")
    os.write(terminal.end, b"\x04")
    assert terminal.process.wait(30) == 130 and not list(long.iterdir())
    os.close(terminal.end)


def test_a_terminal_that_goes_away_ends_the_script(tmp_path: Path) -> None:
    path = tmp_path / "order.py"
    for before in ("", "import signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\n"):
        path.write_text(before + SCRIPT)
        terminal = Terminal(str(path))
        terminal.until("number, or < for Back: ")
        os.close(terminal.end)
        assert terminal.process.wait(30) in (3, -signal.SIGHUP)


def test_ctrl_d_ends_the_script(tmp_path: Path) -> None:
    path = tmp_path / "order.py"
    path.write_text(SCRIPT)
    terminal = Terminal(str(path))
    terminal.until("number, or < for Back: ")
    os.write(terminal.end, b"\x04")
    assert terminal.process.wait(30) == 130
    os.close(terminal.end)


CLOCKS = """
import time
from coordinator import flow, serve

@flow("order")
async def order(ui):
    size = await ui.menu("size", "How large?", small="Small", large="Large", timeout=0.01, default="large")
    try:
        await ui.confirm("sure", "Sure?", timeout=0.01)
    except ui.TimedOut:
        # Two hours back, as a clock that is kept in local time at boot, and forth.
        real = time.time
        time.time = lambda: real() - 7200
        await ui.sleep(0.01)
        time.time = lambda: real() + 7200
        before = time.monotonic()
        await ui.sleep(0.2)
        return {"size": size, "slept": time.monotonic() - before >= 0.2}

serve(order)
"""


def test_durations_do_not_depend_on_the_clock_that_is_set(tmp_path: Path) -> None:
    path = tmp_path / "order.py"
    path.write_text(CLOCKS)
    terminal = Terminal(str(path))
    terminal.until('{"size":"large","slept":true}')
    assert terminal.process.wait(30) == 0
    os.close(terminal.end)


SECRETS = """
from coordinator import flow, serve

@flow("order")
async def order(ui):
    try:
        await ui.form("first", "First?", ui.secret("pin"), timeout=0.01)
    except ui.TimedOut:
        form = await ui.form("second", "Second?", ui.secret("pin"), timeout=1000)
        return {"length": await ui.step("use", lambda pin: len(bytes(pin)), form.pin)}

serve(order)
"""


def test_a_secret_has_its_time_limit_and_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "order.py"
    path.write_text(SECRETS)
    terminal = Terminal(str(path))
    terminal.until("First?\r\nPin: ")
    terminal.until("Second?\r\nPin: ")
    assert not terminal.echoes
    os.write(terminal.end, b"canary\n")
    terminal.until('{"length":6}')
    assert terminal.process.wait(30) == 0 and terminal.echoes and "canary" not in terminal.all
    os.close(terminal.end)


def test_ctrl_d_at_a_secret_ends_the_script_and_leaves_the_terminal_its_echo(tmp_path: Path) -> None:
    path = tmp_path / "order.py"
    path.write_text(SECRETS.replace("0.01", "1000"))
    terminal = Terminal(str(path))
    terminal.until("Pin: ")
    os.write(terminal.end, b"\x04")
    assert terminal.process.wait(30) == 130 and terminal.echoes
    os.close(terminal.end)


def test_the_command_that_serves_classes_says_who_serves_scripts(tmp_path: Path) -> None:
    path = tmp_path / "order.py"
    path.write_text(SCRIPT.replace("serve(order)", ""))
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "coordinator", "serve", str(path)]
    got = subprocess.run(command, capture_output=True, text=True, env=variables, check=False)
    assert got.returncode == 1 and "coordinator-scripts" in got.stderr
