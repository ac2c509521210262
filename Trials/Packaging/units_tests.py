"""Units are as restricted as Docs/security.md states."""

import pathlib
import re
import tempfile
import unittest

from world import CHECKOUT, run


def documented():
    """Returns the score of each unit in the table, in tenths, and the reason for it."""
    section = (CHECKOUT / "Docs/security.md").read_text().split("### What the services may do\n")[1].split("\n### ")[0]
    rows = re.findall(r"^\| (`.*?`) \| ([\d.]+) \| (.*?) ?\|$", section, re.MULTILINE)
    return {unit: (round(float(score) * 10), reason) for units, score, reason in rows for unit in re.findall(r"`(.*?)`", units)}


class UnitTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory(prefix="coordinatord-units-")
        sources = [(path.parent.name, path) for path in (CHECKOUT / "systemd").glob("*/*.service*")]
        sources += [("first-boot", path) for path in (CHECKOUT / "Examples/first-boot/systemd").glob("*.service")]
        for group, path in sources:
            # Like the installed files. A template is rated as one of its instances.
            text = re.sub(r"@(\w+)dir@", r"/\1", path.read_text())
            target = pathlib.Path(cls.home.name, group, path.name.removesuffix(".in").replace("@.", "@name."))
            target.parent.mkdir(exist_ok=True)
            target.write_text(text)

    @classmethod
    def tearDownClass(cls):
        cls.home.cleanup()

    def units(self):
        return {str(path.relative_to(self.home.name)).replace("@name.", "@."): path for path in pathlib.Path(self.home.name).rglob("*.service")}

    def test_each_unit_is_in_the_table_and_no_other(self):
        self.assertEqual(sorted(documented()), sorted(self.units()))

    def test_no_unit_is_rated_worse_than_the_table_says(self):
        for name, path in self.units().items():
            with self.subTest(name):
                run("systemd-analyze", "security", "--offline=true", f"--threshold={documented()[name][0]}", "--no-pager", path)

    def test_a_unit_with_more_than_two_points_has_a_reason(self):
        self.assertEqual([name for name, (score, reason) in documented().items() if score > 20 and not reason], [])

    def test_units_deny_what_costs_nobody_anything(self):
        for name, path in self.units().items():
            lines = path.read_text().splitlines()
            for line in ("NoNewPrivileges=yes", "RestrictSUIDSGID=yes", "RestrictRealtime=yes", "LockPersonality=yes", "KeyringMode=private"):
                # Scripts of root install packages, with files that have these bits.
                if (name, line) != ("system/coordinator-scripts@root.service", "RestrictSUIDSGID=yes"):
                    self.assertIn(line, lines, name)


if __name__ == "__main__":
    unittest.main()
