"""Shell scripts that misbehave as badly as possible: misbehaving_tests.py [--all].

In all cases, Back and Dismiss end all of their processes, coordinator-scripts does not grow, and the next flow works.
With --all, some ignore SIGTERM, which takes the engine a while, and they write 1 GB, otherwise 8 MB.
"""

import contextlib
import os
import pathlib
import signal
import sys
import unittest

from world import Refused, World

ALL = "--all" in sys.argv
MEGABYTES = 1024 if ALL else 8
HEADER = "#!/bin/bash\n# coordinator: title=Bad\n"

# Each asks `one`, misbehaves, and asks `two`, unless noted otherwise.
ASK_ONE, ASK_TWO = "ask menu one One? a=A b=B >/dev/null\n", "ask menu two Two? a=A b=B >/dev/null\n"
# The time limit for the end of processes. SIGKILL follows SIGTERM after five seconds, and machines may be busy.
TO_END = 300 if ALL else 60
TO_WRITE = 1200
LEAVING_PROCESSES = {
    "starts a daemon": "( setsid sh -c 'sleep 100000 & sleep 100000' >/dev/null 2>&1 & )\n",
    "has 200 children": "for one in $(seq 200); do sleep 100000 & done\n",
    "has children in 50 sessions": "for one in $(seq 50); do setsid sleep 100000 & done\n",
    "has a job that has stopped": "sleep 100000 & kill -STOP $!\n",
    "has job control": "set -m; sleep 100000 & sleep 100000 &\n",
    "ignores signals": "trap '' TERM HUP INT QUIT PIPE\n",
    "ends and begins with traps": "for one in TERM HUP INT EXIT ERR; do trap 'sleep 100000' $one; done\n",
    "asks in its traps": "trap 'ask menu sorry Sorry? a=A; echo ran-on >>\"$NOTES\"' TERM HUP INT EXIT\n",
    "does not look at statuses": "set +e; f() { local x=$(ask menu two Two? a=A b=B); echo ran-on >>\"$NOTES\"; }; f; echo ran-on >>\"$NOTES\"\n",
    "asks in a pipeline": "while :; do ask menu two Two? a=A b=B; echo ran-on >>\"$NOTES\"; done | while read -r x; do echo ran-on >>\"$NOTES\"; done\n",
    "asks in a subshell in a background job": "( ( ask menu two Two? a=A b=B; echo ran-on >>\"$NOTES\" ) & wait; echo ran-on >>\"$NOTES\" )\n",
    "writes to a pipe that nobody reads": "{ sleep 100000; } > >(sleep 100000) &\n",
}
if ALL:
    LEAVING_PROCESSES["starts a daemon that ignores signals"] = "( setsid sh -c \"trap '' TERM HUP INT; while :; do sleep 1000; done\" & ) >/dev/null 2>&1\n"


