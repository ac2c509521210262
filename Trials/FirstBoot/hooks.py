"""Additional actions of the services in the tests: they record their work, refuse it, or kill the daemon in the middle
of it.

The directory in FIRST_BOOT_NOTES contains the files: `done`, a line for each change; `refused`, the names of the
changes to refuse; `kill`, the name of a change and `before` or `after`: at this point, the programs whose process IDs
are in `daemon` are killed together with their child processes, as systemd does.
"""

import os
import pathlib
import signal

NOTES = pathlib.Path(os.environ["FIRST_BOOT_NOTES"])


def may(name):
    """Begins a change. Returns whether it is allowed."""
    _perhaps_kill(name, "before")
    return name not in _read("refused")


def changed(name, *values):
    """Records a change that is made, before any client is notified."""
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
