"""Whole scripts, as authors write them: replayed with each prefix of their answers, they ask the next question."""

import os
import pathlib
import random
import subprocess
import unittest

from fake_engine import ASK, Engine, finish, run_alone

VISIT = r'''
visit=$(ask menu select-visit-type "What is the visit for?" well="A check-up" sick="My pet is sick")
if [ "$visit" = sick ]; then
  pain=$(ask menu select-pain-level "How much does it hurt?" none="Not at all" little="A little" severe=Severely)
  case $pain in none|little) if ask confirm faking-it "Is your pet faking it?"; then ask finish visit="$visit" pain="$pain" faked:=true; exit; fi ;; esac
fi
ask message no-appointment-required "No appointment required" "Come by whenever it suits you."
ask finish visit="$visit" pain="${pain-}"
'''
NETWORK = r'''
network=again
while [ "$network" = again ]; do
  network=$(ask look scan -- printf 'home\nwork\n' | ask list network "Which network?" --items=- again="Look again")
done
problem=
until ask form passphrase "Passphrase of $network" --secret passphrase --error "$problem" &&
      ask step join --stdin passphrase --busy "Joining $network" -- grep -q sesame
do problem="The network does not let this device in."; done
ask message joined Connected "This device is in the network $network."
ask finish network="$network"
'''
# The events, in order: the operation, and the decision of the engine.
VISITS = [
    [("ask", "select-visit-type", "sick\n", 0), ("ask", "select-pain-level", "little\n", 0), ("ask", "faking-it", "", 0)],
    [("ask", "select-visit-type", "sick\n", 0), ("ask", "select-pain-level", "none\n", 0), ("ask", "faking-it", "", 1),
     ("ask", "no-appointment-required", "", 0)],
    [("ask", "select-visit-type", "well\n", 0), ("ask", "no-appointment-required", "", 0)],
]
VISIT_RESULTS = [{"visit": "sick", "pain": "little", "faked": True}, {"visit": "sick", "pain": "none"}, {"visit": "well", "pain": ""}]
JOIN = [("look", "scan", "home\nwork\n", 0), ("ask", "network", "again\n", 0), ("look", "scan", "home\n", 0), ("ask", "network", "home\n", 0),
        ("ask", "passphrase", "", 0), ("step", "join", "", 1), ("ask", "passphrase", "", 0), ("step", "join", "", 0), ("ask", "joined", "", 0)]


class ScriptTests(unittest.TestCase):
    def play(self, script, path, replayed=()):
        """Plays the rest of a path live. Returns the records, and the last message."""
        with Engine(replayed) as engine:
            process = engine.start(script)
            records = list(replayed)
            for index, (kind, name, output, status) in enumerate(path[len(replayed):], len(replayed)):
                connection = engine.accept()
                self.assertEqual((connection.message[kind], connection.message["entry"]), (name, index))
                if kind == "step":
                    connection.go(secrets=[b"open sesame" if status == 0 else b"wrong"])
                    self.assertEqual("error" in connection.read(), status != 0)
                connection.done(output, status)
                records.append((kind, name, connection.message.get("digest", "-"), status, output))
            last = engine.accept()
            last.stop()
            self.assertEqual(process.wait(), -9)
            return records, last.message

    def assert_replays(self, script, path, result):
        records, last = self.play(script, path)
        self.assertEqual(last, {"run": 7, "entry": len(path), "finish": result})
        for count in range(len(path) + 1):
            self.assertEqual(self.play(script, path, records[:count]), (records, last))

    def test_a_visit_is_scheduled(self):
        for path, result in zip(VISITS, VISIT_RESULTS):
            self.assert_replays(VISIT, path, result)

    def test_a_network_is_joined_at_the_second_try(self):
        self.assert_replays(NETWORK, JOIN, {"network": "home"})

    def test_the_second_question_says_why_the_first_was_not_enough(self):
        with Engine() as engine:
            process = engine.start(NETWORK.replace("again\n", "home\n", 1).replace("-q sesame", "-q x"))
            form = engine.accept()
            self.assertNotIn("messages", form.message["screen"])
            form.done()
            step = engine.accept()
            step.go(secrets=[b"wrong"])
            step.read()
            step.done(status=1)
            messages = engine.accept().message["screen"]["messages"]
            self.assertEqual(messages, [{"code": "error", "level": "error", "text": "The network does not let this device in."}])
            self.assertIsNone(process.poll())

    def test_no_secret_is_in_a_command_line_an_environment_or_what_is_recorded(self):
        canary = "canary-" + os.urandom(8).hex()
        command = "sh -c 'exec 3<&0; echo ready >ready; cat go >/dev/null; cat <&3 >/dev/null'"
        with Engine() as engine:
            os.mkfifo(engine.directory / "ready")
            os.mkfifo(engine.directory / "go")
            process = engine.start(f"ask step join --stdin passphrase -- {command}")
            connection = engine.accept()
            connection.go(secrets=[canary.encode()])
            (engine.directory / "ready").read_text()
            seen = 0
            for other in os.listdir("/proc"):
                try:
                    if not other.isdigit() or os.getsid(int(other)) != process.pid:
                        continue
                    for name in ("cmdline", "environ"):
                        self.assertNotIn(canary.encode(), pathlib.Path("/proc", other, name).read_bytes())
                    seen += 1
                except (ProcessLookupError, FileNotFoundError):
                    continue
            self.assertGreaterEqual(seen, 2)
            (engine.directory / "go").write_text("")
            self.assertNotIn(canary, str(connection.read()))
            connection.done()
            self.assertNotIn(canary, "".join(finish(process)[:2]))


