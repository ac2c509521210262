"""Nothing that is asked makes a provider hang or leave."""

import random
from typing import Any

import pytest

from coordinator.errors import CoordinatorError
from coordinator.provider import INTERFACE, PROVIDER_PATH
from fake_daemon import FakeDaemon
from test_provider import NAME, serving

TEXTS = [
    "",
    "start",
    "event",
    "back",
    "busy",
    "python-visit",
    "menu",
    "\n",
    "ü" * 300,
    "{}",
    '{"format":"coordinator/1"}',
]


def value(choose: random.Random, depth: int = 0) -> Any:
    kinds: list[Any] = [
        ("s", choose.choice(TEXTS)), ("x", choose.randint(-(2**63), 2**63 - 1)), ("b", choose.random() < 0.5),
        ("d", choose.random()), ("as", [choose.choice(TEXTS)]), ("o", "/a"), ("u", 7), ("ay", [1, 2]),
    ]  # fmt: skip
    if depth < 4:
        kinds += [
            ("a{sv}", mapping(choose, depth + 1)),
            ("av", [value(choose, depth + 1)]),
            ("v", value(choose, depth + 1)),
        ]
    return choose.choice(kinds)


KEYS = [
    "kind",
    "key",
    "name",
    "payload",
    "secrets",
    "same",
    "child",
    "work",
    "value",
    "error",
    "from",
    "screens",
    "timer",
]


def mapping(choose: random.Random, depth: int = 0) -> dict[str, Any]:
    return {choose.choice(KEYS): value(choose, depth) for _ in range(choose.randint(0, 5))}


@pytest.fixture
def daemon(bus: str) -> Any:
    one = FakeDaemon()
    yield one
    one.close()


def test_random_calls(daemon: FakeDaemon) -> None:
    choose = random.Random(42)
    call = daemon.connection.call_async
    with serving():
        daemon.registered()
        futures = []
        for turn in range(400):
            flow, state = choose.choice(TEXTS), choose.choice(TEXTS)
            event = {**mapping(choose), **({"kind": ("s", choose.choice(TEXTS[1:4]))} if choose.random() < 0.7 else {})}
            body: tuple[Any, ...] = (flow, "i", turn, state, event, mapping(choose))
            futures.append(call(NAME, PROVIDER_PATH, INTERFACE, "Decide", "sstsa{sv}a{sv}", body))
            body = (flow, "i", choose.choice(TEXTS), turn, state, {})
            futures.append(call(NAME, PROVIDER_PATH, INTERFACE, "Perform", "sssusa{ss}", body))
        answers = 0
        for future in futures:
            try:
                future.result(20)
                answers += 1
            except CoordinatorError as error:
                assert error.name.startswith("org.coordinatord.Coordinator1.Error."), error.name
        assert daemon.decide(NAME, "busy", {"kind": "start"})["do"]
