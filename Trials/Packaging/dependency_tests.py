"""The Debian package names every library that the programs load at their first use."""

import json
import re
import unittest

from world import BINARIES, CHECKOUT, run

CONTROL = CHECKOUT / "Packaging/debian/control"
NOTE = re.compile(rb'\[\{"feature":.*?\}\]')


def libraries():
    """Returns the names of the libraries in the dlopen notes of the single installed program."""
    notes = NOTE.findall((BINARIES / "coordinator-tools").read_bytes())
    return {soname for note in notes for entry in json.loads(note) for soname in entry["soname"]}


class DependencyTests(unittest.TestCase):
    def test_every_library_that_is_loaded_belongs_to_a_package_that_is_named(self):
        fields = re.findall(r"^(?:Depends|Recommends): (.*)$", CONTROL.read_text(encoding="utf-8"), re.M)
        named = set(re.findall(r"[a-z][a-z0-9.+-]+", " ".join(fields)))
        self.assertTrue(libraries())
        for soname in libraries():
            with self.subTest(soname):
                # The form is PACKAGE[:ARCHITECTURE], PACKAGE…: PATH.
                lines = run("dpkg", "-S", f"*/{soname}", check=False).stdout.splitlines()
                owners = {owner.split(":")[0] for line in lines for owner in line.split(": ")[0].split(", ")}
                self.assertTrue(owners & named, f"it is of {owners or 'no package'}; Packaging/debian/control names {named}")


if __name__ == "__main__":
    unittest.main()