class MisbehavingTests(unittest.TestCase):
    def begin(self, *scripts, **options):
        """Starts a flow for each script, `bad-0` and so on."""
        world = self.enterContext(World(**options))
        for number, script in enumerate(scripts):
            world.write(f"bad-{number}", HEADER + script)
        world.write("good", HEADER + ASK_ONE + "ask finish ok:=true\n")
        world.start_engine()
        return world, *(world.flow(f"bad-{number}") for number in range(len(scripts)))

    def left(self, world):
        """Returns the processes of scripts that still exist."""
        known = {process.pid for process in world.processes}
        mark = f"FAKES={world.fakes}\0".encode()
        found = {}
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if int(entry.name) not in known and mark in (entry / "environ").read_bytes():
                    found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                pass  # It has ended.
        return found

    def assert_over(self, world, *flows):
        """No process of the flows is left, and the engine works."""
        for flow in flows:
            flow.dismiss()
        world.until(lambda: not self.left(world), lambda: f"the end of {self.left(world)}", TO_END)
        self.assertNotIn("ran-on", world.notes)
        other = world.flow("good")
        other.shows("one")
        other.send("a")
        other.shows(None)
        self.assertEqual(other.outcome, ("finished", {"ok": True}))

    def test_no_process_survives_back_and_dismiss(self):
        world, *flows = self.begin(*(ASK_ONE + what + ASK_TWO for what in LEAVING_PROCESSES.values()))
        for flow, name in zip(flows, LEAVING_PROCESSES):
            with self.subTest(name):
                flow.shows("one")
                flow.send("a")
                flow.shows("two")
                flow.back()
                flow.shows("one")
                flow.send("b")
                flow.shows("two")
        self.assert_over(world, *flows)

    def test_what_was_evicted_leaves_nothing_behind(self):
        world, flow = self.begin(ASK_ONE + LEAVING_PROCESSES["starts a daemon"] + ASK_TWO, evict="always")
        flow.shows("one")
        flow.send("a")
        flow.shows("two")
        world.until(lambda: not self.left(world), lambda: f"the end of {self.left(world)}", TO_END)
        self.assert_over(world, flow)

    def test_a_script_that_neither_asks_nor_ends_can_be_dismissed(self):
        world, *flows = self.begin(*(
            ASK_ONE + what for what in ("while :; do :; done\n", "sleep 100000\n", "trap '' TERM; while :; do sleep 1; done\n")[:3 if ALL else 2]))
        for flow in flows:
            flow.shows("one")
            flow.send("a")
        for flow in flows:
            world.until(lambda flow=flow: flow.look() and flow.top and "progress" in flow.top, "the screen that says so")
        self.assert_over(world, *flows)

    @unittest.skipUnless(ALL, "in the long form")
    def test_a_step_that_ignores_signals_is_killed_with_the_flow(self):
        command = "trap \"\" TERM INT HUP; setsid sleep 100000 & echo begun >>\"$NOTES\"; while :; do sleep 1; done"
        world, flow = self.begin(ASK_ONE + f"ask step wait -- sh -c '{command}'\n")
        flow.shows("one")
        flow.send("a")
        world.until(lambda: world.notes == ["begun"], "the step")
        self.assert_over(world, flow)

    def test_two_jobs_that_ask_are_answered_one_after_the_other(self):
        first, second = "ask menu one One? a=A & ", "until [ -e \"$FAKES/shown\" ]; do sleep 0.02; done; ask menu two Two? a=A & "
        world, flow = self.begin(first + second + "wait; ask finish ok:=true\n")
        flow.shows("one")
        (world.fakes / "shown").touch()
        flow.send("a")
        flow.shows("two")
        flow.send("a")
        flow.shows(None)
        self.assertEqual(flow.outcome, ("finished", {"ok": True}))

    def test_a_script_that_writes_much_takes_no_memory(self):
        world, *flows = self.begin(*(ASK_ONE + what + ASK_TWO for what in (
            f"head -c {MEGABYTES}M /dev/zero\n", f"head -c {MEGABYTES}M /dev/zero >&2\n", f"yes {'y' * 4000} | head -c {MEGABYTES // 4}M\n")))
        before = self.peak(world.engine)
        for flow in flows:
            flow.shows("one")
            flow.send("a")
        for flow in flows:
            flow.shows("two", TO_WRITE)
        self.assertLess(self.peak(world.engine) - before, 64 << 20)
        self.assert_over(world, *flows)

    def test_a_step_that_writes_much_takes_no_memory_and_its_output_is_cut(self):
        world, *flows = self.begin(*(
            ASK_ONE + f"out=$(ask step big -- {command} | wc -c)\nask message two \"$out\"\n"
            for command in (f"head -c {MEGABYTES}M /dev/zero", f"sh -c 'head -c {MEGABYTES}M /dev/zero >&2; exit 1'")))
        before = self.peak(world.engine)
        for flow in flows:
            flow.shows("one")
            flow.send("a")
        for flow in flows:
            self.assertLess(int(flow.shows("two", TO_WRITE)["title"]), 70_000)
        self.assertLess(self.peak(world.engine) - before, 64 << 20)
        self.assert_over(world, *flows)

    @staticmethod
    def peak(process):
        """Returns the peak memory use of a process."""
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) << 10

    def test_a_script_that_breaks_its_run_is_told_so(self):
        reasons = {
            "exec 99>&-\n": "the script must keep it", "export COORDINATOR_LOG=0\n": "descriptor 0, is not open", "kill -9 $$\n": "signal 9",
            "ask menu two\n": "the title is missing", "exit 7\n": "status 7"}
        world, *flows = self.begin(*(ASK_ONE + what + ASK_TWO for what in reasons))
        for flow, text in zip(flows, reasons.values()):
            flow.shows("one")
            with self.subTest(text), self.assertRaisesRegex(Refused, text):
                flow.send("a")
            flow.shows("one")
        self.assert_over(world, *flows)

    def test_a_script_that_leaves_out_what_was_done_is_held(self):
        step = "ask step done -- true\n"
        world, flow = self.begin(ASK_ONE + step + ASK_TWO + "ask finish\n", evict="always")
        flow.shows("one")
        flow.send("a")
        flow.shows("two")
        world.write("bad-0", HEADER + ASK_ONE + "ask finish ok:=true\n")
        with self.assertRaisesRegex(Refused, 'recorded 2. step "done"; now 2. finish'):
            flow.send("a")
        world.write("bad-0", HEADER + ASK_ONE + step + ASK_TWO + "ask finish ok:=true\n")
        world.until(lambda: self.goes_on(flow), "the end")
        flow.shows(None)
        self.assertEqual(flow.outcome, ("finished", {"ok": True}))

    @staticmethod
    def goes_on(flow):
        try:
            flow.send("a")
        except Refused:
            return False
        return True

    def test_nothing_runs_on_after_kill_9_of_the_engine(self):
        names = ("starts a daemon", "ignores signals", "does not look at statuses", "asks in a pipeline", "has job control")
        world, *flows = self.begin(*(ASK_ONE + LEAVING_PROCESSES[name] + ASK_TWO for name in names))
        for flow in flows:
            flow.shows("one")
            flow.send("a")
            flow.shows("two")
        world.kill(world.engine)

        def asking():
            return [text for text in self.left(world).values() if "ask" in text or "flows/bad" in text]

        world.until(lambda: not asking(), lambda: f"the end of {asking()}", TO_END)
        self.assertNotIn("ran-on", world.notes)
        # No other process would end those that only sleep.
        for process in self.left(world):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


if __name__ == "__main__":
    unittest.main(argv=[one for one in sys.argv if one != "--all"], verbosity=2)
