"""recordings_tests.py [--all]: each example script, and flows of the daemon, are played once by hand and recorded; the file
then answers a fresh run, to the same result. --all also plays the examples in Python."""

import importlib.machinery
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import unittest

from world import BINARIES, PATIENCE, ROOT, World, variant

IS_LONG = "--all" in sys.argv
EXAMPLES, PYTHON, NEW = ROOT / "Examples/scripts", ROOT / "Python/examples/scripts", ROOT / "Examples/new"
SECRET = "open-sesame"


def fakes():
    """The programs that the examples call, as the test of the examples has them."""
    loader = importlib.machinery.SourceFileLoader("examples_test", str(EXAMPLES / "test"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return {
        "nmcli": module.NMCLI, "lsblk": module.LSBLK, "timedatectl": module.TIMEDATECTL, "set-up-machine": module.SET_UP,
        "restart-machine": module.RESTART, "list-backups": module.BACKUPS, "restore-backup": module.RESTORE,
        "enrol-account": module.ENROL, "begin-enrolment": module.BEGIN, "verify-enrolment": module.VERIFY}


# The lines that a user types, and the result; the secrets in them are the first ones that are accepted.
VISIT = ["sick", "little", "yes"], {"faked": True}
NETWORK = ["again", "home", "wrong-secret", SECRET, "okay"], {"network": "home"}
SET_UP = ["de", "us", "Europe/Berlin", "box", "ada", "1815-12-10", "04:30", "30", "ssh, web", "yes", "share", "no", "apply", "no"], {
    "host": "box", "login": "ada"}
RESTORE = ["sunday", "yes", "yes", "okay"], {"backup": "sunday"}
ENROL = ["taken", SECRET, SECRET, "ada", SECRET, SECRET, "okay", "654321", "123456", "okay"], {"login": "ada"}
GREETING = ["Ada", "hello", "yes", "okay"], {"greeting": "hello, Ada!"}


class RecordingTests(unittest.TestCase):
    def setUp(self):
        self.world = self.enterContext(World())
        for name, text in fakes().items():
            self.world.write(name, text, self.world.fakes)
        (self.world.fakes / "quick").touch()
        (self.world.fakes / "disk").write_bytes(os.urandom(3 << 20))
        self.world.environment["LANGUAGE"] = "en"

    def enterContext(self, context):
        entered = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return entered

    def tool(self, *words, lines=(), **variables):
        return subprocess.run(
            [BINARIES / "coordinatorctl", *map(str, words)], env=self.world.environment | variables, text=True, timeout=PATIENCE,
            input="".join(line + "\n" for line in lines), capture_output=True, cwd=self.world.home)

    def outcome(self, token):
        done = self.tool("outcome", token, "--json")
        self.assertIn(done.returncode, (0, 3), done.stderr + self.world.written())
        return json.loads(done.stdout)

    def serve(self, script, flow):
        self.world.write(flow, script.read_text().replace('"schedule-visit"', f'"{flow}"').replace(
            f'@flow("{script.stem.replace("_", "-")}"', f'@flow("{flow}"'))
        self.world.start_engine()

    def round_trip(self, flow, lines, result, between=lambda: None):
        """Records a play, and answers another one with the recording, to the same end; the result None is a cancelled flow."""
        status = 3 if result is None else 0
        recorded = self.tool("record", flow, "-o", "recorded.yaml", "--token", "by_hand", lines=lines)
        self.assertEqual(recorded.returncode, status, recorded.stderr[-2000:] + self.world.written())
        text = (self.world.home / "recorded.yaml").read_text()
        by_hand = self.outcome("by_hand")
        self.assertEqual(by_hand["outcome"], "cancelled" if result is None else "finished")
        if result is not None:
            self.assertLessEqual(result.items(), by_hand["result"].items(), by_hand)
        self.assertNotIn(SECRET, text)
        between()
        secrets = {}
        if "credential:" in text:
            self.lacks_secrets(text)
            secrets = {"CREDENTIALS_DIRECTORY": str(self.credentials(text))}
        checked = self.tool("answer", "recorded.yaml", "--check", **secrets)
        # A flow that changes nothing is played by the check, to its end.
        self.assertIn(checked.returncode, (0, status), checked.stderr + text)
        played = self.tool("answer", "recorded.yaml", "--strict", "--token", "by_file", **secrets)
        self.assertEqual(played.returncode, status, played.stderr + text + self.world.written())
        self.assertEqual(self.outcome("by_file"), by_hand, text)

    def names(self, text):
        """The credentials that a recording names at its head."""
        return [line.split("requires the credential ")[1].split(",")[0] for line in text.splitlines() if "requires the credential" in line]

    def lacks_secrets(self, text):
        """Without the credentials, --check names all of them, and a run the first one that it needs."""
        checked = self.tool("answer", "recorded.yaml", "--check")
        self.assertEqual(checked.returncode, 1, checked.stderr)
        for name in self.names(text):
            self.assertIn(f"there is no credential '{name}'", checked.stderr)
        played = self.tool("answer", "recorded.yaml")
        self.assertEqual(played.returncode, 1, played.stderr)
        self.assertIn("there is no credential ", played.stderr)

    def credentials(self, text):
        directory = self.world.home / "credentials"
        directory.mkdir()
        for name in self.names(text):
            (directory / name).write_text(SECRET)
        return directory

    def of_script(self, script, flow, played, **options):
        self.serve(script, flow)
        self.round_trip(flow, *played, **options)

    def test_a_visit(self):
        self.of_script(EXAMPLES / "schedule-visit.sh", "visit", VISIT)

    def test_a_network(self):
        self.of_script(EXAMPLES / "join-network.sh", "join-network", NETWORK)

    def test_a_set_up(self):
        self.of_script(EXAMPLES / "set-up.sh", "set-up", SET_UP)

    def test_a_restore(self):
        self.of_script(EXAMPLES / "restore.sh", "restore", RESTORE)

    def test_an_enrolment(self):
        self.of_script(EXAMPLES / "enrol.sh", "enrol", ENROL)

    def test_a_disk(self):
        disk, copy = self.world.fakes / "disk", self.world.home / "copy.img"
        self.of_script(
            EXAMPLES / "backup-disk.sh", "backup-disk", ([str(disk), str(disk), str(copy), "yes", "okay"], {"file": str(copy)}),
            between=copy.unlink)

    def test_a_greeting(self):
        self.of_script(NEW / "shell/greet-people", "greet-people", GREETING)

    def test_steps_of_the_daemon(self):
        self.round_trip("how-to-code", "1 1 1 1 1".split(), {"steps": 4})

    def test_children_of_the_daemon(self):
        """The answers of each child have a separate key."""
        self.round_trip("shop", "1 lamp 1 2 4".split(), {"basket": {"lamp": 1}})

    def test_a_check_knows_internal_flows(self):
        """Only other flows start them, so that they are in no list of flows."""
        inner = {"name": variant("inner"), "title": variant("Inner"), "internal": variant(True)}
        self.world.manager("RegisterFlows", "(oaa{sv}a{sv})", "/p", [inner, {"name": variant("outer"), "title": variant("Outer")}], {})
        for name, status in (("inner", 0), ("other", 1)):
            (self.world.home / "recorded.yaml").write_text(f"flow: outer\nanswers: {{ outer: {{ a: okay }}, {name}: {{ a: okay }} }}\n")
            checked = self.tool("answer", "recorded.yaml", "--check")
            self.assertEqual(checked.returncode, status, checked.stderr)

    def of_provider(self, *command):
        self.world.start(*command)
        self.world.until(
            lambda: any("coffee" in one["flows"] and one["state"] == "running" for one in self.world.manager("ListProviders")), "the provider")
        self.round_trip("coffee", ["large", "1"], {"size": "large"})

    def test_a_provider_in_swift(self):
        self.of_provider(BINARIES / "coffee-provider")

    @unittest.skipUnless(IS_LONG and shutil.which("pkg-config"), "only with --all, and pkg-config")
    def test_a_provider_in_c(self):
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libsystemd"], capture_output=True, text=True, check=True).stdout.split()
        program = self.world.home / "coffee"
        subprocess.run(["cc", "-o", program, ROOT / "Examples/c-provider/coffee.c", *flags], check=True)
        self.of_provider(program)

    def test_lists_of_the_daemon(self):
        self.round_trip("kanji", "水 水曜日 b b b y".split(), None)


@unittest.skipUnless(IS_LONG, "only with --all")
class PythonTests(RecordingTests):
    """The same scripts in Python."""

    # These are no scripts.
    test_steps_of_the_daemon = test_children_of_the_daemon = test_lists_of_the_daemon = None
    test_a_provider_in_swift = test_a_provider_in_c = test_a_check_knows_internal_flows = None

    def of_script(self, script, flow, played, **options):
        if script == NEW / "shell/greet-people":
            return super().of_script(NEW / "python/greet_people.py", flow, (played[0], {"greeting": "Hello, Ada!"}))
        ported = PYTHON / f"{script.stem.replace('-', '_')}.py"
        if not ported.exists():
            self.skipTest(f"there is no {ported.name}")
        super().of_script(ported, flow, played, **options)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *(word for word in sys.argv[1:] if word != "--all")])
