"""Timeouts of flows while the clock of the machine is really set: clock_trial.py DIRECTORY-WITH-THE-PROGRAMS

It sets the clock of the machine for some seconds, so it does so only with COORDINATORD_MAY_SET_CLOCK=1, and only if the
kernel permits it. Otherwise it prints the reason, and passes. Run it in a virtual machine.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

BUS_NAME = "org.coordinatord.Coordinator1"
HOUR = 3600
YEAR = 365 * 24 * HOUR
# In seconds. Flows may end late on a loaded machine, but never by hours, and never early.
TIMEOUT = 20
PATIENCE = 120


def elapsed() -> float:
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Machine:
    """The wall clock, which is restored at the end."""

    def __init__(self) -> None:
        self.right = time.time() - elapsed()

    def set(self, offset: float) -> None:
        time.clock_settime(time.CLOCK_REALTIME, self.right + elapsed() + offset)


class Daemon:
    def __init__(self, programs: str, state: str, machine: Sequence[str] = ()) -> None:
        self.programs, self.state, self.machine = programs, state, machine
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen([*self.machine, f"{self.programs}/coordinatord", "--state-dir", self.state])
        subprocess.run(["gdbus", "wait", "--session", "--timeout", "60", BUS_NAME], check=True)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()

    def control(self, *arguments: str) -> str:
        command = [f"{self.programs}/coordinatorctl", *arguments]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout

    def lives(self) -> bool:
        return "kept" in self.control("list")


def wait(daemon: Daemon, begun: float) -> None:
    """Waits until the flow has ended, and checks the time of its end."""
    while daemon.lives():
        assert elapsed() - begun < TIMEOUT + PATIENCE, f"the flow lives {elapsed() - begun:.0f} s after it was started"
        time.sleep(0.5)
    assert elapsed() - begun >= TIMEOUT, f"the flow has ended {elapsed() - begun:.1f} s after it was started"


def trial(programs: str) -> None:
    machine = Machine()
    try:
        for offset in (-2 * HOUR, -YEAR, 3 * YEAR):
            for restarts in (False, True):
                with tempfile.TemporaryDirectory() as state:
                    daemon = Daemon(programs, state)
                    try:
                        begun = elapsed()
                        daemon.control("start", "pets", "--token", "kept", "--timeout", f"{TIMEOUT}s")
                        machine.set(offset)
                        if restarts:
                            daemon.stop()
                            daemon.start()
                        wait(daemon, begun)
                    finally:
                        machine.set(0)
                        daemon.stop()
                print(f"clock: set by {offset / HOUR:+.0f} h{', with a restart' if restarts else ''}: ended in time")
    finally:
        machine.set(0)


def reason_to_skip() -> str:
    if os.environ.get("COORDINATORD_MAY_SET_CLOCK") != "1":
        return "it sets the clock of this machine, which COORDINATORD_MAY_SET_CLOCK=1 allows"
    try:
        time.clock_settime(time.CLOCK_REALTIME, time.time())
    except OSError as error:
        return f"the clock of this machine cannot be set: {error.strerror}"
    return ""


def in_session(script: str) -> None:
    """Continues only on a separate bus: otherwise executes the script on one."""
    if os.environ.get("CLOCK_TRIAL") != "1":
        os.environ["CLOCK_TRIAL"] = "1"
        os.execvp("dbus-run-session", ["dbus-run-session", "--", sys.executable, str(pathlib.Path(script)), *sys.argv[1:]])


if __name__ == "__main__":
    if reason := reason_to_skip():
        print(f"clock: SKIPPED: {reason}.")
    else:
        in_session(__file__)
        trial(sys.argv[1])
