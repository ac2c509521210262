"""What the README shows works."""

import re
import subprocess
import sys
from pathlib import Path

from conftest import Daemon
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


def test_forms_and_work(tmp_path: Path) -> None:
    run(BLOCKS[0] + "\nassert screen.to_json()['fields'] == ['name', 'password']\n", tmp_path)
    play = """
from coordinator.testing import play
flow = play(Unlock).answer(password="short").restart()
assert flow.names == ["password"] and flow.answer(password="open-sesame").outcome.finished
"""
    run(BLOCKS[1] + play, tmp_path)


def test_playing(daemon: Daemon, tmp_path: Path) -> None:
    connected(daemon).close()
    run(BLOCKS[2] + "\nassert outcome.result == {'visit': 'sick', 'pain': 'severe'}, outcome\n", tmp_path)
    run(BLOCKS[3], tmp_path)
