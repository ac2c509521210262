"""A client that follows signals has the same state as one that reads."""

import random
import time
from typing import Any

import pytest

from conftest import Daemon
from coordinator import CoordinatorError, RemoteScreen, Tree
from coordinator.errors import UnknownObject
from test_client import connected


def filled(screen: RemoteScreen) -> dict[str, Any]:
    """A payload for a form, more or less."""
    payload: dict[str, Any] = {}
    for name, part in screen.data.get("schema", {}).get("properties", {}).items():
        if "oneOf" in part:
            payload[name] = part["oneOf"][0]["const"]
        else:
            kinds: dict[str, Any] = {"string": "user", "integer": 1, "number": 1.5, "boolean": True, "array": []}
            payload[name] = kinds[part["type"]]
    return payload


def step(tree: Tree, choose: random.Random) -> None:
    top = tree.top
    if top is None:
        time.sleep(0.05)
        return
    ways: list[Any] = [(tree.delegate, (event, filled(top) if event == top.primary else {})) for event in top.events]
    ways += [(tree.select, (item["id"],)) for item in top.items[:3]]
    if top.can_go_back and len(tree.window.screens) > 1:
        ways.append((tree.back, ()))
    if not ways:
        time.sleep(0.05)
        return
    call, arguments = choose.choice(ways)
    try:
        call(*arguments)
    except UnknownObject:
        raise
    except CoordinatorError:
        pass  # A refusal changes nothing, or another client was faster.


def test_random_walks(daemon: Daemon) -> None:
    with connected(daemon) as client, connected(daemon) as other:
        steps = 0
        for flow in client.list_flows():
            if flow.data.get("input", {}).get("required"):
                continue
            for seed in range(2):
                choose = random.Random(f"{flow.name} {seed}")
                with client.start(flow.name) as tree:
                    reader = other.tree(tree.path)
                    try:
                        for _ in range(25):
                            step(tree, choose)
                            steps += 1
                            end = time.monotonic() + 5
                            while (read := reader.window) != (followed := tree.window):
                                if time.monotonic() > end:
                                    pytest.fail(f"{flow.name}, seed {seed}: {followed} is followed, {read} is read")
                                time.sleep(0.01)
                        tree.dismiss()
                    except UnknownObject:
                        assert tree.wait_ended(5).end in ("finished", "cancelled", "failed")
                    except CoordinatorError:
                        pass  # It cannot be dismissed now.
        assert steps > 100
