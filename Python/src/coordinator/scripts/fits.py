"""Whether a screen accepts a recorded answer, and what it suggests."""

from __future__ import annotations

from collections.abc import Mapping

from coordinator import codec, forms
from coordinator.codec import JSON

try:
    # Where hashlib has it from. hashlib itself loads OpenSSL, which takes a host a tenth of its start.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b


def fits(screen: Mapping[str, JSON], answer: Mapping[str, JSON]) -> bool:
    """Whether a screen accepts an answer: the choice exists and is enabled, and the payload fits the schema."""
    if "event" not in answer:
        return True
    event, payload = answer["event"], answer.get("payload") or {}
    if screen.get("kind") == "list" and event == "select":
        rows = {item["id"]: item for item in screen.get("items", ())}
        chosen = payload.get("ids", [payload["id"]] if "id" in payload else [])
        return all(one in rows and "disabled" not in rows[one] for one in chosen) and _is_right_number(screen, chosen)
    action = next((action for action in screen.get("actions", ()) if action["id"] == event), None)
    if action is None or "disabled" in action:
        return False
    if "schema" in screen and action.get("role") == "primary":
        return _payload_fits(screen["schema"], payload)
    return not payload


def _is_right_number(screen: Mapping[str, JSON], chosen: list[JSON]) -> bool:
    limits = screen.get("choosing", {})
    return bool(limits.get("min", 1) <= len(chosen) <= limits.get("max", 1))


def _payload_fits(schema: Mapping[str, JSON], payload: Mapping[str, JSON]) -> bool:
    properties: Mapping[str, Mapping[str, JSON]] = schema.get("properties", {})
    kept = {name for name, value in payload.items() if value == {"secret": True}}
    if any(not properties.get(name, {}).get("writeOnly") for name in kept):
        return False
    # The value of a secret is not known, only that there is one.
    given = {name: value for name, value in payload.items() if name not in kept}
    return not any(name not in kept for name in forms.problems(schema, {**given, **dict.fromkeys(kept, "")}))


def suggested(screen: Mapping[str, JSON], answer: Mapping[str, JSON] | None) -> JSON:
    """Returns what a screen preselects: the ID of an action or an item, IDs of items, or the values of a form."""
    if answer is None:
        return None
    event, payload = answer["event"], answer.get("payload") or {}
    if "schema" in screen:
        properties = screen["schema"].get("properties", {})
        shown = {name: value for name, value in payload.items() if name in properties}
        return {name: value for name, value in shown.items() if not properties[name].get("writeOnly")} or None
    if screen.get("kind") == "list" and event == "select":
        rows = {item["id"] for item in screen.get("items", ()) if "disabled" not in item}
        chosen = [one for one in payload.get("ids", [payload.get("id")]) if one in rows]
        if "ids" in payload:
            # No IDs at all: no item was chosen, although the screen may choose some at first.
            return chosen if chosen or not payload["ids"] else None
        return chosen[0] if chosen else None
    return event if any(one["id"] == event and "disabled" not in one for one in screen.get("actions", ())) else None


def with_suggestion(screen: Mapping[str, JSON], answer: Mapping[str, JSON] | None) -> dict[str, JSON]:
    """Returns a screen as it is shown with a suggestion: as values of a form, or as the key `suggested`."""
    found = suggested(screen, answer)
    if found is None:
        return dict(screen)
    if "schema" in screen:
        return {**screen, "values": {**screen.get("values", {}), **found}}
    return {**screen, "suggested": found}


def digest(screen: Mapping[str, JSON]) -> str:
    """Returns a hash of all that a screen shows and accepts."""
    return blake2b(codec.text(screen).encode(), digest_size=8).hexdigest()
