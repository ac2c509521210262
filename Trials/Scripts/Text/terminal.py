"""The ways through coordinator-tui line by line: over a pipe, and on a terminal."""

import json
import os
import pty
import re
import select
import subprocess
import termios
import time

from texts import SPACE
from ways import Way
from world import BINARIES, PATIENCE


class Pipe(Way):
    """coordinator-tui line by line, over a pipe. A carriage return before the line feed is part of the line end."""

    longest = 24_000

    def carried(self, kind, text):
        if kind == "input":
            return text, text
        if kind == "element" and ("," in text or text.strip(SPACE) != text):
            return None
        if kind in ("line", "element", "secret") and "\n" in text or kind == "secret" and not text:
            return None
        if kind == "area" and any(line == "." for line in text.split("\n")[1:]):
            return None
        if kind in ("line", "area", "secret") and any(line.endswith("\r") for line in text.split("\n")):
            return None
        return text, text

    def typed(self, field):
        """Returns the lines that answer a field. After "=", no text is a command."""
        match field.kind:
            case "texts":
                return ["=" + ",".join(field.sent)]
            case "choice":
                return [str(field.options.index(field.sent) + 1)]
            case "several":
                return [",".join(str(field.options.index(one) + 1) for one in field.sent)]
            case "entries":
                lines = [json.dumps(row, ensure_ascii=bool(self.source.randrange(2))) for row in field.sent]
                return ["=" + lines[0], *lines[1:], ""]
            case "area":
                return [*("=" + field.sent).split("\n"), "."]
            case "secret":
                return [field.sent]
            case _:
                return ["=" + field.sent]

    def lines(self, question):
        if question.fields:
            return [line for field in question.fields for line in self.typed(field)]
        if question.rows:
            return [",".join(str(question.rows.index(row) + 1) for row in question.chosen)]
        return [str(question.events.index(question.event) + 1)]

    def words(self, play):
        return [play.flow, f"id={play.id}", *(f"{key}:={json.dumps(value)}" for key, value in play.input.items())]

    def play(self, play):
        text = "".join(line + "\n" for question in play.questions for line in self.lines(question))
        self.trial.run_program([BINARIES / "coordinator-tui", "--linear", *self.words(play)], text)


class Terminal:
    """A terminal for a program that reads lines, without special control characters and without echo."""

    def __init__(self, world, *command):
        self.end, other = pty.openpty()
        attributes = termios.tcgetattr(other)
        attributes[0], attributes[3], attributes[6] = 0, termios.ICANON, [b"\0"] * len(attributes[6])
        termios.tcsetattr(other, termios.TCSANOW, attributes)
        os.set_blocking(self.end, False)
        environment = world.environment | {"TERM": "xterm-256color", "LINES": "40", "COLUMNS": "100"}
        self.process = subprocess.Popen(
            [str(word) for word in command], env=environment, stdin=other, stdout=other, stderr=other, start_new_session=True)
        world.processes.append(self.process)
        os.close(other)
        self.written = b""

    def read(self):
        """Reads the available output, and waits for a moment if there is none; returns False at the end."""
        if select.select([self.end], [], [], 0.2)[0]:
            try:
                self.written += os.read(self.end, 1 << 16)
            except OSError:
                return False
        return True

    def until(self, pattern):
        """Waits until the last output matches."""
        end = time.monotonic() + PATIENCE
        while not re.search(pattern, self.written):
            if not self.read() or time.monotonic() > end:
                raise AssertionError(f"waited for {pattern} instead of {self.written[-600:]}")

    def send(self, data):
        self.written = b""
        while data:
            try:
                data = data[os.write(self.end, data):]
            except BlockingIOError:
                self.read()

    def wait(self):
        end = time.monotonic() + PATIENCE
        while self.read():
            assert time.monotonic() < end, f"waited for the end instead of {self.written[-600:]}"
        status = self.process.wait(PATIENCE)
        os.close(self.end)
        assert status == 0, self.written


class Typist(Pipe):
    """coordinator-tui line by line, on a terminal, whose lines have at most 4,095 bytes."""

    longest = 4_000

    def carried(self, kind, text):
        return None if len(text.encode()) > 4_000 else super().carried(kind, text)

    def play(self, play):
        terminal = Terminal(self.world, BINARIES / "coordinator-tui", "--linear", *self.words(play))
        for question in play.questions:
            # The previous screen may be busy, and have a prompt as well. Several answers are checked before they are sent.
            terminal.until(rb"\x1b\[1m%s\b" % question.name.capitalize().encode())
            for line in self.lines(question) + [""] * (len(question.fields or []) > 1):
                terminal.until(rb"(: |> )$")
                terminal.send(line.encode() + b"\n")
        terminal.wait()
