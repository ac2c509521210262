"""Plays a script on the terminal, without a daemon: a user tries it by typing its name."""

from __future__ import annotations

import argparse
import contextlib
import errno
import json
import os
import select
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias

from coordinator import codec, forms
from coordinator.codec import JSON
from coordinator.errors import CoordinatorError
from coordinator.scripts.engines import Mode, NoEngine
from coordinator.scripts.flow import Script
from coordinator.scripts.stages import Played, Refused, Stage, describe

NO_TERMINAL = (
    "there is no terminal to ask on: run the script in a terminal, as a flow (coordinatorctl run NAME), or with the"
    " answers in a file (coordinatorctl answer FILE)"
)
# The status of `ask`.
UNABLE = 3
Read: TypeAlias = Callable[[str, bool], str]
"""Shows a prompt, and returns the line that the user types: hidden if it is a secret."""
# How long a change of the clock, or a suspension of the computer, may go unnoticed.
_SLICE = 5.0
# The bytes of a line that the kernel keeps; it drops the rest.
_LONGEST = 4095


class TerminalGone(Exception):
    """The terminal is gone, for example because its window was closed."""


class TimeOver(Exception):
    """The user has not answered in time."""


class Terminal:
    """The user's input: the standard input if that is a terminal, else the terminal of the session."""

    def __init__(self) -> None:
        self._descriptor = 0 if os.isatty(0) else os.open("/dev/tty", os.O_RDWR | os.O_CLOEXEC | os.O_NOCTTY)

    def line(self, prompt: str, is_secret: bool, left: Callable[[], float | None]) -> str:
        """Shows a prompt, and returns a line without its end. `left` is the time limit.

        Raises `TimeOver`, `TerminalGone`, or `EOFError` if the user types Ctrl-D.
        """
        # Input after the prompt must not be dropped with the earlier input.
        with self._without_echo() if is_secret else contextlib.nullcontext():
            while True:
                print(prompt, end="", file=sys.stderr, flush=True)
                line = self._line(left)
                if len(line) < _LONGEST:
                    return line.decode(errors="replace")
                print(f"\nThis line is too long: at most {_LONGEST - 1} bytes can be typed.", file=sys.stderr)

    @contextlib.contextmanager
    def _without_echo(self) -> Iterator[None]:
        shown = termios.tcgetattr(self._descriptor)
        hidden = [*shown[:3], shown[3] & ~termios.ECHO, *shown[4:]]
        termios.tcsetattr(self._descriptor, termios.TCSAFLUSH, hidden)
        try:
            yield
        finally:
            # The terminal may be gone.
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._descriptor, termios.TCSAFLUSH, shown)
            print(file=sys.stderr)

    def _line(self, left: Callable[[], float | None]) -> bytes:
        poll = select.poll()
        poll.register(self._descriptor, select.POLLIN)
        while not (ready := poll.poll(_milliseconds(left()))):
            rest = left()
            if rest is not None and rest <= 0:
                raise TimeOver
        # A terminal returns one line at a time, so the next line stays unread.
        data = os.read(self._descriptor, 1 << 16)
        if not data and ready[0][1] & (select.POLLHUP | select.POLLERR):
            raise TerminalGone
        if not data:
            raise EOFError
        return data.rstrip(b"\n")


def _milliseconds(left: float | None) -> float | None:
    return None if left is None else min(max(0.0, left), _SLICE) * 1000 + 1


