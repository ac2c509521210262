"""Live programs in a systemd user manager: run by with-user-manager."""

import os
import pathlib
import signal
import subprocess
import unittest

from world import HOME, RUNTIME, UNIT, ServiceTestCase, eventually, property_of, replace, run, systemctl

SCRIPTS = "coordinator-scripts.service"
CONTROL = "/usr/local/bin/coordinatorctl"
PROGRAMS = RUNTIME / "coordinatord/programs"
INSTALLER = """#!/bin/sh
name=$(whiptail --inputbox "What is its name?" 8 40 3>&1 1>&2 2>&3) || exit 1
whiptail --yesno "Install $name?" 8 40 || exit 2
echo "$name $$" >"$HOME/installed"
exit 7
"""


def control(*arguments, check=True):
    return run(CONTROL, *arguments, check=check).stdout


class ProgramTests(ServiceTestCase):
    def clear(self):
        systemctl("stop", "coordinator-program-*.scope", check=False)
        systemctl("stop", SCRIPTS, check=False)
        super().clear()
        run("rm", "-rf", HOME / "installed", HOME / "installer")

    def setUp(self):
        super().setUp()
        (HOME / "installer").write_text(INSTALLER)
        (HOME / "installer").chmod(0o755)

    def execute(self, *options):
        """Starts the program with this token, like a session whose terminal may be closed."""
        command = subprocess.Popen(
            [CONTROL, "exec", "--token", "setup", *options, "--", HOME / "installer"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(command.stdout.close)
        self.addCleanup(command.wait, 20)
        # SIGTERM ends the program as well.
        self.addCleanup(command.terminate)
        return command

    def shows(self, text):
        self.assertTrue(eventually(lambda: text in control("show", "setup", check=False)), control("show", check=False))

    def scopes(self):
        """Returns the units in which programs run."""
        listed = systemctl("list-units", "--plain", "--no-legend", "coordinator-program-*.scope").stdout
        return [line.split()[0] for line in listed.splitlines()]

    def scope(self):
        """Returns the command lines of the processes in the scope of the only program, by their ids."""
        group = next((property_of("ControlGroup", scope) for scope in self.scopes()), "")
        file = pathlib.Path(f"/sys/fs/cgroup{group}/cgroup.procs")
        if not group or not file.exists():
            return {}
        return {
            number: pathlib.Path(f"/proc/{number}/cmdline").read_text().replace("\0", " ") for number in file.read_text().split()
            if pathlib.Path(f"/proc/{number}").exists()}

    def test_a_program_is_shown_without_anybody_starting_a_service_and_its_status_is_passed_on(self):
        self.assertEqual(property_of("ActiveState", SCRIPTS), "inactive")
        command = self.execute()
        self.shows("What is its name?")
        self.assertEqual(property_of("ActiveState", SCRIPTS), "active")
        control("send", "setup", "ok", "value=disk")
        self.shows("Install disk?")
        control("send", "setup", "yes")
        self.assertEqual(command.wait(20), 7)
        self.assertTrue((HOME / "installed").read_text().startswith("disk "))
        # The scope and the sockets end with the program.
        self.assertTrue(eventually(lambda: not self.scopes()), self.scopes())
        self.assertTrue(eventually(lambda: not list(PROGRAMS.iterdir())))

    def test_it_has_a_scope_of_its_own_and_survives_both_services_and_who_has_started_it(self):
        command = self.execute()
        self.shows("What is its name?")
        self.assertTrue(eventually(lambda: len(self.scope()) >= 3), self.scope())
        before = self.scope()
        for program in ("libexec/coordinatord/coordinator-keeper ", "/bin/sh ", "whiptail "):
            self.assertTrue([line for line in before.values() if program in line], before)
        self.assertEqual(len(self.scopes()), 1)
        # Like a terminal that is closed.
        command.send_signal(signal.SIGHUP)
        self.assertEqual(command.wait(20), -signal.SIGHUP)
        # In this order: otherwise, the daemon would make the bus restart the other service, for the waiting program.
        systemctl("stop", UNIT)
        systemctl("stop", SCRIPTS)
        self.assertEqual(self.scope(), before)
        # The next call starts the daemon, which starts the other service.
        self.shows("What is its name?")
        control("send", "setup", "ok", "value=disk")
        self.shows("Install disk?")
        self.assertTrue(set(before) & set(self.scope()))
        for unit in (SCRIPTS, UNIT):
            os.kill(int(property_of("MainPID", unit)), signal.SIGKILL)
        self.shows("Install disk?")
        control("send", "setup", "yes")
        self.assertTrue(eventually(lambda: (HOME / "installed").exists()))
        # The program was run once.
        self.assertIn((HOME / "installed").read_text().split()[1], before)

    def test_an_upgrade_leaves_a_program_to_its_keeper_and_the_new_version_shows_it(self):
        command = self.execute()
        self.shows("What is its name?")
        before = self.scope()
        engine = int(property_of("MainPID", SCRIPTS))
        for name in ("bin/coordinatord", "bin/coordinator-scripts", "libexec/coordinatord/coordinator-keeper"):
            replace(pathlib.Path("/usr/local", name))
        systemctl("restart", UNIT)
        self.assertTrue(eventually(lambda: int(property_of("MainPID", SCRIPTS)) not in (0, engine)))
        self.shows("What is its name?")
        self.assertEqual(self.scope(), before)
        control("send", "setup", "ok", "value=disk")
        self.shows("Install disk?")
        control("send", "setup", "yes")
        self.assertEqual(command.wait(20), 7)
        # The program was run once.
        self.assertIn((HOME / "installed").read_text().split()[1], before)

    def test_dismissing_the_flow_ends_the_program(self):
        command = self.execute()
        self.shows("What is its name?")
        control("dismiss", "setup")
        self.assertEqual(command.wait(20), 128 + signal.SIGTERM)
        self.assertTrue(eventually(lambda: not self.scope()), self.scope())

    def test_a_drop_in_that_closes_the_file_system_leaves_programs_in_reach(self):
        self.drop_in("ProtectSystem=strict", "ProtectHome=read-only", "PrivateUsers=yes", "ReadWritePaths=%t", unit=SCRIPTS)
        command = self.execute()
        self.shows("What is its name?")
        control("send", "setup", "ok", "value=disk")
        self.shows("Install disk?")
        control("send", "setup", "yes")
        self.assertEqual(command.wait(20), 7)
        # The program has the rights of its caller, not those of the service.
        self.assertTrue((HOME / "installed").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
