"""packages_tests.py DIRECTORY: the config scripts of Debian packages ask, and debconf-trial in that directory answers.

DEBCONF_TRIAL_PACKAGES names the directory that packages.sh has filled, as `make program-packages` does. Each package
takes about 15 s on a busy machine. No other process may run dpkg-preconfigure meanwhile: all of them unpack the scripts
into /var/cache/debconf/tmp.ci.
"""

import os
import pathlib
import sys

from debconf_world import DebconfTestCase, main

# Questions whose answers the scripts of their packages change afterwards.
REWRITTEN = {"ddclient/protocol"}
# The steps of exim4-config, with a final answer each: Back leads through the first eight; the script does not go back from the
# last step, and goes back from the one before it to the first.
STEPS = {
    "exim4/dc_eximconfig_configtype": "internet site; mail is sent and received directly using SMTP", "exim4/mailname": "mail.example.org",
    "exim4/dc_local_interfaces": "127.0.0.1 ; ::1 ; 192.0.2.1", "exim4/dc_other_hostnames": "example.org", "exim4/dc_relay_domains": "",
    "exim4/dc_relay_nets": "192.0.2.0/24", "exim4/dc_minimaldns": "true", "exim4/dc_localdelivery": "Maildir format in home directory",
    "exim4/use_split_config": "true", "exim4/dc_postmaster": "ada"}


class PackagesTests(DebconfTestCase):
    """The config scripts of packages, which `packages.sh` downloads without installing the packages."""

    def setUp(self):
        super().setUp()
        self.packages = sorted(pathlib.Path(os.environ.get("DEBCONF_TRIAL_PACKAGES", "/nonexistent")).resolve().glob("*.deb"))
        if not self.packages or not pathlib.Path("/usr/bin/apt-extracttemplates").exists():
            self.skipTest("packages.sh has not fetched packages into DEBCONF_TRIAL_PACKAGES, or apt-utils is missing")

    def test_packages(self):
        asked, counts = 0, [0, 0]
        for package in self.packages:
            with self.subTest(package.name):
                blocks, questions = self.compare(package)
                asked += blocks > 0
                counts = [counts[0] + blocks, counts[1] + questions]
        print(f"{len(self.packages)} packages, {asked} of them ask {counts[0]} blocks with {counts[1]} answers", file=sys.stderr)

    def compare(self, package):
        """Compares the database with the answers: once with the proposals, once with other answers."""
        command = ["dpkg-preconfigure", str(package)]
        self.world.reset()
        silent = self.world.run_silently(command, timeout=60)
        for policy in ["initial", "other"]:
            self.world.reset()
            run = self.world.run(command, {"otherwise": policy}, timeout=60)
            self.assertEqual((run.process.returncode, run.errors), (silent.process.returncode, []), run.process.stderr)
            given = {}
            for event in run.events:
                given |= event.get("values", {})
            for name, value in given.items():
                if name in REWRITTEN:
                    continue
                self.assertEqual((policy, name, run.values.get(name)), (policy, name, self.world.stored(name, value)))
                # Unchanged proposals give the same values as debconf without asking.
                if policy == "initial" and silent.values.get(name):
                    self.assertEqual((name, run.values.get(name)), (name, silent.values[name]))
        return len(run.screens), len(given)

    def test_back_through_all_steps_of_exim(self):
        package = next((path for path in self.packages if path.name.startswith("exim4-config_")), None)
        if package is None:
            self.skipTest("exim4-config was not fetched")
        names, eight = list(STEPS), list(STEPS)[:8]
        answers = {name: [value, "<back>", value] if name in eight else [value] for name, value in STEPS.items()}
        answers[eight[0]] = [STEPS[eight[0]]]
        answers[eight[-1]] = ["<back>", STEPS[eight[-1]]]
        run = self.world.run(["dpkg-preconfigure", str(package)], {"answers": answers, "otherwise": "fail"})
        self.assertEqual((run.process.returncode, run.errors), (0, []), run.process.stderr)
        self.assertEqual([screen["name"].removeprefix("exim4-config/") for screen in run.screens], eight + eight[-2::-1] + names[1:])
        self.assertEqual({name: run.values[name] for name in names}, STEPS)
        again = next(screen for screen in run.screens[15:] if screen["name"].endswith(names[2]))
        self.assertEqual(again["values"], {names[2]: STEPS[names[2]]})


if __name__ == "__main__":
    main()
