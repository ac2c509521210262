#!/usr/bin/env python3
"""A renderer of linear text, made of nothing but the D-Bus contract: renderer.py TOKEN (needs python3-dasbus)."""
import os, sys
from dasbus.connection import SessionMessageBus
from dasbus.error import DBusError
from dasbus.typing import get_native, get_variant
from gi.repository import GLib

NAME, ROOT = "org.coordinatord.Coordinator1", "/org/coordinatord/Coordinator1"
TREE = f"{ROOT}/flows/{sys.argv[1]}"
bus, loop = SessionMessageBus(), GLib.MainLoop()
router = bus.get_proxy(NAME, TREE + "/router", NAME + ".Router")
own = bus.connection.get_unique_name()
top, revision = None, 0  # what is shown, and what its user has seen
answers, asked = {}, []  # of a form: what was typed, and the fields that are still to be asked for

def say(*lines):
    print(*lines, sep="\n", end="\n" if lines else "", flush=True)

def show(now, screens):
    global top, revision, choices, preset
    old, top, revision = top, get_native(screens[-1]) if screens else None, now
    if top is None or top == old:
        return
    news = [f"{m['level'].upper()}: {m['text']}" for m in top.get("messages", [])]
    say("", f"== {top['title']}", top["body"], *news, *[top["progress"].get("text", "")] if "progress" in top else [])
    choices, given = top.get("items", []) + top["actions"], top.get("suggested", [])  # which only the user may send
    if "schema" not in top:
        asked.clear()
        preset = next((str(n) for n, c in enumerate(choices, 1) if c["id"] in given and "disabled" not in c), "")
        say(*[f"  {n}) {c['title']} {c.get('subtitle', '')}" for n, c in enumerate(choices, 1)], f"Choice [{preset}] (b goes back):")
        return
    if old is None or old["id"] != top["id"]:  # what was typed into a form that changes meanwhile stays
        answers.clear()
        asked[:] = top["fields"]
    ask()

def offered(name):  # what an empty line means: what was typed before or elsewhere, else what the flow fills in
    return answers.get(name, top.get("draft", {}).get(name, top.get("values", {}).get(name, "")))

def ask():
    field = top["schema"]["properties"][asked[0]]
    say(*[f"  {c['const']}: {c['title']}" for c in field.get("items", field).get("oneOf", [])])
    say(f"{field['title']} ({field.get('description', '')}) [{'' if field.get('writeOnly') else offered(asked[0])}]:")
    echo(not field.get("writeOnly"))

def fill(text):
    fields, name = top["schema"]["properties"], asked.pop(0)
    kinds = {"integer": int, "number": float, "boolean": "y".__eq__, "array": lambda text: text.split(",")}
    try:
        answers[name] = kinds.get(fields[name].get("type"), str)(text) if text else offered(name)
    except ValueError:
        answers[name] = text  # the daemon says better what is wrong with it
    if not asked:
        return delegate(next(a["id"] for a in top["actions"] if a["role"] == "primary"), answers)
    router.SaveDraft(top["id"], values({n: a for n, a in answers.items() if not fields[n].get("writeOnly")}), {})
    ask()

def values(fields):
    kinds = {str: "s", bool: "b", int: "x", float: "d", list: "as"}
    return {name: get_variant(kinds[type(value)], value) for name, value in fields.items() if value != ""}

def delegate(event, payload):
    try:
        coordinator = bus.get_proxy(NAME, top["coordinator"], NAME + ".Coordinator")
        coordinator.Delegate(top["id"], event, values(payload), {"seen": get_variant("t", revision)})
    except DBusError as error:  # nothing has changed: ask again
        say(f"ERROR: {error}")
        asked[:] = top.get("fields", [])
        asked and ask()

def echo(on):
    sys.stdin.isatty() and os.system("stty echo" if on else "stty -echo")

def typed(*_):
    text, _ = (line := sys.stdin.readline()).rstrip("\n"), echo(True)
    if not line:
        loop.quit()
    elif top and asked:
        fill(text)
    elif top and text == "b":
        router.Back(top["id"], {}) if top["back"] else say("There is no way back.")
    elif top and (text := text or preset).isdigit() and 0 < int(text) <= len(choices):
        choice, is_item = choices[int(text) - 1], int(text) <= len(top.get("items", []))
        delegate("select" if is_item else choice["id"], {"id": choice["id"]} if is_item else {})
    return True

def attach(*change):  # also whenever the daemon is back, whose screens may be others then
    if not change or (change[0] == NAME and change[2]):
        show(*router.Attach({"kind": get_variant("s", "python")}))

router.Settled.connect(lambda now, _: show(now, router.Screens))
router.Drafted.connect(lambda _, __, client: client == own or show(revision, router.Screens))
router.Answered.connect(lambda _, __, ___, kind, client: client == own or say(f"Answered in {kind or 'another place'}."))
bus.get_proxy(NAME, ROOT, NAME + ".Manager").FlowEnded.connect(lambda path, _, how: path == TREE and (say("", how), loop.quit()))
bus.proxy.NameOwnerChanged.connect(attach)
attach()
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, typed)
loop.run()
