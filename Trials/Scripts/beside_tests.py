"""Steps that a script runs concurrently: beside_tests.py.

Two steps of `ui.all` each wait for the other one: one after the other, they would wait forever.
"""

import json
import signal
import subprocess
import unittest

from world import BINARIES, PATIENCE, Refused, World

SCRIPT = """#!/usr/bin/env python3
import os
import time
from pathlib import Path

from coordinator import current_work, flow, serve


def note(text):
    with open(os.environ["NOTES"], "a") as file:
        file.write(text + "\\n")


def meet(own, other):
    note(f"{own} {current_work().attempt}")
    Path(os.environ["FAKES"], own).touch()
    while not Path(os.environ["FAKES"], other).exists():
        time.sleep(0.01)
    return own


@flow("meeting", title="Meeting")
async def meeting(ui):
    await ui.confirm("go", "Go?")
    one, two, _ = await ui.all(
        ui.step("one", meet, "one", "two"), ui.step("two", meet, "two", "one"), ui.sleep(0.1))
    await ui.confirm("sure", f"{one} and {two}?")
    return {"met": f"{one} {two}"}


@flow("crashing", title="Crashing")
async def crashing(ui):
    await ui.confirm("go", "Go?")
    one, two = await ui.all(ui.step("one", meet, "one", "two"), ui.step("two", meet, "two", "never"))
    await ui.confirm("sure", f"{one} and {two}?")
    return {"met": f"{one} {two}"}


@flow("looking", title="Looking")
async def looking(ui):
    await ui.confirm("go", "Go?")
    await ui.all(ui.look("one", meet, "one", "never"), ui.look("two", meet, "two", "one"), ui.sleep(1000))
    return {}


@flow("undone", title="Undone")
async def undone(ui):
    await ui.confirm("go", "Go?")
    await ui.all(
        ui.step("one", meet, "one", "two", undo=lambda _: note("undone one")),
        ui.step("two", meet, "two", "one", undo=lambda _: note("undone two")))
    await ui.confirm("sure", "Sure?")
    return {}


if __name__ == "__main__":
    serve(meeting, crashing, looking, undone)
"""
FLOWS = "meeting", "crashing", "looking", "undone"


class BesideTests(unittest.TestCase):
    def begin(self, flow, **options):
        world = self.enterContext(World(**options))
        world.write("meeting.py", SCRIPT)
        world.start_engine(*FLOWS)
        self.world, self.flow = world, world.flow(flow)
        self.flow.shows("go")
        self.flow.send("yes")

    def assert_met(self):
        self.assertEqual(self.flow.shows("sure")["title"], "one and two?")
        with self.assertRaises(Refused):
            self.flow.back()
        self.flow.send("yes")
        self.flow.shows(None)
        self.assertEqual(self.flow.outcome, ("finished", {"met": "one two"}))

    def test_steps_that_wait_for_each_other_end(self):
        for evict in ("patiently", "always"):
            with self.subTest(evict):
                self.begin("meeting", evict=evict)
                self.assert_met()
                self.assertEqual(sorted(self.world.notes), ["one 1", "two 1"])

    def test_a_crash_in_the_middle_begins_again_what_is_not_recorded(self):
        for victim in ("engine", "daemon"):
            with self.subTest(victim):
                self.begin("crashing")
                # The second step waits until after the crash.
                self.world.until(lambda: len(self.world.notes) == 2, "both")
                self.world.until(lambda: self.recorded("one"), "the record of the first step")
                if victim == "engine":
                    self.world.kill(self.world.engine, signal.SIGKILL)
                    self.world.start_engine(*FLOWS)
                    self.world.until(lambda: len(self.world.notes) == 3, "the second step once more")
                else:
                    self.world.restart_daemon()
                self.world.write("never", "", self.world.fakes)
                self.assert_met()
                self.assertEqual(sorted(self.world.notes), ["one 1", "two 1"] + (["two 2"] if victim == "engine" else []))

    def recorded(self, key):
        """Whether the result of a step is in the log."""
        entries = json.loads(self.world.manager("ReadState", "(o)", self.flow.path))["entries"]
        return any(entry["key"] == key and "result" in entry for entry in entries)

    def test_they_are_played_side_by_side_without_a_daemon(self):
        world = self.enterContext(World())
        world.write("meeting.py", SCRIPT)
        world.write("answers.yaml", "flow: meeting\nanswers:\n  meeting: { go: yes, sure: yes }\n", world.home)
        for options in ([], ["--crash-everywhere"]):
            for own in ("one", "two"):
                (world.fakes / own).unlink(missing_ok=True)
            command = [BINARIES / "coordinator-scripts", "play", world.flows / "meeting.py", "--answers", world.home / "answers.yaml"]
            played = subprocess.run(command + options, env=world.environment, capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual((played.returncode, played.stderr), (0, ""), played.stdout)
            self.assertIn("met: one two", played.stdout)

    def test_back_drops_looks_and_sleeps_side_by_side(self):
        self.begin("looking")
        self.world.until(lambda: len(self.world.notes) == 2, "both")
        self.flow.look()
        self.flow.back()
        self.flow.shows("go")
        self.flow.send("no")
        self.world.until(lambda: len(self.world.notes) == 4, "both again")

    def test_back_undoes_the_newest_step_first(self):
        self.begin("undone")
        self.flow.shows("sure")
        self.flow.back()
        self.flow.shows("go")
        self.assertEqual(self.world.notes[2:], ["undone two", "undone one"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
