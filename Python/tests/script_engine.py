"""A small engine for tests: it starts hosts, and speaks the script protocol with them."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coordinator.scripts.engine import Engine
from coordinator.scripts.log import Log, is_open

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
        self.file, self.name = file, name
        self.engine = Engine(Log())
        self.host = HostProcess(file)
        self.secrets: dict[str, bytes] = {}
        self.end: Mapping[str, Any] | None = None
        self.progress: list[Mapping[str, Any]] = []
        self.number = 0

    def start(self, log: list[Mapping[str, Any]] | None = None) -> None:
        """Starts a run. By default, it replays all entries before the last answered question without asking."""
        self.number += 1
        entries = self.engine.log.entries
        asks = [place for place, entry in enumerate(entries) if "answer" in entry]
        given = list(entries[: asks[-1]]) if asks and log is None else log or []
        self.host.send({"run": self.number, "flow": self.name, "input": {}, "version": 1, "log": given})

    def until_it_waits(self, *, kill_at: str = "") -> None:
        """Goes on until a question is open or the flow has ended. Kills the host at a step, if wanted."""
        while self.end is None:
            message = self.host.receive()
            if message.get("run") != self.number:
                continue
            if "progress" in message:
                self.progress.append(message["progress"])
            elif "done" in message or "error" in message:
                if kill_at == "after-step":
                    return self.restart()
                self.take_end(message)
            else:
                self.take(message)
                if "step" in message or "look" in message:
                    if kill_at == "before-step" and "step" in message:
                        return self.restart()
                    self.begin(message["entry"])
                    if kill_at == "during-step" and "step" in message:
                        return self.restart()
            if self.engine.question is not None:
                return None
        return None

    def take(self, message: Mapping[str, Any]) -> None:
        self.engine, effects = self.engine.operation(message)
        assert not effects.crash and not effects.hold, (message, effects)
        if effects.end:
            self.end = effects.end
            self.host.send({"run": self.number, "stop": "finished"})
        if effects.reply is not None:
            self.host.send({"run": self.number, "entry": message["entry"], **effects.reply})

    def begin(self, entry: int) -> None:
        found = self.engine.log.entries[entry]
        if not is_open(found):
            return
        self.engine, effects = self.engine.happens({"began": found["key"]})
        assert effects.go is not None
        secrets = {name: self.secrets[name] for name in effects.go["secrets"]}
        self.host.send({"run": self.number, "entry": entry, "go": True, **effects.go}, secrets)

    def take_end(self, message: Mapping[str, Any]) -> None:
        key = self.engine.log.entries[message["entry"]]["key"]
        ended = (
            {"done": key, "value": message["done"]} if "done" in message else {"failed": key, "error": message["error"]}
        )
        self.engine, effects = self.engine.happens(ended)
        assert effects.reply is not None
        self.host.send({"run": self.number, "entry": message["entry"], **effects.reply})

    def answer(self, event: str, payload: Mapping[str, Any] | None = None, **secrets: str) -> None:
        entry = self.engine.log.question
        self.secrets = {name: value.encode() for name, value in secrets.items()}
        self.engine, effects = self.engine.happens({"event": event, "payload": payload or {}, "secrets": list(secrets)})
        assert effects.reply is not None, effects
        self.host.send({"run": self.number, "entry": entry, **effects.reply})

    def back(self) -> None:
        self.engine, effects = self.engine.happens({"back": True})
        assert effects.rerun == "back"
        self.host.send({"run": self.number, "stop": "back"})
        self.start()

    def restart(self) -> None:
        """Kills the host, as kill -9 does, and starts another one with the same log."""
        self.host.kill()
        for entry in self.engine.log.entries:
            if is_open(entry) and entry.get("attempts", 0) > 0:
                self.engine, _ = self.engine.happens({"interrupted": entry["key"]})
        self.engine, _ = self.engine.happens({"secrets-gone": list(self.secrets)})
        self.engine = Engine(Log.from_json(json.loads(self.engine.log.text())))
        self.host = HostProcess(self.file)
        self.start()
        self.until_it_waits()


def eventually(check: Any, seconds: float = 20) -> None:
    """Waits for what emits no event."""
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end
        time.sleep(0.01)
