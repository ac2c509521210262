"""exec_debconf_tests.py DIRECTORY: real debconf under `coordinatorctl exec`, with a separate database. Skipped if debconf is missing."""

import os
import pathlib
import signal
import subprocess
import unittest

from debconf_world import EXAMPLES, missing
from debconf_world import World as DebconfWorld
from exec_world import ExecTestCase, Refused, main

ANSWERS = {"demo/boolean": "false", "demo/multiselect": ["lwn", "freshmeat"], "demo/string": "humpty  dümpty ", "demo/password": "s3cret ü",
           "demo/select": "navy blue", "demo/subst": "true"}
STORED = {"demo/boolean": "false", "demo/multiselect": "freshmeat, lwn", "demo/string": "humpty  dümpty ", "demo/password": "s3cret ü",
          "demo/select": "navy blue", "demo/subst": "true", "demo/note": "", "demo/error": ""}
COMMANDS = ["TITLE", "DATA", "INPUT", "GO", "GET", "PROGRESS"]


@unittest.skipIf(missing(), missing() or "")
class DebconfTests(ExecTestCase):
    def setUp(self):
        super().setUp()
        self.debconf = DebconfWorld(None)
        self.addCleanup(self.debconf.close)

    def own(self):
        return {name: value for name, value in self.debconf.environment().items() if name.startswith(("DEB", "LC_"))}

    def start(self, owner, module, **environment):
        return self.world.exec("debconf", "-o", owner, module, **self.own(), **environment)

    def kill_debconf(self):
        """Kills debconf itself, which uses this database, and not its child processes."""
        variable = f"DEBCONF_SYSTEMRC={self.debconf.rc}".encode()
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
                if any(word.endswith(b"/debconf") for word in words[:3]) and variable in (process / "environ").read_bytes().split(b"\0"):
                    os.kill(int(process.name), signal.SIGKILL)
                    return
            except (FileNotFoundError, ProcessLookupError):
                pass
        self.fail("debconf does not run: " + subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout)

    def reply(self, screen):
        """Returns the event and the payload that send the answers to a screen."""
        name = screen["name"]
        if screen["kind"] == "list":
            titles = {item["title"]: item["id"] for item in screen["items"]}
            answer = ANSWERS[name]
            return "select", {"ids": [titles[title] for title in answer]} if isinstance(answer, list) else {"id": titles[answer]}
        if screen["kind"] == "form":
            schemas = screen["schema"]["properties"]
            return "okay", {field: ANSWERS[field] == "true" if schemas[field]["type"] == "boolean" else ANSWERS[field]
                            for field in screen["fields"]}
        if screen["kind"] == "menu":
            return {"true": "yes", "false": "no"}[ANSWERS[name]], {}
        return screen["actions"][0]["id"], {}

    def play(self, run, at_each=lambda screen: None):
        """Answers all screens, up to the end. Returns the names of the answered screens."""
        names = []
        while True:
            self.world.until(lambda: run.ended() or (run.look() and run.top and "progress" not in run.top), lambda: f"a question of {run.said}")
            if run.ended():
                return names
            screen = run.top
            at_each(screen)
            event, payload = self.reply(screen)
            try:
                run.send(event, **payload)
                names.append(screen["name"])
            except Refused as refused:
                # The keeper acted first, after a kill.
                self.assertIn(refused.name, ("StaleScreen", "Denied", "UnknownScreen"), f"{refused}, {event} {payload} {screen}")
            self.world.until(lambda: not run.look() or run.top["id"] != screen["id"] or "progress" in run.top, lambda: f"more than {screen}")

    def demo(self, **options):
        self.debconf.load("demo", EXAMPLES / "demo.templates")
        run = self.start("demo", EXAMPLES / "demo")
        names = self.play(run, **options)
        self.finishes(run)
        return names, self.debconf.database()

    def test_demo(self):
        names, (values, flags) = self.demo()
        self.assertEqual(values, STORED | {name: value for name, value in values.items() if name not in STORED})
        self.assertEqual({name: flags.get(name) for name in STORED}, dict.fromkeys(STORED, "seen"))
        self.assertEqual(len(names), 8)

    def test_back_in_the_tutorial(self):
        self.debconf.load("foo", EXAMPLES / "tutorial.templates")
        run = self.start("foo", EXAMPLES / "tutorial-back")
        run.asks("foo/like_debian")
        run.send("no")
        note = run.asks("foo/why_debian_is_great")
        self.assertTrue(note["back"])
        run.back()
        self.assertNotEqual(run.asks("foo/like_debian")["id"], note["id"])
        run.send("yes")
        self.finishes(run)
        self.assertEqual(self.debconf.database()[0]["foo/like_debian"], "true")

    def test_kills_at_each_question(self):
        """The daemon and the engine are killed while each question is open: the database is the same as without kills."""
        expected = self.demo()
        for name, kill in (("daemon", self.world.restart_daemon), ("engine", self.world.restart_engine)):
            with self.subTest(name):
                self.debconf.reset()
                seen = []

                def at(screen, kill=kill, seen=seen):
                    if screen["id"] not in seen:
                        seen.append(screen["id"])
                        kill()

                self.assertEqual(self.demo(at_each=at), expected)
                self.assertEqual(len(seen), 8)

    def proposal(self, screen):
        """Returns the proposal of a screen, as an answer."""
        if screen["kind"] == "form":
            return {field: screen["values"].get(field) for field in screen["fields"]}
        if screen["kind"] == "list":
            titles = {item["id"]: item["title"] for item in screen["items"]}
            return sorted(titles[item] for item in screen.get("choosing", {}).get("initial", []))
        return screen.get("suggested")

    def test_debconf_itself_is_killed(self):
        """debconf runs again, as apt does: it proposes the earlier answers, and ends with the same database."""
        _, expected = self.demo()
        self.debconf.reset()
        self.debconf.load("demo", EXAMPLES / "demo.templates")
        command = f"debconf -o demo {EXAMPLES}/demo"
        run = self.world.exec(self.world.script("twice", f"{command} || {command}\n"), **self.own())
        seen, answered, proposed = [], {}, {}

        def at(screen):
            if screen["id"] in seen:
                return
            seen.append(screen["id"])
            if len(seen) == 5:
                self.kill_debconf()
            elif len(seen) < 5:
                event, payload = self.reply(screen)
                answered[screen["name"]] = payload if screen["kind"] == "form" else event
            elif screen["name"] in answered:
                proposed[screen["name"]] = self.proposal(screen)

        self.play(run, at_each=at)
        self.finishes(run)
        self.assertEqual(self.debconf.database(), expected)
        self.assertGreater(len(proposed), 1)
        for name, value in proposed.items():
            if isinstance(value, dict):
                # debconf does not propose trailing blanks.
                for field, answer in value.items():
                    if answer is not None:
                        self.assertEqual(answer, answered[name][field].rstrip() if isinstance(answer, str) else answered[name][field])
            elif isinstance(value, list) and value:
                self.assertEqual(value, sorted([ANSWERS[name]] if isinstance(ANSWERS[name], str) else ANSWERS[name]), name)
            elif value:
                self.assertEqual(value, answered[name], name)

    def kill_at(self, command, kill):
        """Plays demo, and kills after debconf has sent a command for the first time, before it continues."""
        self.debconf.reset()
        self.debconf.load("demo", EXAMPLES / "demo.templates")
        for name in ("reached", "go"):
            (self.world.home / name).unlink(missing_ok=True)
        os.mkfifo(self.world.home / "go")
        # The example demo has no title.
        demo = (EXAMPLES / "demo").read_text()
        self.assertIn("db_version 2.0\n", demo)
        titled = demo.replace("db_version 2.0\n", "db_version 2.0\ndb_title Demonstration\n", 1)
        module = self.world.script("titled", titled.partition("\n")[2], interpreter="/bin/sh -e")
        # Wraps the method of the frontend that communicates.
        (self.world.home / "Pause.pm").write_text(r"""package Pause;
use Debconf::FrontEnd::Passthrough;
my $talk = \&Debconf::FrontEnd::Passthrough::talk;
my $done = 0;
no warnings 'redefine';
*Debconf::FrontEnd::Passthrough::talk = sub {
  my @result = wantarray ? $talk->(@_) : scalar $talk->(@_);
  if (!$done && $_[1] eq $ENV{PAUSE_AT}) {
    $done = 1;
    open(my $reached, '>', "$ENV{OUT}/reached"); close $reached;
    open(my $go, '<', "$ENV{OUT}/go"); readline $go; close $go;
  }
  return wantarray ? @result : $result[0];
};
1;
""")
        run = self.start("demo", module, PERL5OPT=f"-I{self.world.home} -MDebconf::FrontEnd::Passthrough -MPause",
                         PAUSE_AT=command)

        def answered_or_reached():
            return (self.world.home / "reached").exists() or run.ended() or (run.look() and run.top and "progress" not in run.top)

        while not (self.world.home / "reached").exists():
            self.world.until(answered_or_reached, lambda: f"{command} or a question: {run.said}")
            self.assertIsNone(run.ended(), f"never sent: {command}")
            if (self.world.home / "reached").exists():
                break
            screen = run.top
            event, payload = self.reply(screen)
            run.send(event, **payload)
            self.world.until(lambda: (self.world.home / "reached").exists() or not run.look() or run.top["id"] != screen["id"]
                             or "progress" in run.top, "the next command")
        kill()
        (self.world.home / "go").write_text("\n")
        self.play(run)
        self.finishes(run)
        return self.debconf.database()

    def test_kills_at_each_command(self):
        _, expected = self.demo()
        for command in COMMANDS:
            for name, kill in (("daemon", self.world.restart_daemon), ("engine", self.world.restart_engine)):
                with self.subTest(command=command, killed=name):
                    self.assertEqual(self.kill_at(command, kill), expected)


if __name__ == "__main__":
    main()
