"""A NetworkManager for python3-dbusmock that accepts profiles unchanged, and records them; the rest is that of
dbusmock.

There is a wired network, an open wireless one, and one with the passphrase open-sesame.
"""

import pathlib
import sys

import dbus
import dbusmock
from dbusmock.templates import networkmanager
from dbusmock.templates.networkmanager import *  # noqa: F403 -- a template is a module with the methods of another one

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import hooks  # noqa: E402

BUS_NAME, MAIN_OBJ = networkmanager.BUS_NAME, networkmanager.MAIN_OBJ
SYSTEM_BUS, IS_OBJECT_MANAGER = True, True
DEVICES = "/org/freedesktop/NetworkManager/Devices/"


def plain(settings):
    """Returns the addresses of a profile."""
    return [f"{entry['address']}/{entry['prefix']}" for entry in settings.get("address-data", [])] or ["automatic"]


def add_and_activate_connection(self, settings, device, point):
    name = str(settings["connection"]["id"])
    if not hooks.may("join"):
        raise dbus.exceptions.DBusException("The networks are broken.", name="org.freedesktop.NetworkManager.Failed")
    # NetworkManager completes a profile from the device.
    settings["connection"].setdefault("type", "802-11-wireless")
    profile = dbusmock.get_object(networkmanager.SETTINGS_OBJ).SettingsAddConnection(settings)
    key = settings.get("802-11-wireless-security", {}).get("psk")
    state = 4 if name == "Home" and key != "open-sesame" else 2
    number = len(dbusmock.get_object(networkmanager.MANAGER_OBJ).Get(networkmanager.MANAGER_IFACE, "ActiveConnections"))
    active = networkmanager.AddActiveConnection(self, [device], profile, point, str(number), dbus.UInt32(state))
    hooks.changed("join", name, *plain(settings["ipv4"]))
    return (dbus.ObjectPath(profile), dbus.ObjectPath(active))


def load(mock, parameters):
    networkmanager.load(mock, parameters)
    mock.AddEthernetDevice("cable", "eth0", 30)
    mock.AddWiFiDevice("radio", "wlan0", 30)
    for name, strength, security in (("Home", 80, 0x100), ("Guests", 40, 0)):
        mock.AddAccessPoint(DEVICES + "radio", name, name, "00:23:F8:7E:12:BB", 2, 2425, 5400, strength, security)
    dbusmock.get_object(DEVICES + "cable").Set("org.freedesktop.NetworkManager.Device.Wired", "Carrier", True)
    dbusmock.get_object(networkmanager.MANAGER_OBJ).add_and_activate_connection = add_and_activate_connection
