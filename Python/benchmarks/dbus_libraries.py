"""Compares D-Bus libraries: COUNT calls at once, in both directions, between two processes on a private bus.

Each call has the signature of Decide and carries a state of 8 KiB; the server replies later, from another thread or
task. `dbus_libraries.py all` runs every library that can be imported, as client and as server of the same library.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import subprocess
import sys
import threading
import time
from typing import Any

NAME, PATH, INTERFACE = "com.example.Load", "/com/example/Load", "com.example.Load1"
SIGNATURE, STATE, DELAY = "ssta{sv}", "x" * 8192, 0.02


def jeepney_server() -> None:
    from jeepney import DBusAddress, MessageType, new_method_return
    from jeepney.bus_messages import message_bus
    from jeepney.io.blocking import open_dbus_connection

    connection = open_dbus_connection("SESSION")
    connection.send_and_get_reply(message_bus.RequestName(NAME))
    lock = threading.Lock()

    def reply(message: Any) -> None:
        with lock:
            connection.send(new_method_return(message, "a{sv}", ({"state": ("s", message.body[3]["state"][1])},)))

    DBusAddress(PATH)
    while True:
        message = connection.receive()
        if message.header.message_type is MessageType.method_call:
            threading.Timer(DELAY, reply, (message,)).start()


def jeepney_client(count: int) -> int:
    from jeepney import DBusAddress, MessageType, new_method_call
    from jeepney.io.blocking import open_dbus_connection

    connection = open_dbus_connection("SESSION")
    address = DBusAddress(PATH, NAME, INTERFACE)

    def send() -> None:
        for turn in range(count):
            body = ("flow", "instance", turn, {"state": ("s", STATE)})
            connection.send(new_method_call(address, "Decide", SIGNATURE, body), serial=turn + 100)

    sender = threading.Thread(target=send)
    sender.start()
    good = done = 0
    while done < count:
        message = connection.receive(timeout=20)
        if message.header.message_type in (MessageType.method_return, MessageType.error):
            done += 1
            good += message.header.message_type is MessageType.method_return and message.body[0]["state"][1] == STATE
    return good


def sdbus_server() -> None:
    import sdbus

    sdbus.set_default_bus(sdbus.sd_bus_open_user())

    class Load(sdbus.DbusInterfaceCommonAsync, interface_name=INTERFACE):  # type: ignore[misc,call-arg]
        @sdbus.dbus_method_async(SIGNATURE, "a{sv}", method_name="Decide")
        async def decide(self, flow: str, instance: str, turn: int, state: dict[str, Any]) -> dict[str, Any]:
            await asyncio.sleep(DELAY)
            return {"state": ("s", state["state"][1])}

    async def run() -> None:
        load = Load()
        load.export_to_dbus(PATH)
        await sdbus.request_default_bus_name_async(NAME)
        await asyncio.sleep(600)

    asyncio.run(run())


def sdbus_client(count: int) -> int:
    import sdbus

    sdbus.set_default_bus(sdbus.sd_bus_open_user())

    class Load(sdbus.DbusInterfaceCommonAsync, interface_name=INTERFACE):  # type: ignore[misc,call-arg]
        @sdbus.dbus_method_async(SIGNATURE, "a{sv}", method_name="Decide")
        async def decide(self, flow: str, instance: str, turn: int, state: dict[str, Any]) -> dict[str, Any]:
            raise NotImplementedError

    async def run() -> int:
        load = Load.new_proxy(NAME, PATH)
        calls = (load.decide("flow", "instance", turn, {"state": ("s", STATE)}) for turn in range(count))
        replies = await asyncio.gather(*calls, return_exceptions=True)
        return sum(isinstance(reply, dict) and reply["state"][1] == STATE for reply in replies)

    return asyncio.run(run())


def dbus_fast_server() -> None:
    from dbus_fast import Message, MessageType
    from dbus_fast import Variant as V
    from dbus_fast.aio import MessageBus

    async def run() -> None:
        bus = await MessageBus().connect()

        def handle(message: Any) -> bool:
            if message.message_type is MessageType.METHOD_CALL and message.interface == INTERFACE:
                state = message.body[3]["state"].value
                reply = Message.new_method_return(message, "a{sv}", [{"state": V("s", state)}])
                asyncio.get_running_loop().call_later(DELAY, bus.send, reply)
                return True
            return False

        bus.add_message_handler(handle)
        await bus.request_name(NAME)
        await bus.wait_for_disconnect()

    asyncio.run(run())


def dbus_fast_client(count: int) -> int:
    from dbus_fast import Message, MessageType
    from dbus_fast import Variant as V
    from dbus_fast.aio import MessageBus

    async def run() -> int:
        bus = await MessageBus().connect()

        def call(turn: int) -> Any:
            body = ["flow", "instance", turn, {"state": V("s", STATE)}]
            return bus.call(Message(NAME, PATH, INTERFACE, "Decide", signature=SIGNATURE, body=body))

        replies = await asyncio.gather(*(call(turn) for turn in range(count)), return_exceptions=True)
        return sum(isinstance(reply, Message) and reply.message_type is MessageType.METHOD_RETURN for reply in replies)

    return asyncio.run(run())


XML = f"""<node><interface name="{INTERFACE}"><method name="Decide"><arg type="s" direction="in"/>
<arg type="s" direction="in"/><arg type="t" direction="in"/><arg type="a{{sv}}" direction="in"/>
<arg type="a{{sv}}" direction="out"/></method></interface></node>"""


def gio_server() -> None:
    from gi.repository import Gio, GLib

    def handle(_c: Any, _s: Any, _p: Any, _i: Any, _m: Any, parameters: Any, invocation: Any) -> None:
        state = parameters.unpack()[3]["state"]
        answer = GLib.Variant("(a{sv})", ({"state": GLib.Variant("s", state)},))
        GLib.timeout_add(int(DELAY * 1000), lambda: bool(invocation.return_value(answer)))

    connection = Gio.bus_get_sync(Gio.BusType.SESSION)
    connection.register_object(PATH, Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0], handle, None, None)
    Gio.bus_own_name_on_connection(connection, NAME, 0, None, None)
    GLib.MainLoop().run()


def gio_client(count: int) -> int:
    from gi.repository import Gio, GLib

    connection, loop = Gio.bus_get_sync(Gio.BusType.SESSION), GLib.MainLoop()
    replies: list[bool] = []

    def done(source: Any, result: Any) -> None:
        try:
            replies.append(source.call_finish(result).unpack()[0]["state"] == STATE)
        except GLib.Error:
            replies.append(False)
        if len(replies) == count:
            loop.quit()

    for turn in range(count):
        body = GLib.Variant("(ssta{sv})", ("flow", "instance", turn, {"state": GLib.Variant("s", STATE)}))
        connection.call(NAME, PATH, INTERFACE, "Decide", body, None, 0, 20_000, None, done)
    loop.run()
    return sum(replies)


LIBRARIES = {"jeepney": "jeepney", "sdbus": "sdbus", "dbus_fast": "dbus_fast", "gio": "gi"}


def main() -> None:
    what, count = sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 500
    if what == "server":
        globals()[sys.argv[2] + "_server"]()
    elif what == "client":
        start = time.monotonic()
        good = globals()[sys.argv[2] + "_client"](count)
        print(f"{good} of {count} answered, {time.monotonic() - start:.2f} s", flush=True)
    else:
        daemon = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert daemon.stdout
        environment = {**os.environ, "DBUS_SESSION_BUS_ADDRESS": daemon.stdout.readline().strip()}
        for library, module in LIBRARIES.items():
            if importlib.util.find_spec(module) is None:
                continue
            server = subprocess.Popen([sys.executable, __file__, "server", library], env=environment)
            time.sleep(1)
            for size in (1, 500, 500, 2000):
                command = [sys.executable, __file__, "client", library, str(size)]
                try:
                    got = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
                    last = (got.stderr.strip().splitlines() or [""])[-1]
                    print(
                        f"{library}: {got.stdout.strip()}{' ' + last if last else ''}; server alive: {server.poll() is None}"
                    )
                except subprocess.TimeoutExpired:
                    print(f"{library}: {size} calls: no end after 60 s; server alive: {server.poll() is None}")
            server.kill()
        daemon.kill()


if __name__ == "__main__":
    main()
