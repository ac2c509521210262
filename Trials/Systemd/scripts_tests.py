"""Flows that are scripts, in a systemd user manager: run by with-user-manager."""

import os
import pathlib
import re
import signal
import unittest

from world import CONFIGURATION, HOME, RUNTIME, UNIT, ServiceTestCase, eventually, process, property_of, replace, run, systemctl

SCRIPTS = "coordinator-scripts.service"
CONTROL = "/usr/local/bin/coordinatorctl"
PROGRAM = pathlib.Path("/usr/local/bin/coordinator-scripts")
COFFEE = """#!/bin/sh
# coordinator: title=Make a coffee
size=$(ask menu size "How large?" small=Small large=Large)
ask step brew -- sh -c "echo $size >>$HOME/brewed; grep NoNewPrivs /proc/self/status >>$HOME/brewed"
ask message done "Your coffee is ready"
ask finish size="$size"
"""


def control(*arguments, check=True):
    return run(CONTROL, *arguments, check=check).stdout


def processes():
    """The processes in the control group of the unit."""
    group = property_of("ControlGroup", SCRIPTS)
    file = pathlib.Path(f"/sys/fs/cgroup{group}/cgroup.procs")
    return file.read_text().split() if group and file.exists() else []


def named(text):
    """The processes that have a text in their command lines."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if text.encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            pass
    return found


class ScriptTests(ServiceTestCase):
    def clear(self):
        systemctl("stop", SCRIPTS, check=False)
        super().clear()
        for name in ("brewed", "Visits", "may-end"):
            run("rm", "-rf", HOME / name)

    def script(self, name="make-coffee", text=COFFEE):
        path = CONFIGURATION / "flows" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{name}")
        new.write_text(text)
        new.chmod(0o755)
        new.rename(path)
        return path

    def is_listed(self, name="make-coffee"):
        return eventually(lambda: name in control("flows"), 20)

    def shows(self, text):
        self.assertTrue(eventually(lambda: text in control("show", check=False)), control("show", check=False))

    def test_a_script_is_a_flow_without_anybody_starting_a_program(self):
        self.script()
        self.assertEqual(property_of("ActiveState", SCRIPTS), "inactive")
        self.assertTrue(self.is_listed())
        self.assertEqual(property_of("ActiveState", SCRIPTS), "active")
        control("start", "make-coffee")
        self.shows("How large?")
        control("send", "large")
        self.shows("Your coffee is ready")
        # Written to the home directory, without a way to gain privileges.
        self.assertEqual((HOME / "brewed").read_text().split(), ["large", "NoNewPrivs:", "1"])
        control("send", "ok", check=False)
        self.assertEqual(property_of("NRestarts", SCRIPTS), "0")

    def test_the_call_that_starts_the_daemon_starts_a_script_as_well(self):
        self.script()
        self.assertEqual((property_of("ActiveState"), property_of("ActiveState", SCRIPTS)), ("inactive", "inactive"))
        control("start", "make-coffee")
        self.shows("How large?")
        self.assertEqual(property_of("NRestarts", SCRIPTS), "0")

    def test_the_error_for_an_unknown_flow_says_why_its_file_is_not_served(self):
        path = self.script()
        path.chmod(0o644)
        self.assertIn(f"{path} is no flow: is not executable", run(CONTROL, "start", "make-coffee", check=False).stderr)
        systemctl("stop", SCRIPTS, UNIT)
        systemctl("mask", "--runtime", SCRIPTS)
        self.addCleanup(systemctl, "unmask", "--runtime", SCRIPTS)
        error = run(CONTROL, "start", "make-coffee", check=False).stderr
        self.assertIn("coordinator-scripts, which serves scripts, cannot be started: Unit coordinator-scripts.service is masked", error)

    def test_a_script_that_is_written_while_the_daemon_runs_is_found(self):
        control("flows")
        self.assertTrue(eventually(lambda: property_of("ActiveState", SCRIPTS) == "active"))
        self.script("make-tea")
        self.assertTrue(self.is_listed("make-tea"))

    def test_the_next_daemon_knows_the_scripts_as_well(self):
        self.script()
        self.assertTrue(self.is_listed())
        before = property_of("MainPID", SCRIPTS)
        systemctl("stop", UNIT)
        self.assertTrue(self.is_listed())
        self.assertEqual(property_of("MainPID", SCRIPTS), before)

    def test_scripts_find_ask_where_it_was_installed(self):
        self.script(text=COFFEE.replace("size=$(", 'command -v ask >"$HOME/brewed"\nsize=$('))
        self.assertTrue(self.is_listed())
        control("start", "make-coffee")
        self.shows("How large?")
        self.assertEqual(
            os.path.normpath((HOME / "brewed").read_text().split()[0]), "/usr/local/libexec/coordinatord/commands/ask")
        self.assertFalse(list((RUNTIME / "coordinatord").glob("commands-*")))

    def test_a_stop_leaves_no_process_and_the_flow_goes_on_with_the_next_answer(self):
        self.script()
        # A process that ignores SIGTERM, in its own session.
        self.script("stubborn", "#!/bin/sh\n# coordinator: title=Stubborn\ntrap '' TERM\nsetsid sleep 4711 &\n"
                                'ask menu one "One?" yes=Yes\nask finish\n')
        self.assertTrue(self.is_listed("stubborn"))
        control("start", "make-coffee", "--token", "coffee")
        control("start", "stubborn", "--token", "mule")
        self.assertTrue(eventually(lambda: "One?" in control("show", "mule", check=False)))
        self.assertTrue(named("4711"))
        systemctl("stop", SCRIPTS)
        self.assertEqual((property_of("ActiveState", SCRIPTS), property_of("Result", SCRIPTS)), ("inactive", "success"))
        self.assertEqual((processes(), named("4711"), named("make-coffee")), ([], [], []))
        # The question is still there, and can be answered once the script is served again.
        self.assertIn("How large?", control("show", "coffee"))
        systemctl("start", SCRIPTS)
        self.assertTrue(eventually(lambda: "make-coffee" in control("flows")))
        control("send", "coffee", "small")
        self.assertTrue(eventually(lambda: "Your coffee is ready" in control("show", "coffee", check=False)))

    def test_it_comes_back_when_it_is_killed(self):
        self.script()
        self.assertTrue(self.is_listed())
        control("start", "make-coffee")
        self.shows("How large?")
        before = int(property_of("MainPID", SCRIPTS))
        os.kill(before, signal.SIGKILL)
        self.assertTrue(eventually(lambda: int(property_of("MainPID", SCRIPTS)) not in (0, before)))
        control("send", "large")
        self.shows("Your coffee is ready")
        self.assertEqual(property_of("NRestarts", SCRIPTS), "1")

    def test_an_upgrade_of_the_daemon_takes_the_scripts_with_it_and_interrupts_no_step(self):
        self.script(text=COFFEE.replace("ask step", """ask step grind -- sh -c 'echo begun >>$HOME/brewed
            until test -e $HOME/may-end; do sleep 0.1; done; echo ended >>$HOME/brewed'\nask step""", 1))
        self.assertTrue(self.is_listed())
        control("start", "make-coffee", "--token", "coffee")
        self.assertTrue(eventually(lambda: "How large?" in control("show", "coffee", check=False)))
        control("send", "coffee", "large")
        self.assertTrue(eventually(lambda: (HOME / "brewed").exists()))
        before = int(property_of("MainPID", SCRIPTS))
        # A failing daemon does not end the scripts.
        daemon = process()
        os.kill(daemon, signal.SIGKILL)
        self.assertTrue(eventually(lambda: process() not in (0, daemon)))
        replace(PROGRAM)
        systemctl("restart", UNIT)
        self.assertTrue(eventually(lambda: "make-coffee" in control("flows")))
        # The provider performs the step, and serves.
        self.script("make-tea")
        self.assertTrue(self.is_listed("make-tea"))
        self.assertEqual(int(property_of("MainPID", SCRIPTS)), before)
        (HOME / "may-end").touch()
        self.assertTrue(eventually(lambda: int(property_of("MainPID", SCRIPTS)) not in (0, before)))
        self.assertTrue(eventually(lambda: "Your coffee is ready" in control("show", "coffee", check=False)))
        self.assertEqual((HOME / "brewed").read_text().split()[:3], ["begun", "ended", "large"])
        self.assertEqual((property_of("NRestarts", SCRIPTS), property_of("Result", SCRIPTS)), ("1", "success"))

    def test_an_upgrade_while_the_daemon_is_idle_takes_the_scripts_with_it_when_that_starts(self):
        self.script()
        self.assertTrue(self.is_listed())
        before = int(property_of("MainPID", SCRIPTS))
        systemctl("stop", UNIT)
        replace(PROGRAM)
        self.assertEqual(int(property_of("MainPID", SCRIPTS)), before)
        control("flows")
        self.assertTrue(eventually(lambda: int(property_of("MainPID", SCRIPTS)) not in (0, before)))

    def test_the_daemon_runs_without_it(self):
        systemctl("mask", "--runtime", SCRIPTS)
        self.addCleanup(systemctl, "unmask", "--runtime", SCRIPTS)
        self.assertIn("schedule-visit", control("flows"))
        # The service answers a moment before systemd knows that it is ready.
        self.assertTrue(eventually(lambda: property_of("ActiveState") == "active"))

    def test_a_drop_in_closes_the_file_system_but_for_what_it_lists(self):
        (HOME / "Visits").mkdir()
        # As the comment in the unit recommends.
        text = pathlib.Path(property_of("FragmentPath", SCRIPTS)).read_text()
        self.drop_in(*re.search(r"#   \[Service\]\n((?:#   .*\n)+)", text)[1].replace("#   ", "").splitlines(), unit=SCRIPTS)
        self.script(text=COFFEE.replace("ask step", "ask step visit -- touch $HOME/Visits/here\nask step", 1))
        self.assertTrue(self.is_listed())
        control("start", "make-coffee")
        self.shows("How large?")
        control("send", "large")
        self.assertTrue(eventually(lambda: (HOME / "Visits/here").exists()))
        # The next step cannot write, and the script continues without it.
        self.shows("Your coffee is ready")
        self.assertFalse((HOME / "brewed").exists())

    def test_with_a_provider_file_the_bus_starts_it_for_the_first_call(self):
        self.script()
        file = CONFIGURATION / "providers/scripts.conf"
        file.parent.mkdir(parents=True)
        file.write_text("[Provider]\nBusName=org.coordinatord.Scripts\n[Flow make-coffee]\nTitle=Make a coffee\n")
        # This call starts the daemon, too.
        control("start", "make-coffee")
        self.shows("How large?")
        self.script("make-tea")
        self.assertTrue(self.is_listed("make-tea"))

    def test_the_unit_is_valid(self):
        path = property_of("FragmentPath", SCRIPTS)
        # This command also checks that the manual page in the unit exists.
        self.assertEqual(run("systemd-analyze", "--user", "verify", path).stderr, "")
        text = pathlib.Path(path).read_text()
        for line in ("Type=dbus", "BusName=org.coordinatord.Scripts", "KillMode=mixed", "NoNewPrivileges=yes"):
            self.assertIn(line, text.splitlines())
        self.assertIn(SCRIPTS, property_of("Wants", UNIT))


if __name__ == "__main__":
    unittest.main(verbosity=2)
