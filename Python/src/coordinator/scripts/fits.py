"""Whether a screen accepts an answer, and the digest of what it shows."""

from __future__ import annotations

from collections.abc import Mapping

from coordinator import codec, forms
from coordinator.codec import JSON

try:
    # The module that hashlib uses. hashlib itself loads OpenSSL, which takes a tenth of a host's start.
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


def unfit(screen: Mapping[str, JSON], answer: Mapping[str, JSON]) -> str:
    """Returns why a screen does not accept an answer, which `fits` has refused."""
    event, payload = answer["event"], answer.get("payload") or {}
    actions = {action["id"]: action for action in screen.get("actions", ())}
    if "schema" in screen and actions.get(event, {}).get("role") == "primary":
        reasons = forms.problems(screen["schema"], payload)
        return ", ".join(f"'{name}' {reason}" for name, reason in reasons.items())
    if event == "select" and "ids" in payload:
        limits = screen.get("choosing", {})
        return f"{limits.get('min', 1)} to {limits.get('max', 1)} rows are chosen, and none may be disabled"
    disabled = [one["id"] for one in (*screen.get("items", ()), *actions.values()) if "disabled" in one]
    if payload.get("id", event) in disabled:
        return "it is disabled"
    choices = [one["id"] for one in (*screen.get("items", ()), *actions.values()) if "disabled" not in one]
    return f"the choices are {', '.join(choices[:20])}{' …' if len(choices) > 20 else ''}"


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


def digest(screen: Mapping[str, JSON]) -> str:
    """Returns a hash of all that a screen shows and accepts."""
    return blake2b(codec.text(screen).encode(), digest_size=8).hexdigest()
