"""A private debconf database, and a server that answers debconf's questions from a script."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

from screens import faults

SYSTEMRC = """Config: configdb
Templates: templatedb

Name: configdb
Driver: File
Filename: {0}/config.dat

Name: templatedb
Driver: File
Filename: {0}/templates.dat
"""
# The directory of the built programs.
DIRECTORY = []
EXAMPLES = pathlib.Path("/usr/share/doc/debconf/examples")


def missing():
    """The parts of real debconf that are missing, as a sentence; None if it is complete."""
    if not pathlib.Path("/usr/share/debconf/confmodule").exists():
        return "debconf is not installed"
    if subprocess.run(["perl", "-MText::Iconv", "-e", "1"], capture_output=True).returncode:
        return "libtext-iconv-perl is not installed, without which debconf's passthrough frontend dies"
    if not shutil.which("debconf-loadtemplate"):
        return "debconf-utils is not installed"
    if not (EXAMPLES / "demo").exists():
        return "debconf-doc is not installed, or without its documents"
    return None


class Run:
    """The questions of a program, and the database after it."""

    def __init__(self, process, events, values, flags):
        self.process, self.events, self.values, self.flags = process, events, values, flags

    @property
    def screens(self):
        return [event["ask"] for event in self.events if "ask" in event]

    @property
    def errors(self):
        """Returns the refusals of the server, and the faults of its screens."""
        return [event["error"] for event in self.events if "error" in event] + [fault for screen in self.screens for fault in faults(screen)]


class World:
    """A database in a separate directory; the system's is never touched."""

    def __init__(self, server):
        self.server = server
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="debconf-trial."))
        self.rc = self.root / "debconf.conf"
        self.rc.write_text(SYSTEMRC.format(self.root))

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)

    def environment(self, **extra):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("DEBCONF", "DEBIAN", "LC_"))}
        return environment | {"DEBCONF_SYSTEMRC": str(self.rc), "LC_ALL": "C.UTF-8", "DEBIAN_PRIORITY": "low",
                              "DEBCONF_NOWARNINGS": "yes"} | extra

    def load(self, owner, templates):
        subprocess.run(["debconf-loadtemplate", owner, str(templates)], env=self.environment(), check=True)

    def write(self, name, text):
        path = self.root / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def reset(self):
        for name in ("config.dat", "templates.dat", "config.dat-old", "templates.dat-old"):
            (self.root / name).unlink(missing_ok=True)

    def run(self, command, script=None, timeout=120, **environment):
        """Runs a program whose questions the server answers from the script."""
        path, report, configuration = (self.root / name for name in ("socket", "report", "script.json"))
        path.unlink(missing_ok=True)
        report.write_text("")
        configuration.write_text(json.dumps(script or {"otherwise": "initial"}))
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            path.chmod(0o600)
            listener.listen(8)
            server = subprocess.Popen([self.server, configuration, report, str(listener.fileno())], pass_fds=[listener.fileno()])
            try:
                process = subprocess.run(
                    command, env=self.environment(DEBIAN_FRONTEND="passthrough", DEBCONF_PIPE=str(path), **environment),
                    capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL, cwd=self.root)
            finally:
                server.send_signal(signal.SIGTERM)
                server.wait()
        return Run(process, [json.loads(line) for line in report.read_text().splitlines()], *self.database())

    def run_silently(self, command, timeout=120):
        """Runs a program whose questions get their defaults, without asking a user."""
        process = subprocess.run(command, env=self.environment(DEBIAN_FRONTEND="noninteractive"), capture_output=True, text=True,
                                 timeout=timeout, stdin=subprocess.DEVNULL, cwd=self.root)
        return Run(process, [], *self.database())

    def database(self):
        """Returns the values and flags by question."""
        stanzas = self.stanzas("config.dat")
        return ({name: fields["Value"] for name, fields in stanzas.items() if "Value" in fields},
                {name: fields["Flags"] for name, fields in stanzas.items() if "Flags" in fields})

    def stored(self, name, shown):
        """Returns the value that debconf stores for a shown choice, because some packages have other values in the
        language C."""
        question = self.stanzas("config.dat").get(name, {})
        template = self.stanzas("templates.dat").get(question.get("Template", name), {})
        variables = dict(line.split(" = ", 1) for line in question.get("Variables", "").splitlines() if " = " in line)
        if template.get("Type") not in ("select", "multiselect") or "Choices-c" not in template:
            return shown

        def choices(field):
            text = re.sub(r"\$\{(\w+)\}", lambda match: variables.get(match[1], ""), template[field])
            return [re.sub(r"\\([, ])", r"\1", choice) for choice in re.split(r"(?<!\\),\s+", text)]

        known = dict(zip(choices("Choices"), choices("Choices-c")))
        if template["Type"] == "select":
            return known.get(shown, shown)
        return ", ".join(known.get(choice, choice) for choice in shown.split(", "))

    def stanzas(self, file):
        """Returns the fields of a file of the database, by the names of its stanzas."""
        stanzas, path = {}, self.root / file
        for stanza in path.read_text().split("\n\n") if path.exists() else []:
            fields, last = {}, None
            for line in stanza.splitlines():
                if line.startswith(" "):
                    fields[last] += ("\n" if fields[last] or last == "Variables" else "") + line[1:]
                else:
                    last, _, value = line.partition(":")
                    fields[last] = value.removeprefix(" ")
            stanzas[fields.get("Name")] = fields
        return stanzas

    def show(self, owner):
        """Returns the output of debconf-show: values by question, and whether each has been seen."""
        lines = subprocess.run(["debconf-show", owner], env=self.environment(), capture_output=True, text=True, check=True).stdout
        return {line[2:].partition(":")[0]: (line[2:].partition(":")[2].strip(), line.startswith("*")) for line in lines.splitlines()}


class DebconfTestCase(unittest.TestCase):
    def setUp(self):
        self.world = World(pathlib.Path(DIRECTORY[0], "debconf-trial").absolute())
        self.addCleanup(self.world.close)

    def run_module(self, text, script=None, owner="trial", **environment):
        """Runs a package script of shell lines."""
        module = self.world.write("module", "#!/bin/sh -e\n. /usr/share/debconf/confmodule\ndb_version 2.0\n" + text)
        return self.world.run(["debconf", "-o", owner, str(module)], script, **environment)

    def load(self, text, owner="trial"):
        templates = self.world.root / "trial.templates"
        templates.write_text(text)
        self.world.load(owner, templates)

    def assert_values(self, run, expected):
        self.assertEqual({name: run.values.get(name) for name in expected}, expected)


def main():
    """Runs the tests of the calling module with the programs in the directory that the first argument names."""
    DIRECTORY.append(sys.argv[1])
    reason = missing()
    if reason:
        print(f"skipped: {reason}")
        return
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
