"""The world of the tests in a user manager: units, calls on a bus, load."""

import os
import pathlib
import shutil
import subprocess
import threading
import time
import unittest

from gi.repository import Gio, GLib

NAME = "org.coordinatord.Coordinator1"
ROOT = "/org/coordinatord/Coordinator1"
UNIT = "coordinatord.service"
HOME = pathlib.Path.home()
RUNTIME = pathlib.Path(os.environ["XDG_RUNTIME_DIR"])
LOG = pathlib.Path(os.environ["LOG"])
STATE = HOME / ".local/state/coordinatord"
CONFIGURATION = HOME / ".config/coordinatord"


def run(*command, check=True, **options):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True, timeout=60, **options)
    if check and done.returncode != 0:
        raise AssertionError(f"{command} exits with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done


def systemctl(*arguments, check=True):
    return run("systemctl", "--user", *arguments, check=check)


def property_of(name, unit=UNIT):
    return systemctl("show", "--value", "--property", name, unit).stdout.strip()


def process():
    """The daemon's process; 0 if there is none."""
    return int(property_of("MainPID"))


def replace(program):
    """Installs a program again, as dpkg does: the new file replaces the old one, which continues to run."""
    # The name of a program may be a link.
    program = program.resolve()
    new = program.with_name(f"{program.name}.new")
    shutil.copy(program, new)
    new.rename(program)


def eventually(what, limit=15):
    """Waits until a condition holds, and returns its value."""
    end = time.monotonic() + limit
    while True:
        value = what()
        if value or time.monotonic() > end:
            return value
        time.sleep(0.02)


class Client:
    """A separate connection to a bus."""

    def __init__(self, address=None):
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        self.bus = Gio.DBusConnection.new_for_address_sync(
            address or os.environ["DBUS_SESSION_BUS_ADDRESS"], flags, None, None)

    def call(self, path, interface, member, signature="()", *arguments, name=NAME):
        value = GLib.Variant(signature, arguments)
        answer = self.bus.call_sync(name, path, interface, member, value, None, Gio.DBusCallFlags.NONE, 60_000, None)
        return answer.unpack()

    def start(self, flow, token):
        """Starts a flow, or finds the one that was started with the token. Returns the path of its root."""
        return self.call(f"{ROOT}", f"{NAME}.Manager", "StartFlow", "(sa{sv}a{sv})", flow, {}, {"token": GLib.Variant("s", token)})[0]

    def send(self, path, event, request=None):
        """Answers the first screen of a flow, and returns the revision."""
        options = {"request": GLib.Variant("s", request)} if request else {}
        return self.call(path, f"{NAME}.Coordinator", "Delegate", "(tsa{sv}a{sv})", 1, event, {}, options)[0]

    def dismiss(self, path):
        return self.call(path, f"{NAME}.Coordinator", "Dismiss", "(ba{sv})", False, {})[0]

    def active(self):
        """Returns the tokens of the live flows."""
        return sorted(row[2] for row in self.call(ROOT, f"{NAME}.Manager", "ListActive")[0])

    def outcome(self, path):
        return self.call(ROOT, f"{NAME}.Manager", "GetOutcome", "(o)", path)[0]

    def property(self, name):
        return self.call(ROOT, "org.freedesktop.DBus.Properties", "Get", "(ss)", f"{NAME}.Manager", name)[0]

    def owner(self):
        """Returns the unique name of the daemon's owner; None if there is none."""
        try:
            return self.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner", "(s)", NAME, name="org.freedesktop.DBus")[0]
        except GLib.Error:
            return None


def start_later(client, token, answers):
    """Calls without waiting; the path of the root, or the error, is among the answers when they are collected."""
    def finished(bus, result):
        try:
            answers.append(bus.call_finish(result).unpack()[0])
        except GLib.Error as error:
            answers.append(error.message)

    value = GLib.Variant("(sa{sv}a{sv})", ("pets", {}, {"token": GLib.Variant("s", token)}))
    client.bus.call(NAME, ROOT, f"{NAME}.Manager", "StartFlow", value, None, 0, 60_000, None, finished)


def answered(answers, count):
    """Collects answers; returns whether there are that many."""
    context = GLib.MainContext.default()
    while context.iteration(False):
        pass
    return len(answers) == count


class Load:
    """Clients that start flows, answer in them and end them, as fast as they get replies, while the block runs."""

    def __init__(self, clients=4, address=None):
        self.failures, self.done, self.counts = [], threading.Event(), [0] * clients
        self.threads = [threading.Thread(target=self.work, args=(number, address)) for number in range(clients)]

    def work(self, number, address):
        client = Client(address)
        while not self.done.is_set():
            try:
                token = f"load_{number}_{self.counts[number]}"
                path = client.start("pets", token)
                client.send(path, "schedule-visit", request="once")
                client.dismiss(path)
                if client.outcome(path) != "cancelled":
                    self.failures.append(f"{token} is {client.outcome(path)}")
                self.counts[number] += 1
            except GLib.Error as error:
                self.failures.append(f"{token}: {error.message}")
                return

    def reaches(self, more):
        """Waits until each client has made that much progress."""
        goal = [count + more for count in self.counts]
        assert eventually(lambda: self.failures or all(a >= b for a, b in zip(self.counts, goal)), 30), (self.counts, goal)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        self.reaches(1)
        return self

    def __exit__(self, *_):
        self.done.set()
        for thread in self.threads:
            thread.join()


class ServiceTestCase(unittest.TestCase):
    """Each test begins with a stopped daemon, no stored data, and the installed units."""

    def setUp(self):
        self.addCleanup(lambda: self.clear())
        self.clear()

    def clear(self):
        systemctl("stop", UNIT, check=False)
        run("rm", "-rf", RUNTIME / "systemd/user", STATE, CONFIGURATION)
        systemctl("daemon-reload")
        systemctl("reset-failed")

    def drop_in(self, *lines, unit=UNIT, section="Service"):
        """Changes a unit as `systemctl --user edit` does."""
        directory = RUNTIME / f"systemd/user/{unit}.d"
        directory.mkdir(parents=True, exist_ok=True)
        (directory / f"{len(list(directory.iterdir()))}.conf").write_text("\n".join([f"[{section}]", *lines, ""]))
        systemctl("daemon-reload")

    def configure(self, *lines):
        CONFIGURATION.mkdir(parents=True, exist_ok=True)
        (CONFIGURATION / "coordinatord.conf").write_text("\n".join([*lines, ""]))

    def assert_nothing_failed(self, load):
        self.assertEqual(load.failures, [])
