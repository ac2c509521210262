"""A machine for the tests: services on a separate bus, separate files in /etc and /home, and a daemon that sets it up."""

import crypt
import grp
import os
import pathlib
import shutil
import subprocess
import sys

from gi.repository import Gio, GLib

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Browser")]

import services  # noqa: E402
from world import World, eventually  # noqa: E402

PASSWORD, PASSPHRASE = "canary-correct-horse", "open-sesame"
FILES = ("passwd", "shadow", "group", "gshadow", "subuid", "subgid")
#: The contents of the user files before anything is set up.
PRISTINE = {}
CHANGES = ["useradd", "chpasswd", "join", "SetStaticHostname", "SetLocale", "SetX11Keyboard", "SetTimezone"]


def become_private(work):
    """Gives this process a separate /etc and /home. It must be in its own mount namespace."""
    PRISTINE.update({name: pathlib.Path("/etc", name).read_bytes() for name in FILES if pathlib.Path("/etc", name).exists()})
    etc = pathlib.Path(work) / "etc"
    shutil.rmtree(etc, ignore_errors=True)
    shutil.copytree("/etc", etc, symlinks=True, ignore_dangling_symlinks=True)
    subprocess.run(["mount", "--bind", str(etc), "/etc"], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/home"], check=True)


class MachineWorld(World):
    """The world of the web renderer's tests, with a machine, and a daemon that sets it up."""

    def __init__(self, binaries, work, daemon, has_browser=True):
        self.daemon_command, self.services, self.programs, self.bus = daemon, [], [], None
        super().__init__(binaries, work, has_browser)

    # Starting and ending.

    def start_daemon(self):
        if not self.services:
            self.prepare()
        for process in self.programs:
            process.wait(10)
        if self.daemon_command[0].endswith(".py"):
            commands = [(self.binaries / "coordinatord",), (self.binaries / "coordinator-scripts", "--flows", self.flows)]
        else:
            commands = [self.daemon_command]
        self.programs = [self.start_quietly(*command) for command in commands]
        (self.notes / "daemon").write_text(" ".join(str(process.pid) for process in self.programs))
        assert eventually(lambda: "first-boot" in self.control("flows", check=False).stdout), (self.home / "log").read_text()

    def kill_daemon(self):
        for process in self.programs:
            process.kill()

    def start_quietly(self, *command):
        with (self.home / "log").open("a") as log:
            process = subprocess.Popen(
                [str(word) for word in command], env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True)
        self.processes.append(process)
        return process

    def prepare(self):
        self.notes, fakes, credentials = (self.home / name for name in ("notes", "fakes", "credentials"))
        for directory in (self.notes, fakes, credentials):
            directory.mkdir()
        self.flows = self.home / "flows"
        self.flows.mkdir(mode=0o755)
        if self.daemon_command[0].endswith(".py"):
            shutil.copy(self.daemon_command[0], self.flows)
        for name in ("useradd", "chpasswd", "locale"):
            (fakes / name).symlink_to(HERE / "program.py")
        (credentials / "user.password").write_text(PASSWORD)
        (credentials / "network.passphrase").write_text(PASSPHRASE)
        address = self.environment["DBUS_SESSION_BUS_ADDRESS"]
        self.environment |= {
            "DBUS_SYSTEM_BUS_ADDRESS": address, "FIRST_BOOT_NOTES": str(self.notes), "CREDENTIALS_DIRECTORY": str(credentials),
            "PATH": f"{fakes}:{self.binaries}:/usr/bin:{os.environ['PATH']}:/usr/sbin", "SWIFT_BACKTRACE": "enable=no",
            "HOME": str(self.home), "PYTHONPATH": str(HERE.parents[1] / "Python/src"),
        }
        flags = Gio.DBusConnectionFlags
        self.bus = Gio.DBusConnection.new_for_address_sync(
            address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)
        self.bus.set_exit_on_close(False)
        self.start_services()

    def start_services(self):
        for process in self.services:
            process.kill()
            process.wait()
        self.services = [self.start_quietly(*services.command(name)) for name in services.SERVICES]
        self.services.append(self.start_quietly("/usr/bin/python3", "-m", "dbusmock", "--system", "--template", HERE / "networks.py"))
        for name, (properties, methods) in services.SERVICES.items():
            self.define(f"org.freedesktop.{name}", properties, methods)
        assert eventually(lambda: self.has("org.freedesktop.NetworkManager")), "no networks"

    def define(self, name, properties, methods):
        assert eventually(lambda: self.has(name)), f"no {name}"
        values = {key: GLib.Variant(kind, value) for key, (kind, value) in properties.items()}
        self.mock(name, "AddProperties", GLib.Variant("(sa{sv})", (name, values)))
        short = name.rpartition(".")[2]
        added = [(method, kinds, "", services.code(short, method, key)) for method, kinds, key in methods]
        self.mock(name, "AddMethods", GLib.Variant("(sa(ssss))", (name, added)))

    def mock(self, name, method, arguments):
        self.call(name, "/" + name.replace(".", "/"), "org.freedesktop.DBus.Mock", method, arguments)

    def call(self, name, path, interface, method, arguments=None):
        answer = self.bus.call_sync(name, path, interface, method, arguments, None, Gio.DBusCallFlags.NO_AUTO_START, 10_000, None)
        return answer.unpack()

    def has(self, name):
        driver = "org.freedesktop.DBus"
        return self.call(driver, "/org/freedesktop/DBus", driver, "NameHasOwner", GLib.Variant("(s)", (name,)))[0]

    def reset(self):
        """Restores the initial state of the machine. The state of the daemon stays."""
        for name, text in PRISTINE.items():
            pathlib.Path("/etc", name).write_bytes(text)
        shutil.rmtree("/home/ada", ignore_errors=True)
        for name in ("done", "refused", "kill"):
            (self.notes / name).unlink(missing_ok=True)
        self.start_services()

    # Actions and observations of the tests.

    def kill_at(self, change, moment):
        (self.notes / "kill").write_text(f"{change} {moment}")

    def refuse(self, *changes):
        (self.notes / "refused").write_text(" ".join(changes))

    def was_killed(self):
        return self.programs[0].poll() is not None

    @property
    def done(self):
        """Returns the changes, in order."""
        file = self.notes / "done"
        return [line.split()[0] for line in file.read_text().splitlines()] if file.exists() else []

    def value(self, name, key, path=None, interface=None):
        arguments = GLib.Variant("(ss)", (interface or name, key))
        return self.call(name, path or "/" + name.replace(".", "/"), "org.freedesktop.DBus.Properties", "Get", arguments)[0]

    @property
    def state(self):
        """Returns the state of the machine."""
        manager = "org.freedesktop.NetworkManager"
        active = [
            self.value(manager, "Id", path, f"{manager}.Connection.Active")
            for path in self.value(manager, "ActiveConnections")
            if self.value(manager, "State", path, f"{manager}.Connection.Active") == 2]
        user = next((line.split(":") for line in pathlib.Path("/etc/passwd").read_text().splitlines() if line.startswith("ada:")), None)
        hashes = [line.split(":")[1] for line in pathlib.Path("/etc/shadow").read_text().splitlines() if line.startswith("ada:")]
        return {
            "language": self.value("org.freedesktop.locale1", "Locale"), "keyboard": self.value("org.freedesktop.locale1", "X11Layout"),
            "time zone": self.value("org.freedesktop.timedate1", "Timezone"),
            "host name": self.value("org.freedesktop.hostname1", "StaticHostname"), "networks": active,
            "user": user and user[4:], "home": os.path.isdir("/home/ada"), "groups": [one.gr_name for one in grp.getgrall() if "ada" in one.gr_mem],
            "password": [crypt.crypt(PASSWORD, one) == one for one in hashes],
        }

    def has_canary(self):
        """Returns the files of the daemon, the clients and the services that contain the password."""
        kept = [path for path in [*self.home.rglob("*"), *pathlib.Path("/home").rglob("*"), *pathlib.Path("/etc").glob("*")]
                if path.is_file() and "credentials" not in path.parts and "chromium" not in path.parts]
        return [str(path) for path in kept if PASSWORD.encode() in path.read_bytes()]


#: The state of the machine if all answers are applied.
SET_UP = {
    "language": ["LANG=de_DE.UTF-8"], "keyboard": "de", "time zone": "Europe/Berlin", "host name": "kitchen", "networks": ["Home"],
    "user": ["Ada Lovelace", "/home/ada", "/bin/bash"], "home": True, "groups": ["sudo"], "password": [True],
}
