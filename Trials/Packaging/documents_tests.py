"""The documents are correct: their scripts run, and the parts generated from the contract are up to date."""

import json
import pathlib
import re
import shutil
import tempfile
import unittest

from world import BINARIES, CHECKOUT, World, run


def blocks(document):
    """Returns the executable blocks of a document: line, language, text."""
    text = (CHECKOUT / document).read_text()
    for match in re.finditer(r"^```(sh|python)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text[: match.start()].count("\n") + 1, match[1], match[2]


class DocumentTests(unittest.TestCase):
    def test_every_block_of_scripting_runs_and_prints_what_it_says(self):
        found = list(blocks("Docs/scripting.md"))
        self.assertGreater(len(found), 6)
        for line, language, text in found:
            with self.subTest(f"Docs/scripting.md:{line}"), World() as world:
                if language == "sh":
                    done = world.run("bash", "-euo", "pipefail", "-c", text)
                else:
                    done = world.run("/usr/bin/python3", "-c", text)
                self.assert_prints(text, done)

    def test_the_blocks_of_programs_run_one_after_the_other_and_print_what_they_say(self):
        found = list(blocks("Docs/programs.md"))
        self.assertGreater(len(found), 3)
        with World(serves_programs=True) as world:
            for line, _, text in found:
                with self.subTest(f"Docs/programs.md:{line}"):
                    self.assert_prints(text, world.run("bash", "-euo", "pipefail", "-c", text))

    def assert_prints(self, text, done):
        rest = done.stdout
        for expected in re.findall(r"# → (.*)$", text, re.MULTILINE):
            before, found_it, rest = rest.partition(expected.strip())
            self.assertTrue(found_it, f"'{expected}' is not printed, or not in this order:\n{done.stdout}{done.stderr}")

    def test_what_is_made_from_the_contract_is_up_to_date(self):
        for form, path in (("markdown", "Docs/dbus-api.md"), ("man", "Packaging/man/org.coordinatord.Coordinator1.5")):
            made = run(CHECKOUT / "Scripts/contract-docs", form).stdout
            self.assertEqual(made, (CHECKOUT / path).read_text(), f"{path} is out of date: make docs")

    def test_what_is_made_from_the_keys_of_the_configuration_is_up_to_date(self):
        table = run(BINARIES / "coordinatord", "--dump-config-keys").stdout
        for form, path in (("man", "Packaging/man/coordinatord.conf.5"), ("example", "Packaging/examples/coordinatord.conf")):
            made = run(CHECKOUT / "Scripts/configuration-docs", form, input=table).stdout
            self.assertEqual(made, (CHECKOUT / path).read_text(), f"{path} is out of date: make docs")

    def test_the_example_of_a_configuration_is_one(self):
        text = (CHECKOUT / "Packaging/examples/coordinatord.conf").read_text()
        # Also with the commented-out settings enabled, if the document has any.
        said = re.sub(r"^#(\w+=\S)", r"\1", text, flags=re.MULTILINE)
        for content in (text, said):
            with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
                file.write(content)
                file.flush()
                run(BINARIES / "coordinatord", "--check-config", "--config", file.name)

    def test_the_example_of_a_provider_file_is_one(self):
        run(BINARIES / "coordinatorctl", "provider", "check", CHECKOUT / "Packaging/examples/wifi.provider.conf")

    def test_the_provider_files_of_programs_say_what_the_provider_says(self):
        with World(serves_programs=True) as world:
            flows = json.loads(world.run("coordinatorctl", "flows", "--json").stdout)
        flow, = [flow for flow in flows if flow["name"] == "program"]
        for path in ("Packaging/xdg/coordinatord/providers/programs.conf", "Packaging/examples/programs.provider.conf"):
            with self.subTest(path), tempfile.TemporaryDirectory() as directory:
                path = CHECKOUT / path
                schema = path.with_name("program.schema.json")
                self.assertEqual(json.loads(schema.read_text()), flow["input"])
                text = path.read_text()
                self.assertIn(f"\nTitle={flow['title']}\nSummary={flow['summary']}\n", text)
                # The user of scripts need not exist on this machine.
                copy = pathlib.Path(directory, "programs.conf")
                copy.write_text(text.replace("User=coordinatord-scripts", "User=root"))
                shutil.copy(schema, directory)
                run(BINARIES / "coordinatorctl", "provider", "check", copy)

    def test_everything_in_the_contract_is_in_the_documents(self):
        contract = (CHECKOUT / "Docs/org.coordinatord.Coordinator1.xml").read_text()
        names = re.findall(r'<(?:method|signal|property) name="(\w+)"', contract)
        self.assertGreater(len(names), 30)
        for path in ("Docs/dbus-api.md", "Packaging/man/org.coordinatord.Coordinator1.5"):
            document = (CHECKOUT / path).read_text()
            for name in names:
                self.assertRegex(document, rf"(### {name}$)|(\.B {name}[(:])".replace("$", r"\b"))


if __name__ == "__main__":
    unittest.main()
