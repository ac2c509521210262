"""The entries of a log, which a run replays by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from coordinator.codec import JSON

Entry: TypeAlias = Mapping[str, JSON]
"""An operation of a run: `kind`, `key`, and what the protocol's table lists."""


def name_of(entry: Entry) -> str:
    """Returns the name of an entry: its key without the number of its use."""
    return str(entry["key"]).partition("#")[0]


def reply_of(entry: Entry) -> Mapping[str, JSON] | None:
    """Returns the reply to the operation of an entry, or None if the entry is open."""
    if entry["kind"] == "patch":
        # A mark has no result.
        return {"result": True}
    if "answer" in entry:
        return {"answer": entry["answer"]}
    if "error" in entry:
        return {"error": entry["error"]}
    if "result" not in entry:
        return None
    return dict(entry["result"]) if entry["kind"] == "child" else {"result": entry["result"]}
