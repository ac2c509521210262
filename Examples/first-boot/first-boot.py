#!/usr/bin/env python3
"""The wizard of first-boot-daemon as one script: asks what a new machine needs to know, and sets it up. Needs python3-gi."""
import pwd
import subprocess
import uuid
from contextlib import suppress
from pathlib import Path

from coordinator import current_work, flow, primary, serve
from gi.repository import Gio, GLib

NM, NM_PATH = "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager"


def call(service, path, interface, method, signature="()", *arguments):
    bus, given = Gio.bus_get_sync(Gio.BusType.SYSTEM), GLib.Variant(signature, arguments)
    return bus.call_sync(service, path, interface, method, given, None, Gio.DBusCallFlags.NONE, 60_000, None).unpack()


def read(service, path, interface, key):
    return call(service, path, "org.freedesktop.DBus.Properties", "Get", "(ss)", interface, key)[0]


def keep(name, key, value, method, signature, *more):
    service, path = f"org.freedesktop.{name}", f"/org/freedesktop/{name}"
    if read(service, path, service, key) != value:
        call(service, path, service, method, signature, value, *more, False)


def choices():
    names = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=True).stdout.replace(".utf8", ".UTF-8").split()
    layouts = Path("/usr/share/X11/xkb/rules/base.lst").read_text().split("! layout\n")[1].split("\n\n")[0].splitlines()
    zones = [line.split("\t")[::2] for line in Path("/usr/share/zoneinfo/zone1970.tab").read_text().splitlines() if line[0] != "#"]
    return [sorted({"C.UTF-8", *(name for name in names if "UTF-8" in name)}), [line.split(None, 1) for line in layouts], zones]


def networks():
    found = {}
    with suppress(GLib.Error):  # There may be no NetworkManager, and what it has heard may be gone.
        for radio in [path for path in call(NM, NM_PATH, NM, "GetDevices")[0] if read(NM, path, f"{NM}.Device", "DeviceType") == 2]:
            for point in call(NM, radio, f"{NM}.Device.Wireless", "GetAllAccessPoints")[0]:
                ssid, flags, strength = (read(NM, point, f"{NM}.AccessPoint", key) for key in ("Ssid", "Flags", "Strength"))
                name = bytes(ssid).decode(errors="replace")
                found[name] = max(found.get(name, [0]), [strength, bool(flags & 1), radio, point])
    return {name: way for name, way in found.items() if name not in ("", "again", "skip")}  # Hidden, or like an action.


def join(name, passphrase):
    key, link = str(uuid.uuid5(uuid.NAMESPACE_DNS, name)), f"{NM}.Connection.Active"
    settings = {"connection": {"id": name, "uuid": key}, "802-11-wireless": {"mode": "infrastructure"}, "ipv4": {"method": "auto"}}
    settings |= {"802-11-wireless-security": {"key-mgmt": "wpa-psk", "psk": passphrase.reveal()}} if passphrase else {}
    profile = {part: {name: GLib.Variant("s", value) for name, value in values.items()} for part, values in settings.items()}
    begun = [path for path in read(NM, NM_PATH, NM, "ActiveConnections") if read(NM, path, link, "Uuid") == key]
    active = begun[0] if begun else call(NM, NM_PATH, NM, "AddAndActivateConnection", "(a{sa{sv}}oo)", profile, *networks().get(name, "//")[-2:])[1]
    while (state := read(NM, active, link, "State")) < 2:
        GLib.usleep(250_000)
    if state != 2:
        call(NM, read(NM, active, link, "Connection"), f"{NM}.Settings.Connection", "Delete")
        raise ValueError(f"{name} does not let this machine in.")


