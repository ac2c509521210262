"""Timeouts of flows across boots of the machine, with the clocks that the daemon reads: boot_trial.py
DIRECTORY-WITH-THE-PROGRAMS

Namespaces give the daemon another time since boot, and another boot ID. The wall clock is never set: it shows the present
time, like a clock that was set back by the machine's apparent uptime.
"""

import pathlib
import subprocess
import sys
import tempfile
import time
import uuid

from clock_trial import Daemon, elapsed, in_session

MINUTE = 60
HOUR = 60 * MINUTE
PATIENCE = 60
NAMESPACES = ["unshare", "--user", "--map-current-user", "--keep-caps", "--mount", "--time"]
SET_BOOT = 'mount --bind "$1" /proc/sys/kernel/random/boot_id && shift && exec "$@"'


class Boot:
    """A boot of the machine, as a daemon sees it."""

    def __init__(self, directory: str) -> None:
        self.id = pathlib.Path(directory) / str(uuid.uuid4())
        self.id.write_text(f"{self.id.name}\n")

    def after(self, seconds: float) -> list[str]:
        """Returns the beginning of a command that uses this time since boot."""
        offset = round(seconds - elapsed())
        return [*NAMESPACES, f"--boottime={offset}", "--", "sh", "-c", SET_BOOT, "sh", str(self.id)]


class Trial:
    """A flow with a timeout, and the daemons that serve it one after the other."""

    def __init__(self, programs: str, directory: str, boot: Boot, timeout: int) -> None:
        self.daemon = Daemon(programs, f"{directory}/state", boot.after(MINUTE))
        self.daemon.control("start", "pets", "--token", "kept", "--timeout", f"{timeout}s")

    def go_on(self, boot: Boot, seconds: float) -> None:
        self.daemon.stop()
        self.daemon.machine = boot.after(seconds)
        self.daemon.start()

    def expect_life(self) -> None:
        assert self.daemon.lives(), "the flow has ended too early"

    def expect_end(self) -> None:
        end = time.monotonic() + PATIENCE
        while self.daemon.lives():
            assert time.monotonic() < end, "the flow lives on, although its time is up"
            time.sleep(0.1)


def same_start(programs: str, directory: str) -> None:
    """The time since the start of the machine counts, although the wall clock stands still."""
    boot = Boot(directory)
    trial = Trial(programs, directory, boot, HOUR)
    trial.go_on(boot, MINUTE + 50 * MINUTE)
    trial.expect_life()
    trial.go_on(boot, MINUTE + HOUR)
    trial.expect_end()
    trial.daemon.stop()


def wall_clock(programs: str, directory: str) -> None:
    """The wall clock does not count, although it advances."""
    boot = Boot(directory)
    trial = Trial(programs, directory, boot, 2)
    trial.daemon.stop()
    time.sleep(3)
    trial.go_on(boot, 1)
    trial.expect_life()
    trial.go_on(boot, MINUTE + 2)
    trial.expect_end()
    trial.daemon.stop()


def several_starts(programs: str, directory: str) -> None:
    """All starts of the machine count together, although the clock shows the same time after each."""
    boots = [Boot(directory) for _ in range(3)]
    trial = Trial(programs, directory, boots[0], HOUR)
    trial.go_on(boots[0], MINUTE + 20 * MINUTE)
    trial.go_on(boots[1], 1)
    trial.go_on(boots[1], 20 * MINUTE)
    trial.go_on(boots[2], 1)
    trial.expect_life()
    trial.go_on(boots[2], 15 * MINUTE)
    trial.expect_life()
    trial.go_on(boots[2], 21 * MINUTE)
    trial.expect_end()
    trial.daemon.stop()


def reason_to_skip() -> str:
    with tempfile.TemporaryDirectory() as directory:
        done = subprocess.run([*Boot(directory).after(1), "true"], stderr=subprocess.PIPE, text=True)
    return f"this machine allows no such namespaces: {done.stderr.strip()}" if done.returncode != 0 else ""


if __name__ == "__main__":
    if reason := reason_to_skip():
        print(f"boots: SKIPPED: {reason}.")
    else:
        in_session(__file__)
        for play in (same_start, wall_clock, several_starts):
            with tempfile.TemporaryDirectory() as directory:
                play(sys.argv[1], directory)
            print(f"boots: {play.__doc__}")
