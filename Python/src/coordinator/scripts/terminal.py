"""Plays a script on the terminal, without a daemon: to try it by typing its name."""

from __future__ import annotations

import argparse
import getpass
import json
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from coordinator import codec, forms
from coordinator.codec import JSON
from coordinator.errors import CoordinatorError
from coordinator.scripts import engine
from coordinator.scripts.flow import Script
from coordinator.scripts.log import Log
from coordinator.scripts.player import Player
from coordinator.scripts.session import Clock, Refused


class RealClock(Clock):
    """The clock and the random numbers of this machine."""

    def draw(self, name: str) -> JSON:
        """Returns a value for a script."""
        return engine.draw(name)


def main(scripts: Sequence[Script], arguments: Sequence[str]) -> None:
    """Plays one of the flows, and prints its result as JSON."""
    parser = argparse.ArgumentParser(description=scripts[0].summary or scripts[0].title)
    names = [script.name for script in scripts]
    parser.add_argument("flow", nargs="?" if len(names) == 1 else None, choices=names, default=names[0])
    parser.add_argument("--input", type=json.loads, default={}, metavar="JSON", help="the input of the flow")
    parser.add_argument("--describe", action="store_true", help="print descriptions of the flows as JSON")
    options = parser.parse_args(arguments)
    script = next(script for script in scripts if script.name == options.flow)
    if not sys.stdin.isatty():
        parser.error("there is no terminal, and COORDINATOR_FD is not set: coordinator-scripts starts this program")
    try:
        end = play(Player(script, scripts, Log(options.input), "", RealClock(time.time())))
    except (KeyboardInterrupt, EOFError):
        print(file=sys.stderr)
        sys.exit(130)
    except CoordinatorError as error:
        sys.exit(f"error: {error.message}")
    if "fail" in end:
        sys.exit(f"error: {end['fail']['message']}")
    if "cancel" in end:
        sys.exit(1)
    print(codec.text(end["finish"]))


def play(player: Player) -> Mapping[str, JSON]:
    """Asks all questions of a flow. Returns how it has ended."""
    player.settle()
    while player.end is None:
        if player.top.engine.question is None:
            wait(player)
            continue
        screen = player.top.engine.screen
        try:
            happening, secrets = question(screen, player.top.engine.suggested)
            player.top.secrets.update(secrets)
            player.happens(happening)
        except Refused:
            print("This is not possible.", file=sys.stderr)
    return player.end


def wait(player: Player) -> None:
    """Waits for a sleep to end."""
    assert player.due is not None, "the flow waits for nothing"
    time.sleep(max(0.0, player.due - time.time()))
    player.fire()


def question(screen: Mapping[str, Any], suggested: JSON) -> tuple[dict[str, JSON], dict[str, bytes]]:
    """Asks a question. Returns what happens, and secrets."""
    print(f"\n{screen['title']}", file=sys.stderr)
    for text in (screen.get("body"), *(message["text"] for message in screen["messages"])):
        if text:
            print(text, file=sys.stderr)
    if screen["kind"] == "form":
        return form(screen)
    choices = [("select", item["id"], item["title"]) for item in screen.get("items", ())]
    choices += [(action["id"], "", action["title"]) for action in screen["actions"]]
    before = suggested if isinstance(suggested, list) else [suggested]
    for number, (event, id, title) in enumerate(choices, 1):
        mark = " (as before)" if (id or event) in before else ""
        print(f"  {number}  {title}{mark}", file=sys.stderr)
    several = "choosing" in screen
    while True:
        typed = _line(screen, "numbers" if several else "number")
        if typed is None:
            return {"back": True}, {}
        try:
            chosen = [choices[int(one) - 1] for one in typed.replace(",", " ").split() if int(one) > 0]
        except (ValueError, IndexError):
            continue
        if several and all(event == "select" for event, _, _ in chosen):
            return {"event": "select", "payload": {"ids": [id for _, id, _ in chosen]}}, {}
        if len(chosen) == 1:
            event, id, _ = chosen[0]
            return {"event": event, "payload": {"id": id} if event == "select" else {}}, {}


def _line(screen: Mapping[str, Any], what: str) -> str | None:
    """Returns a line that the user has typed, or None for Back."""
    print(f"{what}{', or < for Back' if screen['back'] else ''}: ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    typed = line.rstrip("\n")
    return None if typed == "<" and screen["back"] else typed


def form(screen: Mapping[str, Any]) -> tuple[dict[str, JSON], dict[str, bytes]]:
    """Asks for the fields of a form, one after the other, until they fit."""
    while True:
        payload: dict[str, JSON] = {}
        for name, part in screen["schema"]["properties"].items():
            if name not in forms.shown_fields(screen["schema"], payload):
                continue
            before = screen.get("values", {}).get(name, part.get("default"))
            if part.get("writeOnly"):
                value: Any = getpass.getpass(f"{part['title']}: ") or None
            else:
                hint = f" [{before}]" if before is not None else ""
                typed = _line(screen, f"{part['title']}{hint}{_choices(part)}")
                if typed is None:
                    return {"back": True}, {}
                value = before if typed == "" else _value(part, typed)
            if value is not None:
                payload[name] = value
        problems = forms.problems(screen["schema"], payload)
        if not problems:
            break
        for name, reason in problems.items():
            print(f"{screen['schema']['properties'][name]['title']} {reason}", file=sys.stderr)
    hidden = {name for name, part in screen["schema"]["properties"].items() if part.get("writeOnly")} & set(payload)
    event = next(action["id"] for action in screen["actions"] if action["role"] == "primary")
    shown = {name: value for name, value in payload.items() if name not in hidden}
    secrets = {name: str(payload[name]).encode() for name in hidden}
    return {"event": event, "payload": shown, "secrets": sorted(hidden)}, secrets


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
