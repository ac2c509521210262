"""document_tests.py DIRECTORY: types the commands in the section on tests of Docs/writing-scripts.md.

The first script of the document and its answers file are in the working directory, and the programs of that directory
are in the PATH. Their output must be that in the document. Needs no bus.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = CHECKOUT / "Docs/writing-scripts.md"
BINARIES = []


def blocks(text):
    """Yields the code blocks of a text, as pairs of a language and its content."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


class DocumentTests(unittest.TestCase):
    def setUp(self):
        text = DOCUMENT.read_text()
        section = text.split("\n## Testing a script\n")[1].split("\n## ")[0]
        self.script = next(content for language, content in blocks(text) if content.startswith("#!/bin/sh"))
        self.examples = blocks(section)
        directory = tempfile.TemporaryDirectory(prefix="document-")
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name)
        self.write(self.script)
        (self.root / "answers.yaml").write_text(next(content for language, content in blocks(text) if language == "yaml"))

    def write(self, script):
        path = self.root / "make-coffee"
        path.write_text(script)
        path.chmod(0o755)

    def type(self, command):
        environment = os.environ | {"PATH": f"{BINARIES[0]}:{os.environ['PATH']}", "HOME": str(self.root), "LC_ALL": "C.UTF-8"}
        result = subprocess.run(["sh", "-c", command], cwd=self.root, env=environment, capture_output=True, text=True, timeout=300)
        return result.returncode, result.stdout + result.stderr

    def test_commands_print_what_the_document_says(self):
        """The first output after a command is the output of that command."""
        typed = [(command, output) for (language, command), (other, output) in zip(self.examples, self.examples[1:])
                 if (language, other) == ("sh", "text")]
        self.assertEqual(len(typed), 2, "the commands of the section are not found")
        for command, output in typed:
            with self.subTest(command):
                self.assertEqual(self.type(command), (0, output))

    def test_the_graph(self):
        output = next(content for language, content in self.examples if content.startswith("make-coffee\n"))
        self.assertEqual(self.type("coordinator-scripts graph make-coffee --stub order='echo 7'"), (0, output))

    def test_a_script_that_does_not_expect_a_failure_is_found(self):
        caught = ' ||\n  ask fail no-coffee "No coffee today."\n'
        self.assertIn(caught, self.script)
        self.write(self.script.replace(caught, "\n"))
        output = next(content for _, content in self.examples if "is not JSON" in content)
        self.assertEqual(self.type(self.examples[0][1]), (1, output))

    def test_the_script_of_the_readme_is_the_first_one_of_the_document(self):
        """Tests of the document's script therefore also apply to that of the README."""
        self.assertEqual(next(content for _, content in blocks((CHECKOUT / "README.md").read_text())), self.script)


if __name__ == "__main__":
    BINARIES.append(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
