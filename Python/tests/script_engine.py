"""The engine's side of hosts, for tests of hosts."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coordinator.scripts.engines import Engine

ROOT = Path(__file__).parents[1]


class HostProcess:
    """A host, and the engine's side of its socket."""

    def __init__(self, file: Path, **environment: str) -> None:
        self.socket, other = socket.socketpair()
        variables = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'examples'}", **environment}
        variables["COORDINATOR_FD"] = str(other.fileno())
        self.process = subprocess.Popen(
            [sys.executable, str(file)], pass_fds=[other.fileno()], env=variables, stderr=subprocess.PIPE, text=True
        )
        other.close()
        self.socket.settimeout(30)
        self._file = self.socket.makefile("rb")

    def send(self, message: Mapping[str, Any], secrets: Mapping[str, bytes] | None = None) -> None:
        line = json.dumps(message).encode() + b"\n"
        ends = []
        for value in (secrets or {}).values():
            reading, writing = os.pipe()
            os.write(writing, value)
            os.close(writing)
            ends.append(reading)
        socket.send_fds(self.socket, [line], ends) if ends else self.socket.sendall(line)
        for end in ends:
            os.close(end)

    def receive(self) -> dict[str, Any]:
        line = self._file.readline()
        assert line, f"the host has left: {self.process.stderr.read() if self.process.stderr else ''}"
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self) -> int:
        """Ends the connection, and waits for the host to leave."""
        self.socket.shutdown(socket.SHUT_RDWR)
        self._file.close()
        self.socket.close()
        code = self.process.wait(30)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return code

    def kill(self) -> None:
        self.process.kill()
        self.close()


class FlowInHosts:
    """A flow that outlives its hosts, as coordinator-scripts plays it."""

    def __init__(self, file: Path, name: str) -> None:
        self._engine = Engine(file)
        self._state = self._engine.ask({"start": name})

    @property
    def screen(self) -> Mapping[str, Any]:
        screen: Mapping[str, Any] = self._state["question"]["screen"]
        return screen

    @property
    def can_go_back(self) -> bool:
        return bool(self._state["question"]["back"])

    @property
    def log(self) -> Mapping[str, Any]:
        log: Mapping[str, Any] = (self._state["flows"] if "flows" in self._state else self._state["ended"])[-1]["log"]
        return log

    @property
    def end(self) -> Mapping[str, Any] | None:
        return self._state.get("end")

    def answer(self, event: str, payload: Mapping[str, Any] | None = None, *, crash: str = "", **secrets: str) -> None:
        """Answers, and kills all processes of the script at the next step, if wanted."""
        crashing = {"crash": crash} if crash else {}
        self._happens({"event": event, "payload": payload or {}, "secrets": secrets, **crashing})

    def restart(self) -> None:
        """Kills the host, as kill -9 does, and starts another one with the same log."""
        self._happens({"restart": True})

    def _happens(self, request: Mapping[str, Any]) -> None:
        self._state = self._engine.ask(request)
        assert "place" in self._state and "differs" not in self._state, self._state

    def close(self) -> None:
        self._engine.close()


def eventually(check: Any, seconds: float = 20) -> None:
    """Waits for a change that emits no event."""
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end
        time.sleep(0.01)
