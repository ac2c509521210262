"""Flows as scripts are equal to the same flows as actors: walks_tests.py [--all].

The flows in walks/ are written in shell and in Python, and have the names of flows that are actors: those of the
daemon, and the provider of Python/examples/join_network.py. Each walk is done with an actor and with a script in
separate daemons, and after each move both show the same: names, kinds, titles, bodies, actions, items, fields, messages
and values, and at the end outcomes and results. IDs, styles and revisions may differ, and the parts that DIFFERENCES
lists.

Without --all, both daemons are killed after each move of one walk of each flow in shell; with it, of all walks. The
actor of join-network needs the tools of `make python`, and is left out without them.
"""

import sys
import unittest

from world import ROOT, Refused, World

ALL = "--all" in sys.argv
WALKS = ROOT / "Trials/Scripts/walks"
VENV = ROOT / ".build-python/bin/python"
RIGHT = {"username": "demo", "password": "open-sesame"}
HOME = {"name": "home", "security": "wpa", "passphrase": "open-sesame"}

# The way from screen to screen: events with their payloads. "USER" stands for an unused name.
WRONG = {"username": "USER", "password": "a guess"}
PATHS = {
    "how-to-code": [["next", "next", "next", "next", "finish"], ["next", "next", "next", "next", "start-over", "next", "next"]],
    "schedule-visit": [
        ["well", "okay"], ["sick", "severe", "okay"], ["sick", "little", "is-fake"], ["sick", "none", "not-fake", "okay"]],
    "account": [["cancel"], [("submit", WRONG), ("submit", RIGHT), "done"], [("submit", RIGHT), "log-out", "cancel"]],
    "join-network": [
        ["stop"], [("join", {"name": "cafe", "security": "open"}), "okay"],
        [("join", HOME | {"passphrase": "sesame-open"}), ("join", HOME), "okay"]],
}
MORE_PATHS = {
    "how-to-code": [],
    "schedule-visit": [
        ["sick", "moderate", "okay"], ["sick", "worst-possible", "okay"], ["sick", "none", "is-fake"], ["sick", "little", "not-fake", "okay"]],
    "account": [
        [("submit", RIGHT), "done"], [("submit", WRONG), ("submit", {"username": "USER", "password": "b"}), ("submit", RIGHT), "done"],
        [("submit", WRONG), "cancel"], [("submit", RIGHT), "log-out", ("submit", RIGHT), "log-out", "cancel"]],
    "join-network": [
        [("join", HOME), "okay"],
        [("join", HOME | {"passphrase": "sesame-open"}), ("join", HOME | {"name": "work", "passphrase": "12345678"}), ("join", HOME), "okay"],
        [("join", HOME | {"passphrase": "sesame-open"}), "stop"]],
}
if ALL:
    for flow, paths in MORE_PATHS.items():
        PATHS[flow] += paths

# Places where Back ends an actor as cancelled, but a script refuses it. The end of a trail identifies it.
BACK_DIFFERS = {
    ("how-to-code", "start-over"): "The actor is at its first screen again. A script that begins anew has nothing to go back to, and does not "
    "lose what it has done by one Back too many.",
    ("account", "log-out"): "As how-to-code: the log has begun anew.",
    ("account", "submit"): "The check is a step, because looks take no secrets, and nothing leads back over a step that was done. The actor "
    "replaces its form, so that its next screen is the first one.",
}
DIFFERENCES = [
    *(f"{flow}: Back after '{event}'. {why}" for (flow, event), why in BACK_DIFFERS.items()),
    "account, join-network: the code of the message of a rejected answer is 'not-accepted' for all scripts in Python, and there is none in shell.",
    "account, join-network: a check that is cut short asks again with the warning 'secret-lost', in the engine's words.",
    "account: the fields have the format that the actor's declare by themselves, such as 'password'; the schemas are otherwise the same.",
    "join-network: the actor refuses an answer without a passphrase as an invalid payload. A script asks again, with an error.",
    "join-network: 'stop' while it joins cancels the actor's work, and the form is open again. An action with the role 'cancel' ends a script.",
]


def defaults(properties):
    return {name: one["default"] for name, one in properties.items() if "default" in one}


def shown(screen):
    """Returns the compared parts of a screen."""
    if screen is None:
        return None
    def parts(key, *names):
        return [tuple(one.get(name) for name in names) for one in screen.get(key, [])]

    properties = screen.get("schema", {}).get("properties", {})
    return {
        "name": screen["name"], "kind": screen["kind"], "title": screen["title"], "body": screen["body"], "accent": screen.get("accent"),
        "actions": parts("actions", "id", "title", "role", "disabled"), "items": parts("items", "id", "title", "subtitle", "group", "disabled"),
        "messages": parts("messages", "level", "text"),
        "fields": [(name, {key: value for key, value in properties[name].items() if key not in ("format", "default")}) for name in screen.get("fields", [])],
        # An initial value may be a value or a default, and an empty text may be absent.
        "values": {name: value for name, value in {**defaults(properties), **screen.get("values", {})}.items() if value != ""},
    }


