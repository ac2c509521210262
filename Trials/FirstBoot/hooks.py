"""What the services in the tests do besides their work: they note it, refuse it, or kill the daemon in the middle of it.

The directory in FIRST_BOOT_NOTES has the files: `done`, a line for each change; `refused`, the names of the changes that are
refused; `kill`, the name of a change and `before` or `after`: there the programs of which `daemon` has the process IDs are killed
with all that they have started, as systemd does.
"""

import os
import pathlib
import signal

NOTES = pathlib.Path(os.environ["FIRST_BOOT_NOTES"])


def may(name):
    """A change begins. Returns whether it may."""
    _perhaps_kill(name, "before")
    return name not in _read("refused")


def changed(name, *values):
    """A change is made, and nobody has been told."""
    with (NOTES / "done").open("a") as done:
        done.write(" ".join([name, *map(str, values)]) + "\n")
    _perhaps_kill(name, "after")


def _perhaps_kill(name, moment):
    if _read("kill") == [name, moment]:
        (NOTES / "kill").unlink()
        for process in _read("daemon"):
            os.killpg(int(process), signal.SIGKILL)


def _read(file):
    try:
        return (NOTES / file).read_text().split()
    except FileNotFoundError:
        return []
