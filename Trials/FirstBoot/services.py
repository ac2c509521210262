"""localed, timedated and hostnamed for python3-dbusmock: each stores values that methods change."""

import pathlib

HERE = pathlib.Path(__file__).resolve().parent

# The service, its properties, and its methods: name, types, the property, and the part of the arguments that it is set to.
SERVICES = {
    "locale1": (
        {"Locale": ("as", ["LANG=C.UTF-8"]), "X11Layout": ("s", "us")},
        [("SetLocale", "asb", "Locale"), ("SetX11Keyboard", "ssssbb", "X11Layout")]),
    "timedate1": ({"Timezone": ("s", "Etc/UTC")}, [("SetTimezone", "sb", "Timezone")]),
    "hostname1": ({"StaticHostname": ("s", "localhost")}, [("SetStaticHostname", "sb", "StaticHostname")]),
}

CODE = """
sys.path.insert(0, {here!r})
import hooks
value = args[0] if isinstance(args[0], str) else args[0][0]
if not hooks.may({method!r}):
    raise dbus.exceptions.DBusException("The service is broken.", name="org.freedesktop.DBus.Error.Failed")
self.UpdateProperties({interface!r}, {{{property!r}: args[0]}})
hooks.changed({method!r}, value)
"""


def command(service):
    """Returns the command that starts the mock of a service."""
    name = f"org.freedesktop.{service}"
    return ["/usr/bin/python3", "-m", "dbusmock", "--system", name, "/" + name.replace(".", "/"), name]


def code(service, method, key):
    return CODE.format(here=str(HERE), method=method, interface=f"org.freedesktop.{service}", property=key)