class Pair:
    """A flow as an actor and as a script, which take the same walk."""

    users = 0

    def __init__(self, test, name, kills):
        Pair.users += 1
        self.test, self.name, self.kills = test, name, kills
        self.user = f"user-{Pair.users}"
        self.trail = []
        self.actor, self.script = (world.flow(name) for world in (test.actors, test.scripts))
        self.compare()

    @property
    def both(self):
        return self.actor, self.script

    def compare(self):
        screens = [shown(flow.settle()) for flow in self.both]
        self.test.assertEqual(screens[1], screens[0], f"{self.name} after {self.trail}")
        if screens[0] is None:
            self.test.assertEqual(self.script.outcome, self.actor.outcome, f"{self.name} after {self.trail}")
        elif not self.differs:
            self.test.assertEqual(self.script.top["back"], self.actor.top["back"], f"{self.name} after {self.trail}")
        self.test.compared += 1

    def moved(self):
        self.compare()
        if self.kills and self.actor.top is not None:
            for flow in self.both:
                flow.world.restart_daemon()
            self.compare()

    def send(self, move):
        event, payload = move if isinstance(move, tuple) else (move, {})
        payload = {name: self.user if value == "USER" else value for name, value in payload.items()}
        for flow in self.both:
            flow.send(event, **payload)
        self.trail.append(event)
        self.moved()

    @property
    def differs(self):
        """Returns the reason why Back differs here."""
        top = self.actor.top["name"] if self.actor.top else ""
        if not self.trail or (self.name, self.trail[-1]) == ("account", "submit") and top == "log-in":
            return None
        return BACK_DIFFERS.get((self.name, self.trail[-1]))

    def back(self):
        """Goes back. Returns whether both flows continue."""
        if self.differs:
            self.test.assertRaises(Refused, self.script.back)
            self.actor.back()
            self.test.assertEqual((self.actor.settle(), self.actor.outcome[0]), (None, "cancelled"))
            self.test.assertIsNotNone(self.script.settle())
            return False
        refused = []
        for flow in self.both:
            try:
                flow.back()
                refused.append(None)
            except Refused as error:
                refused.append(error.name)
        self.test.assertEqual(refused[1], refused[0], f"Back in {self.name} after {self.trail}")
        if refused[0] is None and self.trail:
            self.trail.pop()
        self.moved()
        return refused[0] is None and self.actor.top is not None

    def dismiss(self):
        for flow in self.both:
            if flow.look():
                flow.dismiss()


class WalkTests(unittest.TestCase):
    """The walks of all flows in one language."""

    LANGUAGES = {"shell": ".sh", "python": ".py"}

    def walks(self, language, evict, kills="none"):
        suffix = self.LANGUAGES[language]
        self.compared = 0
        with World() as self.actors, World("CrashDaemon", "--no-flows", evict=evict) as self.scripts:
            flows = list(PATHS)
            if VENV.exists():
                self.start_provider()
            else:
                flows.remove("join-network")
                print("join-network is not compared: run 'make python' once, for the provider of Python/examples", file=sys.stderr)
            for script in sorted(WALKS.glob(f"*{suffix}")):
                self.scripts.write(script.name, script.read_text())
            self.scripts.start_engine()
            for name in flows:
                with self.subTest(name):
                    if kills == "one":
                        self.walk(name, PATHS[name][-1], kills=True)
                    else:
                        self.walk_all(name, kills == "all")
        self.assertGreater(self.compared, 20)

    def walk_all(self, name, kills):
        prefixes = []
        for path in PATHS[name]:
            self.walk(name, path, kills=kills)
            for count in range(len(path)):
                if path[:count] not in prefixes:
                    prefixes.append(path[:count])
                    self.walk(name, path, back_at=count, kills=kills)

    def walk(self, name, path, back_at=None, kills=False):
        pair = Pair(self, name, kills)
        for move in path[:back_at]:
            pair.send(move)
        if back_at is not None and pair.back():
            # The same way again; then Back from the last screen until the flow ends or a step prevents it.
            pair.send(path[back_at - 1])
            while back_at == len(path) - 1 and pair.back():
                pass
        pair.dismiss()

    def start_provider(self):
        self.actors.write("provider.py", PROVIDER, self.actors.home)
        self.actors.environment["PYTHONPATH"] += f":{ROOT}/Python/examples"
        self.actors.start(VENV, self.actors.home / "provider.py")
        self.actors.until(lambda: any(flow["name"] == "join-network" for flow in self.actors.manager("ListFlows")), "the provider")
        # The daemon asks it again after a restart.
        self.actors.until_served = lambda: self.actors.until(
            lambda: any("join-network" in one["flows"] and one["state"] == "running" for one in self.actors.manager("ListProviders")), "the provider")
        self.actors.engine = True

    def test_in_shell_evicted_always(self):
        self.walks("shell", "always")

    def test_in_python_evicted_always(self):
        self.walks("python", "always")

    def test_in_shell_killed_after_each_move(self):
        self.walks("shell", "patiently", "all" if ALL else "one")

    @unittest.skipUnless(ALL, "in the long form")
    def test_in_python_killed_after_each_move(self):
        self.walks("python", "patiently", "all")

    @unittest.skipUnless(ALL, "in the long form")
    def test_evicted_always_and_killed_after_each_move(self):
        for language in self.LANGUAGES:
            self.walks(language, "always", "all")


PROVIDER = """
import join_network
from coordinator import serve


class Radio:
    def join(self, network, passphrase):
        if passphrase not in (None, b"open-sesame"):
            raise PermissionError


join_network.JoinNetwork.radio = Radio()
serve(join_network.JoinNetwork, bus_name="com.example.Wifi")
"""

if __name__ == "__main__":
    unittest.main(argv=[one for one in sys.argv if one != "--all"], verbosity=2)
