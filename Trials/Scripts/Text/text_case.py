"""The world of the tests of texts: the flows, programs, and the records of a script."""

import json
import pathlib
import random
import subprocess
import unittest

from gi.repository import GLib
from play import SHELLS
from python_scripts import write_python_flows
from shell_scripts import write_shell_flows
from texts import OPTIONS, SEED, all_texts
from ways import packed
from world import BINARIES, NAME, PATIENCE, ROOT, World


class TextCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = world = cls.enterClassContext(World(evict="always"))
        (out := world.home / "out").mkdir()
        cls.out, cls.ran = out, world.home / "ran"
        world.environment["OUT"] = str(out)
        cls.pool = all_texts(cls.ran)
        cls.options = [one.format(f"touch {cls.ran}") for one in OPTIONS]
        for name, path in SHELLS.items():
            write_shell_flows(world, name, "/bin/sh" if name == "sh" else path, cls.options)
        names = write_python_flows(world, cls.options)
        world.start_engine(*names, *(path.name for path in world.flows.iterdir() if path.suffix != ".py"))

    def setUp(self):
        self.source = random.Random(f"{SEED} {self.id().rpartition('.')[2]}")

    def tearDown(self):
        places = [self.world.home, pathlib.Path.cwd(), ROOT]
        found = [*self.world.home.rglob("ran*"), *(place / "ran" for place in places if (place / "ran").exists())]
        self.assertEqual(found, [], f"a text was executed (seed {SEED})")

    # Building blocks of the tests.

    def tool(self, *words, text=None, **variables):
        return self.run_program([BINARIES / "coordinatorctl", *words], text, **variables)

    def run_tool(self, *words, text=None, **variables):
        return self.executed([BINARIES / "coordinatorctl", *words], text, **variables)

    def executed(self, command, text=None, **variables):
        data = text.encode() if isinstance(text, str) else text or b""
        words = [word if isinstance(word, bytes) else str(word).encode() for word in command]
        return subprocess.run(words, input=data, capture_output=True, timeout=PATIENCE, env=self.world.environment | variables)

    def run_program(self, command, text=None, **variables):
        done = self.executed(command, text, **variables)
        self.assertEqual(done.returncode, 0, f"{command[:3]}: {done.stdout[-2000:]}{done.stderr}{self.world.written()}")
        return done.stdout.decode()

    def delegate(self, flow, event, payload):
        body = GLib.Variant("(tsa{sv}a{sv})", (flow.top["id"], event, {key: packed(value) for key, value in payload.items()}, {}))
        self.world.call_of(NAME, flow.top["coordinator"], f"{NAME}.Coordinator", "Delegate", body)

    def noted(self, id):
        """Returns the records of a script, in order: pairs of a name and a text."""
        path = self.out / id
        parts = path.read_bytes().split(b"\0") if path.exists() else [b""]
        self.assertEqual((parts[-1], len(parts) % 2), (b"", 1), f"half a note of {id}")
        return [(name.decode(), text) for name, text in zip(parts[::2], parts[1::2])]

    def check(self, play):
        self.compare(play.id, play.expected)
        if play.pin:
            self.assertEqual((self.out / f"{play.id}.pin").read_bytes(), play.pin[1].encode())

    def compare(self, id, expected):
        """In each run, all records must equal the sent texts."""
        noted = self.noted(id)
        self.assertEqual({name for name, _ in noted}, set(expected), self.world.written())
        for name, text in noted:
            value = expected[name]
            if isinstance(value, list):
                text, value = [json.loads(line) for line in text.split(b"\n")], value
            elif isinstance(value, dict):
                text = json.loads(text)
            else:
                value = value.encode()
            self.assertEqual(text, value, f"{name} of {id}, seed {SEED}")
