"""Manual pages and programs agree on options, commands, exit statuses and environment, both ways."""

import pathlib
import re
import tempfile
import unittest

from pages import MAN, PAGES, Page
from world import ASK, BINARIES, CHECKOUT, INTERNAL, PROGRAMS, SCRIPTS, TOOLS, commands_of_ask, help_of, run

EVERYWHERE = {"--name", "--json", "--address", "--system", "--user", "--quiet", "-q", "--version", "--help", "-h"}


def options(command):
    """Returns the options of a command: their names, and whether they take a value."""
    result = {}
    for argument in command.get("arguments", []):
        for name in argument.get("names", []) if argument["shouldDisplay"] else []:
            result[("-" if name["kind"] == "short" else "--") + name["name"]] = argument["kind"] == "option"
    return result


def documented(entries):
    return {name: entry.takes_value for entry in entries for name in entry.options}


def page_of(program):
    return Page(next(MAN.glob(f"{program}.[18]")))


class ManualTests(unittest.TestCase):
    def test_pages_are_rendered_without_warnings(self):
        self.assertGreaterEqual(len(PAGES), 5)
        for path in PAGES:
            with self.subTest(path.name):
                groff = run("groff", "-t", "-ww", "-man", "-Tutf8", path)
                self.assertEqual(groff.stderr, "")
                man = run("man", "--warnings", "-E", "UTF-8", "-l", path, environment={"MANWIDTH": "80", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"})
                self.assertEqual(man.stderr, "")
                for section in ("NAME", "DESCRIPTION", "SEE ALSO"):
                    self.assertIn(section, man.stdout)

    def test_every_option_is_in_the_page_and_the_other_way_round(self):
        for program in [*PROGRAMS, SCRIPTS]:
            page, command = page_of(program), help_of(program)
            if program in ("coordinatorctl", SCRIPTS):
                everywhere = EVERYWHERE if program == "coordinatorctl" else {"--help", "-h", "--version"}
                self.assertEqual(set(documented(page.listed("OPTIONS"))), everywhere)
                # Programs call the others.
                shown = [one for one in command["subcommands"] if one["shouldDisplay"]]
                self.assertEqual(sorted(page.headings["COMMANDS"]), sorted(one["commandName"] for one in shown))
                for one in shown:
                    with self.subTest(f"{program} {one['commandName']}"):
                        own = {name: takes for name, takes in options(one).items() if name not in everywhere}
                        self.assertEqual(documented(page.listed("COMMANDS", one["commandName"])), own)
            else:
                with self.subTest(program):
                    self.assertEqual(documented(page.listed("OPTIONS")), options(command))

    def test_no_page_names_an_option_that_there_is_not(self):
        # Options of systemctl and journalctl, of nmcli, and of scripts.
        known = {"--user", "--unit", "--ask", "--describe"}.union(*commands_of_ask().values())
        for program in [*PROGRAMS, SCRIPTS]:
            command = help_of(program)
            for one in [command, *command.get("subcommands", [])]:
                known |= set(options(one))
        known |= set(re.findall(r"--[a-z]+", run(BINARIES / INTERNAL[0], "--help").stdout))
        for path in PAGES:
            named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", path.read_text().replace("\\-", "-")))
            self.assertLessEqual(named, known, path.name)

    def test_exit_statuses_are_those_of_the_help(self):
        for program in TOOLS:
            with self.subTest(program):
                text = run(BINARIES / program, "--help").stdout
                said = dict(re.findall(r"^  (\d+) +(\S.*)$", text[text.index("EXIT CODES") :], re.MULTILINE))
                self.assertEqual({entry.tag: entry.text for entry in page_of(program).listed("EXIT STATUS")}, said)

    def test_the_page_of_ask_has_its_commands_and_options(self):
        page, commands = page_of("coordinator-ask"), commands_of_ask()
        self.assertEqual(page.headings["COMMANDS"], list(commands))
        common = set(documented(page.listed("OPTIONS")))
        self.assertEqual(common - {"--help", "--version"} - set().union(*commands.values()), set())
        for name, options in commands.items():
            with self.subTest(name):
                own = set(documented(page.listed("COMMANDS", name)))
                self.assertEqual(own - options, set())
                self.assertEqual(options - own - common, set())

    def test_the_page_of_ask_has_the_exit_statuses_of_its_help(self):
        said = dict(re.findall(r"^  (\d+) +(\S.*)$", run(ASK, "--help").stdout, re.MULTILINE))
        self.assertEqual({entry.tag: entry.text for entry in page_of("coordinator-ask").listed("EXIT STATUS")}, said)

    def test_the_page_of_the_keeper_has_its_options(self):
        said = set(re.findall(r"--[a-z]+", run(BINARIES / INTERNAL[0], "--help").stdout))
        self.assertGreater(len(said), 6)
        self.assertEqual(set(documented(page_of(INTERNAL[0]).listed("OPTIONS"))), said | {"--help", "-h"})

    def test_the_page_of_the_keeper_says_what_programs_are_given(self):
        given = "".join(path.read_text() for path in (CHECKOUT / "Sources/Programs").rglob("*.swift"))
        given = set(re.findall(r'(?:result|settings)\["([A-Z_]+)"\]', given)) | set(re.findall(r'"([A-Z]+_ASKPASS)"', given))
        self.assertGreater(len(given), 6)
        entries = page_of(INTERNAL[0]).listed("DESCRIPTION", "Environment")
        self.assertLessEqual(given, {name for entry in entries for name in re.findall(r"[A-Z_]{4,}", entry.tag)})

    def test_the_daemon_has_the_exit_statuses_of_its_help(self):
        text = " ".join(run(BINARIES / "coordinatord", "--help").stdout.split())
        said = re.search(r"Exit status: (.*?)\. ", text)[1]
        expected = dict(part.split(" ", 1) for part in said.split("; "))
        self.assertEqual({entry.tag: entry.text for entry in page_of("coordinatord").listed("EXIT STATUS")}, expected)

    def test_every_environment_variable_is_read_and_the_other_way_round(self):
        # The programs of providers are not installed, and have no manual pages here.
        paths = [path for path in (CHECKOUT / "Sources").rglob("*.swift") if "CoordinatorProvider" not in path.parts]
        for program in ("Scripts/coordinator-ask", "Programs/coordinator-dialog"):
            paths += (CHECKOUT / "Sources" / program).glob("*.c")
        sources = "\n".join(path.read_text() for path in paths)
        read = set(re.findall(r'(?:environment\[|environment\(|value\(of: |getenv\(|has\()"([A-Z_]+)"', sources))
        read |= set(re.findall(r'static let variable = "([A-Z_]+)"', sources))
        # These sources read the first of several variables. The pages describe HOME where they name the directories in it.
        languages = "".join(path.read_text() for path in (CHECKOUT / "Sources/Kit/Languages").rglob("*.swift"))
        read |= set(re.findall(r'nonEmpty\("([A-Z_]+)"', languages)) - {"HOME"}
        named = {name for path in PAGES for entry in Page(path).listed("ENVIRONMENT") for name in re.findall(r"[A-Z_]{4,}", entry.tag)}
        self.assertEqual(named, read)

    def test_the_page_of_scripts_has_what_they_are_given(self):
        given = "".join(path.read_text() for path in (CHECKOUT / "Sources/Scripts/CoordinatorScripts/Runs").glob("*.swift"))
        given = set(re.findall(r'(?:variables\[)?"(COORDINATOR_[A-Z]+)"\]? ?[=:]', given))
        self.assertGreater(len(given), 4)
        entries = page_of(SCRIPTS).listed("DESCRIPTION", "Environment")
        named = {name for entry in entries for name in re.findall(r"COORDINATOR_[A-Z]+", entry.tag)}
        self.assertEqual(named, given)

    def test_the_page_and_the_guide_of_scripts_have_all_keys_of_a_header(self):
        with tempfile.TemporaryDirectory() as directory:
            script = pathlib.Path(directory, "greet")
            script.write_text("#!/bin/sh\n# coordinator: color=red\n")
            script.chmod(0o755)
            listing = run(BINARIES / SCRIPTS, "files", "--flows", directory, check=False).stdout
        known, = re.findall(r"there is no color: (.*) are known", listing)
        known = set(re.split(r", | and ", known))
        tags = [entry.tag.replace(" ", "") for entry in page_of(SCRIPTS).listed("DESCRIPTION", "Header")]
        self.assertEqual({re.match("[a-z]+", tag)[0] for tag in tags}, known)
        self.assertIn("title[LANGUAGE]=text,summary[LANGUAGE]=text", tags)
        guide = (CHECKOUT / "Docs/writing-scripts.md").read_text()
        table = guide[guide.index("One of the first 20 lines is the header") : guide.index("In `input` and `result`, a name may")]
        rows = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        self.assertEqual({key for row in rows for key in re.findall(r"`(\w+)`", row)}, known)


if __name__ == "__main__":
    unittest.main()
