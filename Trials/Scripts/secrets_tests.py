"""A secret reaches the first step after its form, and nothing else: secrets_tests.py.

A canary is entered as a passphrase. While the step has it, after the step, after a wrong one, after kill -9 of the
engine, and at the end, the test searches for it in all files of daemon and engine (journal, sockets, output), in the
replay files, in the command lines and environments of all processes, and in the core files of daemon, engine, host and
ask. Only the memory of the step's own command may contain it. Once the step has ended, it is not in the memory of the
living engine, host and script either.
"""

import os
import pathlib
import resource
import secrets
import signal
import subprocess
import tempfile
import unittest

from world import World

# The step reports that it has its secret, and waits before it continues. A failing step writes it wherever a step can write.
SHELL = """#!/bin/sh
# coordinator: title=Vault
problem=
until
  name=$(ask form vault "Vault" --text name=Name --secret pin=PIN --error "$problem") &&
  ask step open --stdin pin --busy Opening -- sh -c '
    pin=$(cat); echo "$COORDINATOR_ATTEMPT" >>"$NOTES"; go=$FAKES/go-$(wc -l <"$NOTES")
    until [ -s "$go" ]; do sleep 0.02; done
    [ "$(cat "$go")" = good ] || { echo "out $pin"; echo "err $pin" >&2; exit 1; }'
do problem="No."; done
ask message opened Opened "$name's vault is open."
ask finish name="$name"
"""
PYTHON = """#!/usr/bin/env python3
import os
from pathlib import Path

from coordinator import current_work, flow, serve


def open_vault(pin):
    notes = Path(os.environ["NOTES"])
    with notes.open("a") as file:
        file.write(f"{current_work().attempt}\\n")
    go = Path(os.environ["FAKES"], f"go-{len(notes.read_text().splitlines())}")
    while not go.exists():
        current_work().sleep(0.02)
    how = go.read_text()
    if how != "good":
        print(f"not {len(pin)} characters", flush=True)
        raise PermissionError(f"wrong: {pin.reveal()}" if how == "wrong" else "wrong")


@flow("vault", title="Vault")
async def vault(ui):
    problem = None
    while True:
        form = await ui.form("vault", "Vault", ui.text("name"), ui.secret("pin"), error=problem)
        try:
            await ui.step("open", open_vault, form.pin, busy="Opening")
            break
        except ui.StepFailed as failed:
            problem = failed.message
    await ui.message("opened", "Opened", f"{form.name}'s vault is open.")
    return {"name": form.name}


if __name__ == "__main__":
    serve(vault)
"""
LANGUAGES = {"shell": ("vault", SHELL, "submit"), "python": ("vault.py", PYTHON, "submit")}