def add_user(name, login, password):
    entry = next((one for one in pwd.getpwall() if one.pw_name == login), None)
    if entry and (entry.pw_gecos.split(",")[0] != name or not 1000 <= entry.pw_uid < 60_000):
        raise ValueError(f"{login} is somebody else.")
    if not entry or not Path(entry.pw_dir).exists() and f"\n{login}:!:" in Path("/etc/shadow").read_text():
        subprocess.run(["userdel", "--", login], capture_output=True)  # Half of a user, whom a power cut has left.
        subprocess.run(["useradd", "--create-home", "--shell", "/bin/bash", "--groups", "sudo", "--comment", name, "--", login], check=True)
    if f"\n{login}:!:" in Path("/etc/shadow").read_text():  # As useradd leaves it: no other account gets a password.
        subprocess.run(["chpasswd"], input=login.encode() + b":" + bytes(password) + b"\n", check=True)


def apply(language, keyboard, zone, host, network, name, login, passphrase, password):
    """Reads before each change, so it may be started again. Returns what was applied, and what was not and why."""
    applied, failed = [], {}
    for title, step in {
            "User": lambda: add_user(name, login, password), "Network": lambda: network and join(network, passphrase),
            "Host name": lambda: keep("hostname1", "StaticHostname", host, "SetStaticHostname", "(sb)"),
            "Language": lambda: keep("locale1", "Locale", [f"LANG={language}"], "SetLocale", "(asb)"),
            "Keyboard": lambda: keep("locale1", "X11Layout", keyboard, "SetX11Keyboard", "(ssssbb)", "", "", "", True),
            "Time zone": lambda: keep("timedate1", "Timezone", zone, "SetTimezone", "(sb)")}.items():
        current_work().report(len(applied) / 6, title)
        try:
            step()
            applied.append(title)
        except (GLib.Error, ValueError, OSError, subprocess.CalledProcessError) as error:
            failed[title] = str(error)
    return [applied, failed]


@flow("first-boot", title="Set up this machine", summary="Asks what a new machine needs to know, and sets it up.")
async def first_boot(ui):
    locales, layouts, zones = await ui.look("choices", choices)
    language = await ui.list("language", "Which language?", locales)
    keyboard = await ui.list("keyboard", "Which keyboard?", dict(sorted(layouts, key=lambda one: (one[0] != language[:2], one[1]))))
    nearest = sorted(zones, key=lambda one: (language.partition("_")[2][:2] not in one[0], one[1]))
    zone = await ui.list("time-zone", "Where is this machine?", [name for _, name in nearest])
    host = await ui.form("host-name", "What is this machine called?", ui.host("name"), action=primary("next", "Next"))
    chosen, passphrase = "again", None
    while chosen == "again":
        found = await ui.look("scan", networks, busy="Looking for networks")
        chosen = await ui.list("networks", "Which network?", list(found), action={"again": "Look again", "skip": "Without a network"})
    network = None if chosen == "skip" else chosen
    if network and found[chosen][1]:
        passphrase = (await ui.form("network-details", f"Join {chosen}", ui.secret("passphrase", length=(8, 63)), action=primary("join", "Next"))).passphrase
    user = await ui.form("user", "Who will use this machine?", ui.text("name", "Full name", pattern=r"^[^:,=\u0000-\u001f\u007f]+$"),
        ui.text("login", "Log-in name", pattern="^[a-z][a-z0-9-]*$"),
        ui.secret("password", length=(8, 128), pattern=r"^[^\u0000-\u001f\u007f]*$"), action=primary("next", "Next"))
    answers = [language, keyboard, zone, host.name, network, user.name, user.login]
    await ui.message("review", "Check your answers", f"{', '.join(answers[:4])}, {chosen}, {user.name}", action=primary("apply", "Apply"))
    applied, failed = await ui.step("apply", apply, *answers, passphrase, user.password, busy="Setting up this machine")
    title, *finish = ("Not everything could be applied", "finish-without", "Finish without it") if failed else ("This machine is ready", "finish", "Finish")
    body = "\n".join([*applied, *(f"Not applied: {step}: {reason}" for step, reason in failed.items())])
    if await ui.message("done", title, body, action=primary(*finish), extra={"again": "Answer again"} if failed else {}) == "again":
        ui.again()
    return {"applied": applied, "notApplied": list(failed), "login": user.login}


serve(first_boot)
