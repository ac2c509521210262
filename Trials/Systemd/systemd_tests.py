"""coordinatord in a systemd user manager: systemd_tests.py [TEST...], run by with-user-manager."""

import os
import pathlib
import shutil
import signal
import subprocess
import unittest
import urllib.error
import urllib.request

from gi.repository import GLib

from world import (
    CONFIGURATION, HOME, LOG, NAME, ROOT, RUNTIME, STATE, UNIT, Client, Load, ServiceTestCase, answered, eventually, process,
    property_of, run, start_later, systemctl)


class ActivationTests(ServiceTestCase):
    def test_the_first_call_starts_the_daemon(self):
        self.assertEqual(property_of("ActiveState"), "inactive")
        self.assertEqual(Client().property("ActiveFlows"), 0)
        self.assertEqual(property_of("ActiveState"), "active")
        self.assertTrue(eventually(lambda: property_of("StatusText") == "no flows, no renderers"), property_of("StatusText"))
        Client().start("pets", "one")
        self.assertTrue(eventually(lambda: property_of("StatusText") == "1 flow, no renderers"), property_of("StatusText"))

    def test_fifty_first_calls_at_once_start_one_daemon_and_are_all_answered(self):
        calls = [
            subprocess.Popen(
                ["busctl", "--user", "call", NAME, ROOT, f"{NAME}.Manager", "StartFlow", "sa{sv}a{sv}", "pets", "0", "1", "token", "s",
                 f"call_{number}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            for number in range(50)]
        answers = [call.communicate(timeout=60)[0] for call in calls]
        self.assertEqual([answer for call, answer in zip(calls, answers) if call.returncode != 0], [])
        self.assertEqual(len(set(answers)), 50)
        self.assertEqual(Client().active(), sorted(f"call_{number}" for number in range(50)))
        self.assertEqual(property_of("NRestarts"), "0")

    def test_a_stop_while_clients_call_loses_no_call(self):
        with Load() as load:
            for _ in range(3):
                # A call that needs the next daemon may cancel the stop job.
                systemctl("stop", UNIT, check=False)
                load.reaches(3)
        self.assert_nothing_failed(load)


class RestartTests(ServiceTestCase):
    def test_a_daemon_that_hangs_is_replaced_and_nothing_is_lost(self):
        self.drop_in("WatchdogSec=1")
        client = Client()
        path = client.start("pets", "kept")
        revision = client.send(path, "schedule-visit", request="once")
        before = process()
        os.kill(before, signal.SIGSTOP)
        self.assertTrue(eventually(lambda: process() not in (0, before)), property_of("Result"))
        self.assertEqual(client.active(), ["kept"])
        self.assertEqual(client.send(path, "schedule-visit", request="once"), revision)
        self.assertEqual(property_of("NRestarts"), "1")

    def test_a_busy_daemon_keeps_its_watchdog(self):
        self.drop_in("WatchdogSec=1")
        with Load() as load:
            before = process()
            load.reaches(5)
            self.assertFalse(eventually(lambda: process() != before, 2.5))
        self.assert_nothing_failed(load)

    def test_an_upgrade_under_running_flows_loses_no_call(self):
        program = pathlib.Path("/usr/local/bin/coordinatord")
        real = program.with_name("coordinatord.real")
        client = Client()
        path = client.start("pets", "kept")
        client.send(path, "schedule-visit")
        with Load() as load:
            # As dpkg does: the new file takes the name of the old one, which keeps running.
            shutil.copy(program, real)
            self.addCleanup(lambda: real.exists() and real.rename(program))
            new = program.with_name("coordinatord.new")
            new.write_text(f"#!/bin/bash\ntouch {STATE}/upgraded\nexec -a coordinatord {real} \"$@\"\n")
            new.chmod(0o755)
            new.rename(program)
            load.reaches(2)
            self.assertFalse((STATE / "upgraded").exists())
            systemctl("restart", UNIT)
            load.reaches(5)
            self.assertTrue((STATE / "upgraded").exists())
        self.assert_nothing_failed(load)
        self.assertEqual(client.active(), ["kept"])
        self.assertEqual(client.outcome(path), "active")

    def test_a_wrong_configuration_is_no_reason_to_try_again_and_a_call_waits_for_the_right_one(self):
        self.configure("[Daemon]", "NoSuchKey=1")
        client, answers = Client(), []
        start_later(client, "patient", answers)
        self.assertTrue(eventually(lambda: property_of("ActiveState") == "failed"), property_of("ActiveState"))
        self.assertEqual((property_of("ExecMainStatus"), property_of("NRestarts")), ("78", "0"))
        self.configure("[Daemon]", "IdleExit=off")
        systemctl("start", UNIT)
        self.assertTrue(eventually(lambda: answered(answers, 1)))
        self.assertEqual(client.active(), ["patient"], answers)


class ReloadTests(ServiceTestCase):
    def can_attach(self, client, path):
        try:
            client.call(f"{path}/router", f"{NAME}.Router", "Attach", "(a{sv})", {"kind": GLib.Variant("s", "test")})
        except GLib.Error as error:
            self.assertIn("LimitsExceeded", error.message)
            return False
        client.call(f"{path}/router", f"{NAME}.Router", "Detach")
        return True

    def test_a_reload_while_clients_call_changes_settings_and_loses_no_call(self):
        client = Client()
        path = client.start("pets", "kept")
        self.assertTrue(self.can_attach(client, path))
        with Load() as load:
            before = process()
            for limit in (0, 10, 0):
                self.configure("[Limits]", f"MaxRenderers={limit}")
                systemctl("reload", UNIT)
                self.assertTrue(eventually(lambda: self.can_attach(client, path) == (limit > 0)), limit)
                self.assertTrue(eventually(lambda: property_of("ActiveState") == "active"), property_of("ActiveState"))
                load.reaches(2)
            self.assertEqual(process(), before)
        self.assert_nothing_failed(load)

    def test_a_reload_of_a_wrong_configuration_changes_nothing(self):
        client = Client()
        path = client.start("pets", "kept")
        before = process()
        self.configure("[Limits]", "MaxRenderers=0", "NoSuchKey=1")
        systemctl("reload", UNIT)
        self.assertFalse(eventually(lambda: not self.can_attach(client, path), 0.5))
        self.assertEqual((process(), property_of("ActiveState")), (before, "active"))

    def test_the_unit_ends_idle_daemons_unless_the_user_says_otherwise(self):
        self.assertIn("IdleExit=10min", self.settings())
        self.configure("[Daemon]", "IdleExit=off")
        self.assertIn("IdleExit=off", self.settings())

    def settings(self):
        variables = dict(line.split("=", 1) for line in property_of("Environment").split())
        return run("/usr/local/bin/coordinatord", "--check-config", env=dict(os.environ, **variables)).stdout


class IdleTests(ServiceTestCase):
    def setUp(self):
        super().setUp()
        self.configure("[Daemon]", "IdleExit=1s")

    def test_the_daemon_ends_without_flows_and_the_next_call_brings_everything_back(self):
        client = Client()
        path = client.start("pets", "kept")
        client.send(path, "schedule-visit", request="once")
        first = process()
        self.assertFalse(eventually(lambda: process() != first, 2), "it ended although a flow lives")
        client.dismiss(path)
        self.assertTrue(eventually(lambda: property_of("ActiveState") == "inactive"), property_of("ActiveState"))
        self.assertEqual((property_of("Result"), property_of("NRestarts")), ("success", "0"))
        self.assertEqual(client.outcome(path), "cancelled")
        self.assertEqual(client.start("pets", "kept"), path)
        self.assertEqual(client.active(), [])
        self.assertNotIn(process(), (0, first))

    def test_calls_that_arrive_while_it_ends_are_answered(self):
        self.drop_in("TimeoutStopSec=1")
        clients = [Client() for _ in range(20)]
        bus = int(property_of("MainPID", "dbus.service"))
        for turn in range(2):
            calls = [(client, f"late_{turn}_{number}") for number, client in enumerate(clients)]
            answers = []
            path = clients[0].start("pets", f"turn_{turn}")
            clients[0].dismiss(path)
            # While the bus is stopped, half of the calls are queued before the daemon's request to release its name, and half
            # after it.
            os.kill(bus, signal.SIGSTOP)
            try:
                for client, token in calls[:10]:
                    start_later(client, token, answers)
                self.assertTrue(eventually(lambda: property_of("ActiveState") == "deactivating"))
                for client, token in calls[10:]:
                    start_later(client, token, answers)
            finally:
                os.kill(bus, signal.SIGCONT)
            self.assertTrue(eventually(lambda: answered(answers, len(calls)), 30), answers)
            self.assertEqual([answer for answer in answers if not answer.startswith("/")], [])
            # The daemon runs until the flows have ended, longer than its time limit for a normal stop.
            before = process()
            self.assertFalse(eventually(lambda: process() != before, 1.5))
            self.assertEqual(clients[0].active(), sorted(token for _, token in calls))
            for answer in answers:
                clients[0].dismiss(answer)
            self.assertTrue(eventually(lambda: clients[0].owner() is None))

    def test_clients_that_call_again_just_when_it_ends_never_see_that(self):
        client = Client()
        for turn in range(6):
            path = client.start("pets", f"again_{turn}")
            client.dismiss(path)
            self.assertTrue(eventually(lambda: client.owner() is None))
        self.assertEqual(client.active(), [])


class SandboxTests(ServiceTestCase):
    UNITS = ["coordinatord.service", "coordinator-web.service", "coordinatord-state.service"]

    def test_units_are_valid(self):
        for unit in self.UNITS:
            run("systemd-analyze", "--user", "verify", property_of("FragmentPath", unit))

    def test_the_daemon_sees_and_writes_no_more_than_it_needs(self):
        (HOME / "secret").write_text("secret")
        tries = {
            "read a file of the user": f"cat {HOME}/secret",
            "write into the user's home": f"touch {HOME}/here",
            "write its configuration": f"touch {CONFIGURATION}/here",
            "write beside its state": f"touch {STATE.parent}/here",
            "see the user's runtime directory": "ls $XDG_RUNTIME_DIR/systemd/private",
            "see a disk": "ls /dev/vda /dev/sda /dev/nvme0n1 | grep .",
            "use the network": "python3 -c 'import socket; socket.socket()'",
            "make a namespace": "unshare --user true",
            "change a setting of the kernel": "test -w /proc/sys/kernel/hostname",
            "execute what it has written": "python3 -c 'import mmap; mmap.mmap(-1, 4096, prot=7)'",
            "trace": "python3 -c 'import ctypes, sys; sys.exit(ctypes.CDLL(None).ptrace(0, 0, 0, 0))'",
        }
        tests = "; ".join(f'if ({command}) >/dev/null 2>&1; then echo "can {what}"; fi' for what, command in tries.items())
        self.try_inside(f"({tests}; touch {STATE}/fine && busctl --user status {NAME} >/dev/null && echo done) >{STATE}/found 2>&1")
        self.assertEqual((STATE / "found").read_text(), "done\n")

    def test_a_daemon_that_a_user_has_installed_at_home_starts_as_well(self):
        prefix = HOME / ".local"
        self.addCleanup(lambda: run("rm", "-rf", prefix / "bin", prefix / "share/coordinatord"))
        for place in ("bin/coordinatord", "bin/coordinatorctl", "share/coordinatord/xdg"):
            (prefix / place).parent.mkdir(parents=True, exist_ok=True)
            run("cp", "-r", f"/usr/local/{place}", prefix / place)
        unit = pathlib.Path(property_of("FragmentPath")).read_text().replace("/usr/local/", f"{prefix}/")
        (RUNTIME / "systemd/user").mkdir(parents=True, exist_ok=True)
        (RUNTIME / "systemd/user" / UNIT).write_text(unit)
        systemctl("daemon-reload")
        self.assertEqual(Client().property("ActiveFlows"), 0)
        self.assertIn(str(prefix), property_of("ExecStart"))

    def try_inside(self, script):
        """Runs a script in the environment of the daemon."""
        Client().property("ActiveFlows")
        left_out = ("Type", "ExecStart", "BusName", "Restart", "WatchdogSec")
        text = pathlib.Path(property_of("FragmentPath")).read_text()
        lines = [line for line in text.splitlines() if line.split("=")[0] not in left_out]
        lines.insert(lines.index("[Service]") + 1, "Type=oneshot\nExecStart=/bin/sh /usr/local/lib/probe.sh")
        pathlib.Path("/usr/local/lib/probe.sh").write_text(script)
        (RUNTIME / "systemd/user").mkdir(parents=True, exist_ok=True)
        (RUNTIME / "systemd/user/probe.service").write_text("\n".join(lines) + "\n")
        systemctl("daemon-reload")
        systemctl("start", "probe.service")


class WebTests(ServiceTestCase):
    def test_the_first_connection_starts_the_server_on_the_socket_that_it_is_given(self):
        unit = "coordinator-web.service"
        output = LOG / "web.log"
        self.addCleanup(systemctl, "stop", "coordinator-web.socket", unit)
        self.drop_in(f"StandardOutput=append:{output}", unit=unit)
        systemctl("start", "coordinator-web.socket")
        self.assertEqual(property_of("ActiveState", unit), "inactive")
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen("http://127.0.0.1:7411/", timeout=20)
        self.assertIn(refused.exception.code, (403, 404))
        self.assertEqual(property_of("ActiveState", unit), "active")
        entry = output.read_text().split()[0]
        self.assertTrue(entry.startswith("http://127.0.0.1:7411/"), entry)
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        browser.open(entry, timeout=20).close()
        self.assertIn("Animal clinic", browser.open(entry.split("?")[0], timeout=20).read().decode())
        # The socket stays when the server ends, and starts the next one.
        systemctl("stop", unit)
        with self.assertRaises(urllib.error.HTTPError):
            urllib.request.urlopen("http://127.0.0.1:7411/", timeout=20)


class PlainBusTests(unittest.TestCase):
    """A bus without systemd, which starts the daemon itself."""

    def setUp(self):
        self.state = HOME / "plain"
        environment = dict(os.environ, XDG_STATE_HOME=str(self.state), XDG_DATA_HOME=str(self.state))
        services = self.state / "dbus-1/services"
        services.mkdir(parents=True)
        installed = pathlib.Path(f"/usr/local/share/dbus-1/services/{NAME}.service").read_text()
        (services / f"{NAME}.service").write_text(installed.replace("/coordinatord\n", "/coordinatord --idle-exit 1\n"))
        self.bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nosyslog", "--print-address=1"], env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.address = self.bus.stdout.readline().strip()
        self.addCleanup(self.end)

    def end(self):
        self.bus.terminate()
        self.bus.wait(10)
        self.bus.stdout.close()
        shutil.rmtree(self.state, ignore_errors=True)

    def daemon(self, client):
        return client.call(
            "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID", "(s)", NAME, name="org.freedesktop.DBus")[0]

    def test_the_bus_starts_the_daemon_and_it_ends_and_comes_back(self):
        client = Client(self.address)
        path = client.start("pets", "kept")
        first = self.daemon(client)
        client.dismiss(path)
        self.assertTrue(eventually(lambda: client.owner() is None))
        self.assertEqual(client.outcome(path), "cancelled")
        self.assertNotEqual(self.daemon(client), first)

    def test_a_daemon_that_is_ended_while_clients_call_is_replaced_without_a_call_being_lost(self):
        client = Client(self.address)
        path = client.start("pets", "kept")
        with Load(address=self.address) as load:
            for _ in range(3):
                os.kill(self.daemon(client), signal.SIGTERM)
                load.reaches(3)
        self.assertEqual(load.failures, [])
        self.assertEqual(client.active(), ["kept"])
        self.assertEqual(client.outcome(path), "active")


if __name__ == "__main__":
    unittest.main(verbosity=2)
