"""The installed programs work: the tour of Docs/tour.md, on a bus that finds the daemon at its installed place."""

import os
import pathlib
import tempfile
import unittest

from world import BINARIES, CHECKOUT, make, run


class TourTests(unittest.TestCase):
    def test_the_tour_works_where_it_is_installed(self):
        with tempfile.TemporaryDirectory(prefix="coordinatord-tour-") as home:
            home = pathlib.Path(home)
            run(CHECKOUT / "Packaging/stage", BINARIES, home / "built")
            make("--silent", "install", f"PREFIX={home}/prefix", "DESTDIR=", f"BUILT={home}/built")
            environment = {
                "HOME": str(home), "LC_ALL": "C.UTF-8", "PATH": f"{home}/prefix/bin:{os.environ['PATH']}",
                "XDG_DATA_DIRS": f"{home}/prefix/share:/usr/share", "XDG_STATE_HOME": f"{home}/state",
            }
            done = run(
                "dbus-run-session", "--", CHECKOUT / "Packaging/debian/tour", CHECKOUT / "Docs/tour.md", environment=environment, cwd=home)
            # The commands are printed before they run.
            rest = done.stdout.partition("Dismiss 'ba{sv}' true 0\n")[2]
            for expected in (
                "clinic", "select-visit-type", "What is the visit for?", "└─ schedule_visit_1", "delegate schedule-visit",
                '"/org/coordinatord/Coordinator1/flows/demo"', "t 2", "schedule_visit_1", "select-visit-type", "t 3", "t 4",
                "What is the visit for?", "t 5",
            ):
                before, found, rest = rest.partition(expected)
                self.assertTrue(found, f"'{expected}' is not printed, or not in this order:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    unittest.main()
