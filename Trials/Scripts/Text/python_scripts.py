"""The scripts in Python, all in one file."""

from play import AREAS, CHILD, ENTRIES, INPUTS, LINES, NAMES

# A script notes each answer with its name.
PYTHON = """#!/usr/bin/env python3
import functools
import json
import os
from pathlib import Path

from coordinator import flow, serve
from coordinator.forms import Field, text


class Notes:
    def __init__(self, id):
        self.path = Path(os.environ["OUT"], id)

    def note(self, name, value):
        with self.path.open("ab") as file:
            file.write(name.encode() + b"\\0" + (value if isinstance(value, str) else json.dumps(value)).encode() + b"\\0")


def keep(pin, path):
    Path(path).write_bytes(bytes(pin))


def add(path, words, _=None):
    with open(path, "ab") as file:
        file.write(b"".join(word.encode() + b"\\0" for word in words))


def nothing():
    pass


"""
KINDS_PYTHON = """
@flow("kinds-py", title="Kinds", input=[text("id", "Id"), *(text(f"i{{n}}", f"I {{n}}").optional for n in range({inputs}))])
async def kinds(ui):
    notes = Notes(ui.input["id"])
    note = notes.note
    for n in range({inputs}):
        note(f"i{{n}}", ui.input.get(f"i{{n}}", ""))
    note("first", ui.input.get("i0", ""))
    listed = {{"type": "array", "title": "L", "items": {{"type": "string"}}}}
    options = {{one: f"Choice {{number}}" for number, one in enumerate({options!r})}}
    many = await ui.form(
        "many", "Many", *(ui.text(f"t{{n}}") for n in range({lines})), *(ui.text(f"m{{n}}", multiline=True) for n in range({areas})),
        Field("l0", listed), Field("l1", listed), ui.choice("c", of=options), ui.choices("s", of=options), ui.text("j"),
        Field("e", {entries!r}), ui.secret("pin"))
    for name in {names!r}:
        value = many[name]
        note(name, "\\n".join(one if isinstance(one, str) else json.dumps(one) for one in value) if isinstance(value, list) else value)
    await ui.step("keep", keep, many.pin, f"{{notes.path}}.pin")
    one = (await ui.form("one", "One", ui.text("one", multiline=True))).one
    note("one", one)
    note("plain", (await ui.form("plain", "Plain", ui.text("plain"))).plain)
    js = await ui.form("js", "Js", ui.text("a"), ui.text("b", multiline=True))
    note("js", {{"event": "submit", "payload": dict(js)}})
    items = list(many.l0)
    note("row", await ui.list("row", f"Row {{one}}", items, body=one, extra={{"again": f"Again {{one}}"}}))
    note("rows", "\\n".join(await ui.list("rows", "Rows", items, choosing=(0, len(items)))))
    note("size", await ui.menu("size", "Size", small="Small", large=f"Large {{one}}"))
    note("sure", "yes" if await ui.confirm("sure", f"Sure, {{one}}?") else "no")
    note("kid", (await ui.run("kid-{child}", id=ui.input["id"])).result["text"])
    note("say", await ui.step("say", str, one))
    await ui.message("seen", "Seen", one)
    return {{"one": one}}


"""
KID_PYTHON = """
@flow("kid-py", title="Kid", input=[text("id", "Id")])
async def kid(ui):
    return {"text": (await ui.form("kid", "Kid", ui.text("text", multiline=True))).text}


"""
UNDO_PYTHON = """
@flow("undo-py", title="Undo", input=[text("id", "Id")])
async def undo(ui):
    notes = Notes(ui.input["id"])
    form = await ui.form("words", "Words", *(ui.text(f"w{{n}}", multiline=True) for n in range({count})))
    words = [form[f"w{{n}}"] for n in range({count})]
    await ui.step("one", nothing, undo=functools.partial(add, f"{{notes.path}}.one", words[:1]))
    await ui.step("all", nothing, undo=functools.partial(add, f"{{notes.path}}.all", words))
    await ui.menu("after", "After", go="Go")
    return {{}}


"""
# A child that returns the contents of a file: any JSON, under any keys.
GIVEN_PYTHON = """
@flow("given-py", title="Given", input=[text("id", "Id")])
async def given(ui):
    path = Path(os.environ["OUT"], ui.input["id"])
    if (whole := path.with_suffix(".json")).exists():
        return json.loads(whole.read_text())
    return {key: json.loads(Path(f"{path}.{key}.json").read_text()) for key in "vw"}


"""
PARENT_PYTHON = """
@flow("parent-py", title="Parent", input=[text("id", "Id"), text("child", "Child")])
async def parent(ui):
    note = Notes(ui.input["id"]).note
    await ui.menu("go", "Go?", go="Go")
    result = (await ui.run(ui.input["child"], id=ui.input["id"])).result
    for name in ("list", "named-v", "all-v"):
        note(name, "\\n".join(result["v"]))
    for name in ("value", "named-w", "all-w"):
        note(name, result["w"])
    note("none", "")
    note("missing", "")
    note("json", result)
    return {}


"""
LINK_PYTHON = """
@flow("link-py", title="Link", input=[text("id", "Id"), *(text(f"i{{n}}", f"I {{n}}").optional for n in range({count}))])
async def link(ui):
    for n in range({count}):
        for name in (f"i{{n}}", f"first-{{n}}"):
            Notes(ui.input["id"]).note(name, ui.input.get(f"i{{n}}", ""))
    return {{}}


"""


def write_python_flows(world, options):
    """Returns their names."""
    names = ["kinds", "kid", "undo", "given", "parent", "link"]
    script = PYTHON + KINDS_PYTHON.format(
        inputs=INPUTS, options=options, lines=LINES, areas=AREAS, entries=ENTRIES, names=NAMES, child=CHILD["py"])
    script += KID_PYTHON + UNDO_PYTHON.format(count=AREAS) + GIVEN_PYTHON + PARENT_PYTHON + LINK_PYTHON.format(count=INPUTS)
    world.write("texts.py", f"{script}serve({', '.join(names)})\n")
    return [f"{name}-py" for name in names]
