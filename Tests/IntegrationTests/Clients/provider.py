"""Serves flows of one question, whose answer is the result: provider.py NAME [IDLE-SECONDS].

If a time is given, exits that long after its last question.
"""
import os
import sys

from dasbus.connection import AddressedMessageBus
from dasbus.server.interface import dbus_interface
from dasbus.typing import Bool, Dict, List, ObjPath, Str, UInt32, UInt64, Variant  # noqa: F401
from gi.repository import GLib

address = os.environ.get("DBUS_STARTER_ADDRESS") or os.environ["DBUS_SESSION_BUS_ADDRESS"]
idle = float(sys.argv[2]) if len(sys.argv) > 2 else None
loop = GLib.MainLoop()
timer = None


def rest():
    global timer
    if timer is not None:
        GLib.source_remove(timer)
    timer = GLib.timeout_add(int(idle * 1000), loop.quit) if idle else None


@dbus_interface("org.coordinatord.FlowProvider1")
class Provider:
    def Decide(
        self, flow: Str, instance: Str, turn: UInt64, state: Str, event: Dict[Str, Variant], context: Dict[Str, Variant]
    ) -> Dict[Str, Variant]:
        rest()
        if event["kind"].get_string() == "start":
            action = {"id": Variant("s", "large"), "title": Variant("s", "Large"), "role": Variant("s", "primary")}
            screen = {
                "kind": Variant("s", "menu"), "name": Variant("s", "size"), "title": Variant("s", "How large?"),
                "body": Variant("s", ""), "actions": Variant("aa{sv}", [action]),
            }
            return {
                "state": Variant("s", "asked"),
                "do": Variant("aa{sv}", [{"op": Variant("s", "present"), "key": Variant("s", "size")}]),
                "screens": Variant("a{sv}", {"size": Variant("a{sv}", screen)}),
            }
        result = {"size": event["name"]}
        return {
            "state": Variant("s", ""),
            "do": Variant("aa{sv}", [{"op": Variant("s", "finish"), "result": Variant("a{sv}", result)}]),
        }


bus = AddressedMessageBus(address)
bus.publish_object("/org/coordinatord/FlowProvider1", Provider())
bus.register_service(sys.argv[1])
# The output of a program that the bus has started is not read.
if "DBUS_STARTER_ADDRESS" not in os.environ:
    print("serving", flush=True)
loop.run()