def main(scripts: Sequence[Script], arguments: Sequence[str]) -> None:
    """Plays one of the flows, and prints its result as JSON."""
    parser = argparse.ArgumentParser(description=scripts[0].summary or scripts[0].title)
    names = [script.name for script in scripts]
    parser.add_argument("flow", nargs="?" if len(names) == 1 else None, choices=names, default=names[0])
    parser.add_argument("--input", type=json.loads, default={}, metavar="JSON", help="the input of the flow")
    parser.add_argument("--describe", action="store_true", help="print descriptions of the flows as JSON")
    options = parser.parse_args(arguments)
    script = next(script for script in scripts if script.name == options.flow)
    try:
        terminal = Terminal()
    except OSError:
        _give_up(NO_TERMINAL)
    try:
        script.decoded(options.input)
        end = play(scripts, {"start": script.name, "input": options.input}, terminal)
    except (KeyboardInterrupt, EOFError):
        print(file=sys.stderr)
        sys.exit(130)
    except NoEngine as error:
        _give_up(str(error))
    except TerminalGone:
        _give_up("the terminal is gone, so the script ends")
    except OSError as error:
        # An error of the terminal.
        if error.errno != errno.EIO:
            raise
        _give_up("the terminal is gone, so the script ends")
    except CoordinatorError as error:
        sys.exit(f"error: {error.message}")
    if "fail" in end:
        sys.exit(f"error: {end['fail']['message']}")
    if "cancel" in end:
        sys.exit(1)
    print(codec.text(end["finish"]))


def _give_up(reason: str) -> NoReturn:
    with contextlib.suppress(OSError):
        os.write(2, f"error: {reason}\n".encode())
    # Not sys.exit(), at which Python would write buffered output to a terminal that is gone.
    os._exit(UNABLE)


class Play:
    """A flow that a person plays, whose functions are called in this process."""

    def __init__(self, stage: Stage, start: Mapping[str, JSON]) -> None:
        self._stage = stage
        self.happens(start)

    def happens(self, request: Mapping[str, JSON]) -> None:
        """Sends an event, and continues to the next question."""
        self._state = self._stage.ask(request)
        self._asked = _time()

    @property
    def end(self) -> Mapping[str, JSON] | None:
        """The outcome of the flow."""
        return self._state.get("end")

    @property
    def screen(self) -> Mapping[str, Any] | None:
        """The open question, or None if a sleep has to end."""
        asked = self._state.get("question")
        return None if asked is None else {"messages": [], **asked["screen"], "back": asked["back"]}

    @property
    def left(self) -> float | None:
        """The remaining seconds of the next sleep or time limit."""
        due = self._state.get("due")
        return None if due is None else max(0.0, due - self._state["now"] - (_time() - self._asked))


