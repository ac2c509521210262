"""The commands and programs of the README work."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import CAN_PLAY, Daemon
from test_client import connected

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)


def run(code: str, folder: Path) -> None:
    path = folder / "block.py"
    path.write_text(code)
    command = [sys.executable, str(path)]
    got = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=30, check=False)
    assert got.returncode == 0, got.stderr


def environment() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": str(ROOT / "src")}


def block(part: str) -> str:
    found: str = next(block for block in BLOCKS if part in block)
    return found


@pytest.mark.skipif(not CAN_PLAY, reason="there is no coordinator-scripts")
def test_scripts(tmp_path: Path) -> None:
    (tmp_path / "coffee.py").write_text(block("make_coffee(ui)"))
    run(
        "from coffee import make_coffee\n" + block("def test_coffee") + "\ntest_coffee()\ntest_every_path()\n", tmp_path
    )


def test_forms_and_work(tmp_path: Path) -> None:
    run(block("class Person") + "\nassert screen.to_json()['fields'] == ['name', 'password']\n", tmp_path)
    play = """
from coordinator.testing import play
flow = play(Unlock).answer(password="short").restart()
assert flow.names == ["password"] and flow.answer(password="open-sesame").outcome.finished
"""
    run(block("class Unlock") + play, tmp_path)


def test_playing(daemon: Daemon, tmp_path: Path) -> None:
    connected(daemon).close()
    run(
        block("coordinator.run(") + "\nassert outcome.result == {'visit': 'sick', 'pain': 'severe'}, outcome\n",
        tmp_path,
    )
    run(block("with Client()"), tmp_path)
