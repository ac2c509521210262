"""The world of the trials of scripts: a bus, a daemon, coordinator-scripts, and a client that is a renderer.

Needs dbus-daemon and python3-gi. The binaries are in .build/debug, or in the directory in COORDINATORD_BINARIES.
TRIAL_PATIENCE is the maximum time of any operation in seconds; 60 by default.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from gi.repository import Gio, GLib

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path(os.environ.get("COORDINATORD_BINARIES", ROOT / ".build/debug")).resolve()
PATIENCE = float(os.environ.get("TRIAL_PATIENCE", "60"))
NAME = "org.coordinatord.Coordinator1"
PATH = "/org/coordinatord/Coordinator1"


class Refused(Exception):
    """The error for a call that the daemon has refused."""

    def __init__(self, name, text):
        super().__init__(f"{name}: {text}")
        self.name = name.rpartition(".")[2]


def variant(value):
    """Returns a value as a variant of the bus."""
    if isinstance(value, bool):
        return GLib.Variant("b", value)
    if isinstance(value, str):
        return GLib.Variant("s", value)
    if isinstance(value, list):
        return GLib.Variant("av", [variant(one) for one in value])
    return GLib.Variant("x", value)


class World:
    """A separate bus with a daemon, and an engine once there are scripts. The end of the context ends all of them."""

    def __init__(self, *daemon, evict="patiently"):
        self.daemon_command = [str(BINARIES / (daemon or ("coordinatord",))[0]), *daemon[1:]]
        self.evict = evict
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="scripts-"))
        self.flows, self.fakes, self.log = self.home / "flows", self.home / "fakes", self.home / "log"
        for directory in (self.flows, self.fakes, self.home / "run", self.home / "state"):
            directory.mkdir(mode=0o700)
        self.log.touch()
        self.processes = []
        self.daemon = self.engine = self.bus = None
        self.names = set()

    def __enter__(self):
        bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.processes.append(bus)
        self.address = bus.stdout.readline().strip()
        bus.stdout.close()
        # The Python that runs this program executes scripts in Python.
        path = f"{self.fakes}:{BINARIES}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
        self.environment = os.environ | {
            "PATH": path, "FAKES": str(self.fakes), "NOTES": str(self.home / "notes"), "PYTHONPATH": str(ROOT / "Python/src"),
            "LC_ALL": "C.UTF-8", "DBUS_SESSION_BUS_ADDRESS": self.address, "XDG_RUNTIME_DIR": str(self.home / "run"),
            "XDG_STATE_HOME": str(self.home / "state"), "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_CONFIG_DIRS": str(self.home / "config"), "XDG_DATA_HOME": str(self.home / "data"), "HOME": str(self.home),
            # Otherwise, Swift inspects a process for a minute before a signal ends it.
            "SWIFT_BACKTRACE": "enable=no",
        }
        flags = Gio.DBusConnectionFlags
        self.bus = Gio.DBusConnection.new_for_address_sync(
            self.address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)
        self.bus.set_exit_on_close(False)
        self.start_daemon()
        return self

    def __exit__(self, *_):
        if self.bus:
            self.bus.close_sync(None)
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(PATIENCE)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    # Programs.

    def start(self, *command, **options):
        with self.log.open("a") as log:
            process = subprocess.Popen(
                [str(word) for word in command], env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **options)
        self.processes.append(process)
        return process

    def start_daemon(self):
        self.daemon = self.start(*self.daemon_command)
        self.until(lambda: self.owns(NAME, self.daemon), "the daemon")

    def owns(self, name, process):
        assert process.poll() is None, f"{process.args} has ended\n{self.written()}"
        try:
            number = self.call_bus("GetConnectionUnixProcessID", name)
        except Refused:
            return False
        return number == process.pid

    def call_bus(self, method, name):
        return self.call_of("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, GLib.Variant("(s)", (name,)))[0]

    def restart_daemon(self):
        """Kills the daemon like kill -9, and starts another one."""
        self.kill(self.daemon)
        self.start_daemon()
        if self.engine:
            self.until_served()

    def kill(self, process, number=signal.SIGKILL):
        process.send_signal(number)
        process.wait(PATIENCE)

    def start_engine(self, *names):
        """Starts the engine, and waits until it serves all scripts, or the flows with these names."""
        self.engine = self.start(BINARIES / "coordinator-scripts", "--flows", self.flows, "--evict", self.evict)
        self.names = set(names) or {path.stem.replace("_", "-") for path in self.flows.iterdir()}
        self.until_served()

    def until_served(self):
        names = self.names

        def is_served():
            served = [set(one["flows"]) for one in self.manager("ListProviders") if one["state"] == "running"]
            return names <= set().union(*served)

        self.until(is_served, f"the flows {names}")

    def write(self, name, text, place=None):
        """Writes a script. Writes it elsewhere first, because an incomplete file could be executed."""
        new = self.home / "new"
        new.write_text(text)
        new.chmod(0o755)
        new.rename((place or self.flows) / name)

    # Events so far.

    def written(self):
        """Returns the output of all programs."""
        return self.log.read_text(errors="replace")[-20_000:]

    @property
    def notes(self):
        """The lines that scripts have written into $NOTES."""
        path = self.home / "notes"
        return path.read_text().splitlines() if path.exists() else []

    def until(self, condition, what, patience=PATIENCE):
        end = time.monotonic() + patience
        while not (value := condition()):
            if time.monotonic() > end:
                raise AssertionError(f"waited for {what() if callable(what) else what}\n{self.written()}")
            time.sleep(0.004)
        return value

    # Calls.

    def call_of(self, name, path, interface, method, body):
        try:
            return self.bus.call_sync(name, path, interface, method, body, None, Gio.DBusCallFlags.NONE, int(PATIENCE * 1000), None).unpack()
        except GLib.Error as error:
            remote = Gio.DBusError.get_remote_error(error)
            Gio.DBusError.strip_remote_error(error)
            raise Refused(remote or "none", error.message) from None

    def manager(self, method, signature="()", *values):
        found = self.call_of(NAME, PATH, f"{NAME}.Manager", method, GLib.Variant(signature, values))
        return found[0] if len(found) == 1 else found

    def flow(self, name, **values):
        """Starts a flow."""
        given = {key: variant(value) for key, value in values.items()}
        return Flow(self, self.manager("StartFlow", "(sa{sv}a{sv})", name, given, {})[0])


class Flow:
    """A flow tree."""

    def __init__(self, world, path):
        self.world, self.path = world, path
        self.screens = []

    def look(self):
        """Reads the window. Returns False if the flow has ended."""
        try:
            body = GLib.Variant("(a{sv})", ({"kind": GLib.Variant("s", "trial")},))
            _, self.screens = self.world.call_of(NAME, f"{self.path}/router", f"{NAME}.Router", "Attach", body)
        except Refused as refused:
            if refused.name not in ("UnknownObject", "UnknownMethod"):
                raise
            self.screens = []
            return False
        return True

    @property
    def top(self):
        return self.screens[-1] if self.screens else None

    @property
    def outcome(self):
        """Returns how it has ended, and its result."""
        return self.world.manager("GetOutcome", "(o)", self.path)

    def settle(self, patience=PATIENCE):
        """Waits until a screen can be answered, or the flow has ended. Returns the screen on top, or None."""
        def is_settled():
            return not self.look() or (self.top is not None and "progress" not in self.top)

        self.world.until(is_settled, lambda: f"an open question of {self.path} instead of {self.screens[-1:]}", patience)
        return self.top

    def shows(self, name, patience=PATIENCE):
        """Waits until a screen that can be answered is on top, or, without a name, for the end."""
        def is_shown():
            screen = self.settle(patience)
            return screen is None if name is None else screen is not None and screen["name"] == name

        self.world.until(is_shown, lambda: f"{name} instead of {self.screens[-1:]}", patience)
        return self.top

    def send(self, event, **payload):
        """Answers the screen on top."""
        values = {key: variant(value) for key, value in payload.items()}
        body = GLib.Variant("(tsa{sv}a{sv})", (self.top["id"], event, values, {}))
        self.world.call_of(NAME, self.top["coordinator"], f"{NAME}.Coordinator", "Delegate", body)

    def back(self):
        body = GLib.Variant("(ta{sv})", (self.top["id"], {}))
        self.world.call_of(NAME, f"{self.path}/router", f"{NAME}.Router", "Back", body)

    def dismiss(self):
        self.world.call_of(NAME, self.path, f"{NAME}.Coordinator", "Dismiss", GLib.Variant("(ba{sv})", (False, {})))
