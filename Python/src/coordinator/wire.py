"""Converts JSON to D-Bus values and back. In jeepney, a variant is a pair of its signature and its value."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from coordinator.codec import JSON
from coordinator.errors import FlowError

Variant: TypeAlias = tuple[str, Any]

MAX_LEVELS = 8
# The contract's lists of dictionaries. The type of an empty list cannot be inferred.
_DICTIONARIES = frozenset(
    {"actions", "items", "messages", "review", "blocks", "spans", "do", "children", "oneOf", "flows"}
)
# The contract's unsigned integers.
_UNSIGNED = frozenset({"until", "at", "after", "deadline", "now", "number", "count", "min", "max", "screen", "id"})
_PATH = re.compile(r"/(?:[A-Za-z0-9_]+(?:/[A-Za-z0-9_]+)*)?\Z")


def variant(value: JSON, key: str = "", level: int = 0) -> Variant:
    """Converts a JSON value to a variant.

    `key` is the value's key in the contract, if any. It determines the type of integers and of empty lists.
    """
    if level > MAX_LEVELS + 8:
        raise FlowError(f"'{key}' has more levels than a D-Bus message may have")
    if isinstance(value, bool):
        return "b", value
    if isinstance(value, int):
        if key == "version" and 0 <= value < 2**32:
            return "u", value
        if key in _UNSIGNED and 0 <= value < 2**64:
            return "t", value
        if not -(2**63) <= value < 2**63:
            raise FlowError(f"'{key}' is an integer of more than 64 bits")
        return "x", value
    if isinstance(value, float):
        return "d", value
    if isinstance(value, str):
        return "s", string(value, key)
    if isinstance(value, Mapping):
        return "a{sv}", dictionary(value, level + 1)
    if isinstance(value, Sequence):
        return _array(value, key, level)
    raise FlowError(f"'{key}' cannot be sent: D-Bus has no {type(value).__name__}")


def _array(value: Sequence[JSON], key: str, level: int) -> Variant:
    if any(part is None for part in value):
        raise FlowError(f"'{key}' has null in a list, which D-Bus does not have")
    if key in _DICTIONARIES or (value and all(isinstance(part, Mapping) for part in value)):
        return "aa{sv}", [dictionary(part, level + 1) for part in value]
    if all(isinstance(part, str) for part in value):
        return "as", [string(part, key) for part in value]
    return "av", [variant(part, "", level + 1) for part in value]


def dictionary(value: Mapping[str, JSON], level: int = 0, *, verbatim: bool = False) -> dict[str, Variant]:
    """Converts an object to a{sv}. Omits nulls.

    Its author chooses the keys of a verbatim object, not the contract.
    """
    return {string(key, key): _entry(key, part, level, verbatim) for key, part in value.items() if part is not None}


# Objects whose authors choose the keys: schemas, values, inputs, payloads.
_VERBATIM = frozenset({"schema", "values", "input", "result", "output", "value", "message", "payload", "draft"})


def _entry(key: str, part: JSON, level: int, verbatim: bool) -> Variant:
    if isinstance(part, Mapping) and (verbatim or key in _VERBATIM):
        return "a{sv}", dictionary(part, level + 1, verbatim=True)
    if verbatim and isinstance(part, Sequence) and not isinstance(part, str):
        if part and all(isinstance(one, Mapping) for one in part):
            return "aa{sv}", [dictionary(one, level + 1, verbatim=True) for one in part]
        return variant(list(part), "", level)
    if key in ("screens", "live") and isinstance(part, Mapping):
        return "a{sv}", {string(name, key): variant(screen, "", level + 1) for name, screen in part.items()}
    return variant(part, "" if verbatim else key, level)


def string(value: str, key: str) -> str:
    """Checks a string: the bus disconnects clients that send invalid ones."""
    if "\0" in value:
        raise FlowError(f"'{key}' has a NUL, which D-Bus does not carry")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise FlowError(f"'{key}' has a surrogate, which is no character") from None
    return value


def path(value: str) -> str:
    """Checks an object path."""
    if not _PATH.match(value):
        raise FlowError(f"'{value}' is not an object path")
    return value


# Operations whose arguments are object paths.
_PATHS = {("send", "child"), ("dismiss-child", "path"), ("as-child", "path")}


def answer(value: Mapping[str, JSON]) -> dict[str, Variant]:
    """Converts the answer of Decide to a{sv}."""
    result = dictionary({key: part for key, part in value.items() if key != "do"})
    if operations := value.get("do"):
        result["do"] = ("aa{sv}", [_operation(operation) for operation in operations])
    return result


def _operation(operation: Mapping[str, JSON]) -> dict[str, Variant]:
    result = dictionary(operation)
    for name in list(result):
        if (operation["op"], name) in _PATHS:
            result[name] = ("o", path(operation[name]))
    return result


def plain(value: Any) -> JSON:
    """Converts a D-Bus value to JSON."""
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str):
        return _typed(value[0], value[1])
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [plain(part) for part in value]
    return value


def _typed(signature: str, value: Any) -> JSON:
    if signature == "v" or signature in ("a{sv}", "av", "aa{sv}") or "v" in signature:
        return plain(value)
    if isinstance(value, tuple | list):
        return [list(part) if isinstance(part, tuple) else part for part in value]
    if isinstance(value, dict):
        return {str(key): part for key, part in value.items()}
    return value