def read(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""  # It has ended meanwhile, or is a socket.


def descendants(*roots):
    """Returns these processes and their descendants."""
    parents = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        if stat := read(entry):
            parents[int(entry.parent.name)] = int(stat.rpartition(b")")[2].split()[1])
    found = set(roots)
    while more := {process for process, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def memory_with(process, text):
    """Returns a part of the memory of a process that contains a text, if there is one. Needs root."""
    try:
        with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
            for line in maps:
                span, mode = line.split()[:2]
                if not mode.startswith("rw"):
                    continue
                start, end = (int(number, 16) for number in span.split("-"))
                try:
                    memory.seek(start)
                    if text in memory.read(end - start):
                        return line.strip()
                except OSError:
                    pass  # It was unmapped meanwhile.
    except (FileNotFoundError, ProcessLookupError):
        pass  # It has ended.
    return None


def writes_cores():
    """Whether an aborting process leaves a core file in its directory here."""
    with tempfile.TemporaryDirectory() as place:
        process = subprocess.Popen(["sleep", "60"], cwd=place)
        process.send_signal(signal.SIGABRT)
        process.wait()
        return any(path.name.startswith("core") for path in pathlib.Path(place).iterdir())


class SecretTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        most = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (most, most))
        cls.has_cores = writes_cores()

    def begin(self, language):
        name, script, self.submit = LANGUAGES[language]
        self.canary = f"canary-{secrets.token_hex(8)}"
        world = self.enterContext(World())
        # The place for core files.
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(world.home)
        world.restart_daemon()
        world.write(name, script)
        world.start_engine()
        self.world, self.flow = world, world.flow("vault")
        self.flow.shows("vault")
        return world

    def enter(self, **values):
        """Submits the secret, and waits until the step has it."""
        before = len(self.world.notes)
        self.flow.send(self.submit, **({"name": "Ada", "pin": self.canary} | values))
        self.world.until(lambda: len(self.world.notes) > before, "the step")

    def go(self, how):
        self.world.write(f"go-{len(self.world.notes)}", how, self.world.fakes)

    def assert_hidden(self, when):
        """The canary is nowhere that other users could read it."""
        canary = self.canary.encode()
        for path in self.world.home.rglob("*"):
            if path.is_file():
                self.assertNotIn(canary, read(path), f"{path}, {when}")
        for process in descendants(self.world.daemon.pid, self.world.engine.pid):
            place = pathlib.Path(f"/proc/{process}")
            for name in ("cmdline", "environ", "fd/99"):
                self.assertNotIn(canary, read(place / name) if name != "fd/99" or self.is_replay_file(place) else b"", f"{place / name}, {when}")

    @staticmethod
    def is_replay_file(place):
        try:
            return "memfd" in os.readlink(place / "fd/99")
        except OSError:
            return False

    def assert_forgotten(self, when):
        """The canary is not in the memory of a living process either, because the step that took it has ended."""
        for process in descendants(self.world.engine.pid):
            if region := memory_with(process, self.canary.encode()):
                self.fail(f"the memory of {read(pathlib.Path(f'/proc/{process}/cmdline'))} has the secret {when}: {region}")

    def processes(self, word):
        """Returns the processes of the engine with a word in their command lines."""
        found = descendants(self.world.engine.pid) - {self.world.engine.pid}
        return [process for process in found if word.encode() in read(pathlib.Path(f"/proc/{process}/cmdline"))]

    def assert_core_is_hidden(self, process, when):
        """Checks that a crash leaves no core file with the canary."""
        os.kill(process, signal.SIGABRT)
        self.world.until(lambda: (stat := read(pathlib.Path(f"/proc/{process}/stat"))) == b"" or b") Z" in stat, "the end")
        self.assert_hidden(f"in the core file of {when}")

    def test_a_secret_is_nowhere_but_in_its_step(self):
        for language in LANGUAGES:
            with self.subTest(language):
                world = self.begin(language)
                self.enter()
                self.assert_hidden("while the step has it")
                world.kill(world.engine)
                self.assert_hidden("after the engine was killed")
                world.start_engine()
                self.flow.shows("vault")
                self.assertEqual([one["code"] for one in self.flow.top["messages"]], ["secret-lost"])
                self.assertEqual(self.flow.top.get("values"), {"name": "Ada"})
                self.enter()
                self.go("wrong")
                self.world.until(lambda: self.flow.settle() and self.flow.top.get("messages"), "the message")
                self.assert_hidden("after the step has written it and has failed")
                self.assertNotIn(self.canary, str(self.flow.screens))
                self.enter()
                self.go("good")
                self.flow.shows("opened")
                self.assert_hidden("after the step")
                world.restart_daemon()
                self.flow.shows("opened")
                self.flow.send("okay")
                self.flow.shows(None)
                self.assertEqual(self.flow.outcome, ("finished", {"name": "Ada"}))
                self.assert_hidden("after the end")
                # A step that the end of the engine interrupted counts as an attempt, although the next one needs the secret
                # again.
                self.assertEqual(world.notes, ["1", "2", "1"])

    @unittest.skipUnless(os.geteuid() == 0, "only root can read the memory of processes that handle secrets")
    def test_a_secret_is_in_no_memory_after_its_step(self):
        for language in LANGUAGES:
            # A script in Python cannot wipe a secret that it has converted to a string.
            for how in ("wrong" if language == "shell" else "refused", "good"):
                with self.subTest(language, how=how):
                    world = self.begin(language)
                    self.enter()
                    self.go(how)
                    if how != "good":
                        world.until(lambda: self.flow.settle() and self.flow.top.get("messages"), "the message")
                    else:
                        self.flow.shows("opened")
                    self.assert_forgotten(f"after a {how} step")

    def test_a_secret_that_is_lost_with_the_daemon_is_asked_for_again(self):
        for language in LANGUAGES:
            with self.subTest(language):
                world = self.begin(language)
                self.enter()
                world.restart_daemon()
                self.assert_hidden("after the daemon was killed")
                self.flow.shows("vault")
                self.assertEqual([one["code"] for one in self.flow.top["messages"]], ["secret-lost"])
                self.enter()
                self.go("good")
                self.flow.shows("opened")
                self.assert_hidden("after the step")

    def test_no_core_file_has_a_secret(self):
        if not self.has_cores:
            self.skipTest("this system writes no core files into the directory of a process")
        for language in LANGUAGES:
            words = {"shell": ["ask"], "python": ["vault.py"]}[language]
            for victim in [*words, "engine", "daemon"]:
                with self.subTest(language, victim=victim):
                    world = self.begin(language)
                    self.enter()
                    found = {"engine": [world.engine.pid], "daemon": [world.daemon.pid]}.get(victim) or [
                        process for process in self.processes(victim) if self.is_victim(process, victim)]
                    self.assertTrue(found)
                    for process in found:
                        self.assert_core_is_hidden(process, victim)

    def test_a_core_file_of_the_command_itself_is_found(self):
        """Proves that the others would be found."""
        if not self.has_cores:
            self.skipTest("this system writes no core files into the directory of a process")
        world = self.begin("shell")
        self.enter()
        home = str(world.home).encode()

        def found():
            # Other trials have commands as well.
            given = {one: read(pathlib.Path(f"/proc/{one}/environ")) for one in self.processes("")}
            ours = [one for one, environment in given.items() if b"COORDINATOR_KEY=" in environment and home in environment]
            # The core file of a child process may replace its own.
            return [one for one in ours if b"pin=$(cat)" in read(pathlib.Path(f"/proc/{one}/cmdline"))]

        commands = world.until(found, "the command of the step")
        for process in commands:
            os.kill(process, signal.SIGABRT)
        world.until(lambda: any(self.canary.encode() in read(path) for path in world.home.glob("core*")), "the core file")

    @staticmethod
    def is_victim(process, victim):
        """Whether the process is neither the step's command, nor the shell of the script."""
        program = pathlib.Path(f"/proc/{process}/exe")
        return victim != "ask" or "coordinator-ask" in os.readlink(program)


if __name__ == "__main__":
    unittest.main(verbosity=2)
