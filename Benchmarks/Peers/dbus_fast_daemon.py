"""The flow `turn` of bench-daemon, as one would write it in Python on dbus-fast.

    dbus_fast_daemon.py ADDRESS NAME
"""
import asyncio
import socket
import sys

from dbus_fast import DBusError, Message, NameFlag, RequestNameReply, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_method, dbus_signal

ROOT = "/org/coordinatord/Coordinator1"
INTERFACE = "org.coordinatord.Coordinator1"
ERROR = f"{INTERFACE}.Error"


class Caller:
    """The caller of the current call, which the library does not pass to its methods."""

    name = ""

    def note(self, message: Message) -> None:
        self.name = message.sender


class Router(ServiceInterface):
    """The content of a flow tree."""

    def __init__(self, caller: Caller, screen: dict):
        super().__init__(f"{INTERFACE}.Router")
        self.caller = caller
        self.renderers = set()
        self.revision = 1
        self.top = 1
        self.screen = self.numbered(screen)

    def numbered(self, screen: dict) -> dict:
        return {"id": Variant("t", self.top), **screen}

    def check(self, screen: int) -> None:
        if screen != self.top:
            raise DBusError(f"{ERROR}.StaleScreen", "gone")

    def replace(self, screen: dict, event: str) -> int:
        gone = self.top
        self.revision += 1
        self.top += 1
        self.screen = self.numbered(screen)
        if len(self.renderers) > 1:
            self.Answered(gone, event, "", self.caller.name)
        self.Dismissed(gone, "replaced", True)
        self.Presented(self.screen, True)
        self.Settled(self.top)
        return self.revision

    @dbus_method()
    def Attach(self, capabilities: "a{sv}") -> "taa{sv}":
        self.renderers.add(self.caller.name)
        return [self.revision, [self.screen]]

    @dbus_signal()
    def Answered(self, screen, event, kind, client) -> "ttsss":
        return [self.revision, screen, event, kind, client]

    @dbus_signal()
    def Dismissed(self, screen, reason, animated) -> "ttsb":
        return [self.revision, screen, reason, animated]

    @dbus_signal()
    def Presented(self, screen, animated) -> "ta{sv}b":
        return [self.revision, screen, animated]

    @dbus_signal()
    def Settled(self, top) -> "tt":
        return [self.revision, top]


class Turn(ServiceInterface):
    """A leaf of paper: each event takes a screen down and puts another up."""

    def __init__(self, path: str, caller: Caller):
        super().__init__(f"{INTERFACE}.Coordinator")
        self.path = path
        self.is_first = True
        self.router = Router(caller, self.draw())

    @dbus_method()
    def Delegate(self, screen: "t", event: "s", payload: "a{sv}", options: "a{sv}") -> "t":
        self.router.check(screen)
        if event != "turn":
            raise DBusError(f"{ERROR}.UnknownEvent", "unknown event")
        if payload:
            raise DBusError(f"{ERROR}.InvalidPayload", "unknown key")
        self.is_first = not self.is_first
        return self.router.replace(self.draw(), event)

    def draw(self) -> dict:
        return {
            "name": Variant("s", "first-side" if self.is_first else "other-side"),
            "coordinator": Variant("o", self.path),
            "style": Variant("s", "push"),
            "layer": Variant("u", 0),
            "kind": Variant("s", "message"),
            "title": Variant("s", "The first side" if self.is_first else "The other side"),
            "body": Variant("s", "A leaf of paper has two sides. Turn it over to see what is on the other one."),
            "actions": Variant("aa{sv}", [self.action("turn", "Turn over", "primary"), self.action("leave", "Leave", "cancel")]),
            "back": Variant("b", True),
        }

    @staticmethod
    def action(name: str, title: str, role: str) -> dict:
        return {"id": Variant("s", name), "title": Variant("s", title), "role": Variant("s", role)}


class Manager(ServiceInterface):
    """Starts flows."""

    def __init__(self, bus: MessageBus):
        super().__init__(f"{INTERFACE}.Manager")
        self.bus = bus
        self.count = 0
        self.caller = Caller()
        bus.add_message_handler(self.caller.note)

    @dbus_method()
    def StartFlow(self, flow: "s", input: "a{sv}", options: "a{sv}") -> "oo":
        if flow != "turn":
            raise DBusError(f"{ERROR}.UnknownFlow", "no such flow")
        self.count += 1
        coordinator = Turn(f"{ROOT}/flows/turn_{self.count}", self.caller)
        self.bus.export(coordinator.path, coordinator)
        self.bus.export(f"{coordinator.path}/router", coordinator.router)
        return [coordinator.path, f"{coordinator.path}/router"]


async def main(address: str, name: str) -> None:
    bus = await MessageBus(bus_address=address).connect()
    # The library treats a full socket as broken, and hangs up. This buffer is large enough for 64 calls at once.
    bus._sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 212992)
    bus.export(ROOT, Manager(bus))
    if await bus.request_name(name, NameFlag.DO_NOT_QUEUE) != RequestNameReply.PRIMARY_OWNER:
        sys.exit("the name is taken")
    await bus.wait_for_disconnect()


asyncio.run(main(*sys.argv[1:]))
