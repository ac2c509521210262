"""Checks a screen against the contract."""

KINDS = {"menu", "list", "form", "message", "progress"}
ROLES = {"primary", "normal", "cancel", "destructive"}


def texts(value):
    """Yields all strings in a screen."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def faults(screen):
    """Returns the faults of a screen, as sentences."""
    found = []

    def check(holds, fault):
        if not holds:
            found.append(f"{screen.get('name')}: {fault}")

    check(screen.get("kind") in KINDS, "its kind is unknown")
    check(screen.get("name") and screen.get("title"), "it has no name or title")
    for key in ["actions", "items"]:
        ids = [element["id"] for element in screen.get(key, [])]
        check(len(ids) == len(set(ids)) and all(ids), f"ids of {key} are empty, or not unique")
        check(all(element["title"] for element in screen.get(key, [])), f"titles of {key} are empty")
    check(all(action["role"] in ROLES for action in screen["actions"]), "a role is unknown")
    choosing = screen.get("choosing", {})
    check(set(choosing.get("initial", [])) <= {item["id"] for item in screen.get("items", [])}, "it begins with what it does not have")
    properties = screen.get("schema", {}).get("properties", {})
    check(sorted(screen.get("fields", [])) == sorted(properties), "its fields are not those of its schema")
    check((screen.get("kind") == "form") == bool(properties), "it is a form without fields, or has fields without being one")
    check(all(field["title"] for field in properties.values()), "a field has no title")
    secrets = {name for name, field in properties.items() if field.get("writeOnly")}
    check(not secrets & set(screen.get("values", {})), "it shows a secret")
    check(not any(ord(letter) < 32 and letter not in "\n\t" for text in texts(screen) for letter in text), "a text has control characters")
    return found