class RandomTests(unittest.TestCase):
    WORDS = [
        "--", "-", "", "=", "a", "a=A", "b=", "=c", "1", "-1", "1..2", "..", "1-", "x" * 300, "\udcff", "{", "a={}", 'a={"type":"string"}',
        "a:=1", "#123456", "/dev/null=x", "2/3", "99999999999999999999", "--help", "é", "\n", "\t", "a=b=c", "--items=-", "--multiple=1-3",
        "--text=a", "--secret=b", "--choice=c", "--several=d", "--option=a=A", "--value=1", "--shown-if=a=1", "--same-as=a", "--schema=e={}", "--cancel",
        "--submit=a=A", "--error=a=b", "--flag=f", "--integer=g"]
    COMMANDS = ["menu", "list", "form", "confirm", "message", "look", "step", "progress", "finish", "fail", "run", "sleep", "patched", "language", "input", "x", ""]

    def test_no_command_line_crashes_it(self):
        seed = int(os.environ.get("SEED", random.randrange(2**32)))
        numbers = random.Random(seed)
        options = [word for command in self.COMMANDS[:7] for word in run_alone(command, "--help").stdout.split() if word.startswith("--")]
        words = self.WORDS + [option.strip(",") for option in options]
        for _ in range(150):
            line = [numbers.choice(self.COMMANDS), "name", "Title"] + numbers.choices(words, k=numbers.randrange(8))
            # The next lines would be executed.
            if "--" in line and line[0] in ("look", "step"):
                line = line[: line.index("--")]
            if line[0] == "sleep":
                line = ["sleep", "name", numbers.choice(["x", "-1", "", "1e", "0"])]
            done = subprocess.run(
                [str(ASK), *line], env={"ASAN_OPTIONS": "detect_leaks=0", "COORDINATOR_INPUT": numbers.choice(["{}", '{"name":[1]}', "{"])},
                stdin=subprocess.DEVNULL, capture_output=True, start_new_session=True)
            self.assertIn(done.returncode, (0, 1, 2, 3), f"SEED={seed} {line}: {done.stderr.decode(errors='replace')}")
            self.assertNotIn(b"Sanitizer", done.stderr, f"SEED={seed} {line}")

    def test_nothing_that_the_engine_says_lets_a_script_run_on_or_crashes_it(self):
        seed = int(os.environ.get("SEED", random.randrange(2**32)))
        numbers = random.Random(seed)
        parts = [b"done", b"go", b"stop", b"usage", b" ", b" ", b"0", b"7", b"255", b"999999", b"\n", b"\n", b"\0", b"\xff", b"-1", b"key"]
        for _ in range(40):
            said = b"".join(numbers.choices(parts, k=numbers.randrange(1, 10)))
            with Engine() as engine:
                process = engine.start("ask menu a A x=X >output; echo $? >status")
                connection = engine.accept()
                connection.send(said)
                connection.close()
                status = process.wait()
                self.assertIn(status, (0, -9), f"SEED={seed} {said}")
                if status == 0:
                    self.assertRegex(said, rb"\A(done|usage) [0-9]+ [0-9]+\n", f"SEED={seed}")


if __name__ == "__main__":
    unittest.main()