def _time() -> float:
    """Returns the time since the machine was started, including suspensions. This clock cannot be set."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def play(scripts: Sequence[Script], start: Mapping[str, JSON], terminal: Terminal) -> Mapping[str, JSON]:
    """Asks all questions of a flow. Returns its outcome."""
    stage = Stage(describe(scripts), Mode.PERSON)
    try:
        stage.played = Played({script.name: script for script in scripts}, language="")
        player = Play(stage, start)
        while player.end is None:
            go_on(player, terminal)
        return player.end
    finally:
        stage.close()


def go_on(player: Play, terminal: Terminal) -> None:
    """Asks a question, or waits for a sleep to end."""
    screen = player.screen
    if screen is None:
        wait(player)
        return
    try:
        player.happens(question(screen, lambda prompt, hidden: terminal.line(prompt, hidden, lambda: player.left)))
    except TimeOver:
        print(file=sys.stderr)
        player.happens({"advance": 0})
    except Refused:
        print("This is not possible.", file=sys.stderr)


def wait(player: Play) -> None:
    """Waits for a sleep to end."""
    assert player.left is not None, "the flow waits for nothing"
    while player.left > 0:
        time.sleep(min(player.left, _SLICE))
    player.happens({"advance": 0})


def question(screen: Mapping[str, Any], read: Read) -> dict[str, JSON]:
    """Asks a question. Returns the event."""
    print(f"\n{screen['title']}", file=sys.stderr)
    for text in (screen.get("body"), *(message["text"] for message in screen["messages"])):
        if text:
            print(text, file=sys.stderr)
    if screen["kind"] == "form":
        return form(screen, read)
    choices = [("select", item["id"], item["title"]) for item in screen.get("items", ())]
    choices += [(action["id"], "", action["title"]) for action in screen["actions"]]
    suggested = screen.get("suggested", screen.get("default", screen.get("choosing", {}).get("initial")))
    before = suggested if isinstance(suggested, list) else [suggested]
    for number, (event, id, title) in enumerate(choices, 1):
        mark = " (as before)" if (id or event) in before else ""
        print(f"  {number}  {title}{mark}", file=sys.stderr)
    several = "max" in screen.get("choosing", {})
    while True:
        typed = _line(screen, "numbers" if several else "number", read)
        if typed is None:
            return {"back": True}
        named = next((choice for choice in choices if (choice[1] or choice[0]) == _id_of(typed, choices)), None)
        try:
            numbers = [int(one) for one in typed.replace(",", " ").split()] if named is None else []
            chosen = [choices[number - 1] for number in numbers if number > 0] if named is None else [named]
        except (ValueError, IndexError):
            continue
        if several and all(event == "select" for event, _, _ in chosen):
            return {"event": "select", "payload": {"ids": [id for _, id, _ in chosen]}}
        if len(chosen) == 1:
            event, id, _ = chosen[0]
            return {"event": event, "payload": {"id": id} if event == "select" else {}}


def _id_of(typed: str, choices: Sequence[tuple[str, str, str]]) -> str:
    """Returns the ID that a line means: the line itself, or y and n where the choices are yes and no."""
    letters = {"y": "yes", "n": "no"} if [event for event, _, _ in choices] == ["yes", "no"] else {}
    return letters.get(typed.lower(), typed)


def _line(screen: Mapping[str, Any], what: str, read: Read) -> str | None:
    """Returns a line that the user has typed, or None for Back."""
    typed = read(f"{what}{', or < for Back' if screen['back'] else ''}: ", False)
    return None if typed == "<" and screen["back"] else typed


def form(screen: Mapping[str, Any], read: Read) -> dict[str, JSON]:
    """Asks for the fields of a form, one after the other, until they fit. Keeps what was typed, without secrets."""
    kept = dict(screen.get("values", {}))
    while True:
        payload: dict[str, JSON] = {}
        for name in screen["fields"]:
            part = screen["schema"]["properties"][name]
            if name not in forms.shown_fields(screen["schema"], payload):
                continue
            before = kept.get(name, part.get("default"))
            if part.get("writeOnly"):
                value: Any = read(f"{part['title']}: ", True) or None
            else:
                hint = f" [{before}]" if before is not None else ""
                typed = _line(screen, f"{part['title']}{hint}{_choices(part)}", read)
                if typed is None:
                    return {"back": True}
                value = before if typed == "" else _value(part, typed)
            if value is not None:
                payload[name] = value
        problems = forms.problems(screen["schema"], payload)
        if not problems:
            break
        properties = screen["schema"]["properties"]
        kept.update({name: value for name, value in payload.items() if not properties[name].get("writeOnly")})
        for name, reason in problems.items():
            print(f"{screen['schema']['properties'][name]['title']} {reason}", file=sys.stderr)
    hidden = {name for name, part in screen["schema"]["properties"].items() if part.get("writeOnly")} & set(payload)
    event = next(action["id"] for action in screen["actions"] if action["role"] == "primary")
    shown = {name: value for name, value in payload.items() if name not in hidden}
    return {"event": event, "payload": shown, "secrets": {name: str(payload[name]) for name in hidden}}


def _choices(part: Mapping[str, Any]) -> str:
    return f" ({', '.join(str(one['const']) for one in part['oneOf'])})" if "oneOf" in part else ""


def _value(part: Mapping[str, Any], typed: str) -> JSON:
    if part.get("type") == "string":
        return typed
    if part.get("type") == "array":
        return [_value(part.get("items", {}), one.strip()) for one in typed.split(",")]
    if part.get("type") == "boolean":
        return typed.lower() in ("y", "yes", "true", "1")
    try:
        return json.loads(typed)
    except ValueError:
        return typed
