"""The ways of text to a script: their common parts, the bus, and coordinatorctl send.

The others are in browser.py, terminal.py and answers_file.py.
"""

import json
import re

from gi.repository import GLib
from world import Flow


def packed(value):
    """Returns a value as a variant of the bus."""
    match value:
        case str():
            return GLib.Variant("s", value)
        case dict():
            return GLib.Variant("a{sv}", {key: packed(one) for key, one in value.items()})
        case list():
            return GLib.Variant("av", [packed(one) for one in value])
        case _:
            return GLib.Variant("x", value)


class Way:
    """A way of text to a script."""

    # The size of the longest text in bytes. An answer has at most 64 KiB, and contains two of these texts.
    longest = 24_000

    def __init__(self, trial, source):
        self.trial, self.world, self.source = trial, trial.world, source

    def prepared(self, kind, text):
        """Returns the sent text, and the expected text; None if this way cannot carry it to a field of this kind."""
        # An element is printed on a line, and becomes the id of a row.
        if kind == "element" and (not text or re.search("[\n\r\t]", text) or text in ("again", "none")):
            return None
        if kind == "secret" and len(text.encode()) > 4096:
            return None
        return self.carried(kind, text)

    def carried(self, kind, text):
        return text, text

    def play(self, play):
        flow = self.begin(play)
        for question in play.questions:
            flow.shows(question.name)
            self.answer(flow, question)
        flow.shows(None)
        self.trial.assertEqual(flow.outcome, ("finished", play.result))

    def close(self):
        pass


class Bus(Way):
    """A client of the bus."""

    longest = 24_000

    def begin(self, play):
        return self.world.flow(play.flow, id=play.id, **play.input)

    def answer(self, flow, question):
        if question.name == "row" and flow.top["title"].startswith("Row "):
            one = flow.top["title"][4:]
            self.trial.assertEqual((flow.top["body"], flow.top["actions"][0]["title"]), (one, f"Again {one}"))
            self.trial.assertEqual([item["id"] for item in flow.top["items"]], question.rows)
        self.trial.delegate(flow, *self.event(question))

    @staticmethod
    def event(question):
        if question.fields:
            return "submit", {field.name: field.sent for field in question.fields}
        if question.rows:
            return "select", {"ids": question.chosen} if question.several else {"id": question.chosen[0]}
        return question.event, {}


class Tool(Way):
    """coordinatorctl send, with words, JSON, files and the standard input."""

    # A word has at most 128 KiB, and JSON may take more than twice as much as its text.
    longest = 24_000

    def carried(self, kind, text):
        if kind == "secret" and ("\n" in text or text.endswith("\r")):
            return None  # coordinatorctl reads one line of the standard input.
        return text, text

    def begin(self, play):
        words = [f"{key}:={json.dumps(value)}" for key, value in play.input.items()]
        path = self.trial.tool("start", play.flow, f"id={play.id}", *words)
        return Flow(self.world, f"/org/coordinatord/Coordinator1/flows/{path.split()[0]}")

    def answer(self, flow, question):
        event, payload = Bus.event(question)
        words, secret = [], None
        for number, (key, value) in enumerate(payload.items()):
            how = self.source.choice(["word", "json", "file"])
            if key == "pin":
                secret = value
                words.append("pin=@-")
            elif not isinstance(value, str) or how == "json":
                words.append(f"{key}:={json.dumps(value, ensure_ascii=bool(self.source.randrange(2)))}")
            elif how == "file" or value.startswith("@"):
                (file := self.world.home / f"value-{number}").write_bytes(value.encode() + b"\n")
                words.append(f"{key}=@{file}")
            else:
                words.append(f"{key}={value}")
        self.trial.tool("send", flow.path.rpartition("/")[2], event, *words, text=secret)
