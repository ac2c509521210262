"""The names of daemons. One bus may have several daemons."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from coordinator.errors import FlowError

VARIABLE = "COORDINATORD_NAME"
_PREFIX = "org.coordinatord."
_STANDARD = _PREFIX + "Coordinator1"
_BUS_NAME = re.compile(r"[A-Za-z_-][A-Za-z0-9_-]*(\.[A-Za-z_-][A-Za-z0-9_-]*)+\Z")
# Names below the prefix that are not daemons.
_TAKEN = {_PREFIX + "Scripts", _PREFIX + "coordinatord", "org.freedesktop.DBus"}


@dataclass(frozen=True)
class DaemonName:
    """The place of a daemon on the bus. The interfaces do not depend on its name."""

    bus_name: str
    path: str

    @classmethod
    def of(cls, text: str | None = None) -> DaemonName:
        """Reads a name.

        `kiosk` stands for `org.coordinatord.kiosk`, `coordinatord` for the daemon that ships, and a name with dots
        for itself. Without `text`, reads the environment variable COORDINATORD_NAME; if it is not set, returns
        coordinatord.
        """
        text = os.environ.get(VARIABLE) or "coordinatord" if text is None else text
        name = _STANDARD if text == "coordinatord" else text if "." in text else _PREFIX + text
        if not _BUS_NAME.match(name) or len(name) > 255 or name in _TAKEN:
            raise FlowError(f"'{text}' is not the name of a daemon, such as kiosk or org.example.Kiosk")
        return cls(name, "/" + name.replace(".", "/").replace("-", "_"))
