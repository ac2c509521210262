"""The engine that plays scripts without a daemon: `coordinator-scripts play --json`."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
from collections.abc import Mapping
from enum import Enum
from pathlib import Path

from coordinator.codec import JSON
from coordinator.errors import FlowError

PROGRAM = "coordinator-scripts"
_LONGEST_DIRECTORY = 60
PATIENCE = 60.0
"""How long a step or a look may take in a test, in seconds."""


class NoEngine(FlowError):
    """The program that plays scripts is not installed."""


def installed() -> str:
    """Returns the path of the program. Raises `NoEngine` if it is not installed."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise NoEngine(
            f"{PROGRAM} plays scripts, and is not in PATH: install coordinatord (apt install coordinatord), or add the"
            " directory of its programs to PATH"
        )
    return program


def environment() -> dict[str, str]:
    """Returns the environment of the program, which has sockets there: their paths have at most 107 bytes."""
    is_long = len(os.fsencode(os.environ.get("TMPDIR", ""))) > _LONGEST_DIRECTORY
    return {**os.environ, **({"TMPDIR": "/tmp"} if is_long else {})}


class Mode(Enum):
    """The ways in which scripts are played."""

    TEST = ("--evict", "always")
    """Time stands still, each answer starts a new run, and differences between runs are reported."""
    QUICK_TEST = ("--evict", "patiently")
    """The same, but a run continues after an answer."""
    PERSON = ("--evict", "patiently", "--real")
    """Time and random values are real, and no code is executed twice."""


class Engine:
    """A process that plays the scripts of a file. Only one thread at a time may use it."""

    def __init__(self, file: Path, mode: Mode = Mode.TEST, patience: float = PATIENCE) -> None:
        limit = str(max(1, math.ceil(patience)))
        command = [installed(), "play", str(file), "--json", "--quiet", "--patience", limit, *mode.value]
        # In a separate process group, so that Ctrl-C does not end it: it ends by itself, with the processes that it
        # has started, when its input is closed.
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
            process_group=0, env=environment(),
        )  # fmt: skip

    @property
    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def ask(self, request: Mapping[str, JSON]) -> dict[str, JSON]:
        """Sends a request, and returns the reply. Docs/script-protocol.md describes both."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        try:
            stdin.write(json.dumps(request) + "\n")
            stdin.flush()
            line = stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise FlowError(f"{PROGRAM} has ended: {self._complaints()}")
        reply: dict[str, JSON] = json.loads(line)
        if "wrong" in reply:
            raise FlowError(f"{PROGRAM} does not understand this package: {reply['wrong']}")
        return reply

    def _complaints(self) -> str:
        assert self._process.stderr is not None
        text = self._process.stderr.read().removesuffix("\n")
        self.close()
        return text or f"its status is {self._process.returncode}"

    def close(self) -> None:
        """Ends the process, and waits until it has ended."""
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            try:
                if stream is not None:
                    stream.close()
            except BrokenPipeError:
                pass
        self._process.wait()
