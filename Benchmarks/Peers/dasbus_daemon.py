"""The flow `turn` of bench-daemon, as one would write it in Python on dasbus.

    dasbus_daemon.py ADDRESS NAME
"""
import sys

from dasbus.connection import AddressedMessageBus
from dasbus.error import DBusError, ErrorMapper, get_error_decorator
from dasbus.loop import EventLoop
from dasbus.server.interface import accepts_additional_arguments, dbus_interface, dbus_signal, returns_multiple_arguments
from dasbus.typing import Bool, Dict, List, ObjPath, Str, Structure, Tuple, UInt32, UInt64, Variant, get_variant

ROOT = "/org/coordinatord/Coordinator1"
INTERFACE = "org.coordinatord.Coordinator1"

errors = ErrorMapper()
dbus_error = get_error_decorator(errors)


@dbus_error("UnknownFlow", namespace=INTERFACE.split(".") + ["Error"])
class UnknownFlow(DBusError):
    pass


@dbus_error("StaleScreen", namespace=INTERFACE.split(".") + ["Error"])
class StaleScreen(DBusError):
    pass


@dbus_error("UnknownEvent", namespace=INTERFACE.split(".") + ["Error"])
class UnknownEvent(DBusError):
    pass


@dbus_error("InvalidPayload", namespace=INTERFACE.split(".") + ["Error"])
class InvalidPayload(DBusError):
    pass


@dbus_interface(f"{INTERFACE}.Router")
class Router:
    """The content of a flow tree."""

    def __init__(self, screen: Structure):
        self._renderers = set()
        self._revision = 1
        self._top = 1
        self._screen = self._numbered(screen)

    def _numbered(self, screen: Structure) -> Structure:
        return {"id": get_variant(UInt64, self._top), **screen}

    def check(self, screen: int) -> None:
        if screen != self._top:
            raise StaleScreen("gone")

    def replace(self, screen: Structure, event: str, client: str) -> int:
        gone = self._top
        self._revision += 1
        self._top += 1
        self._screen = self._numbered(screen)
        if len(self._renderers) > 1:
            self.Answered.emit(self._revision, gone, event, "", client)
        self.Dismissed.emit(self._revision, gone, "replaced", True)
        self.Presented.emit(self._revision, self._screen, True)
        self.Settled.emit(self._revision, self._top)
        return self._revision

    @accepts_additional_arguments
    @returns_multiple_arguments
    def Attach(self, capabilities: Structure, *, call_info) -> Tuple[UInt64, List[Structure]]:
        self._renderers.add(call_info["sender"])
        return self._revision, [self._screen]

    @dbus_signal
    def Answered(self, revision: UInt64, screen: UInt64, event: Str, kind: Str, client: Str):
        pass

    @dbus_signal
    def Dismissed(self, revision: UInt64, screen: UInt64, reason: Str, animated: Bool):
        pass

    @dbus_signal
    def Presented(self, revision: UInt64, screen: Structure, animated: Bool):
        pass

    @dbus_signal
    def Settled(self, revision: UInt64, top: UInt64):
        pass


@dbus_interface(f"{INTERFACE}.Coordinator")
class Turn:
    """A leaf of paper: each event takes a screen down and puts another up."""

    def __init__(self, path: str):
        self.path = path
        self.is_first = True
        self.router = Router(self.draw())

    @accepts_additional_arguments
    def Delegate(self, screen: UInt64, event: Str, payload: Structure, options: Structure, *, call_info) -> UInt64:
        self.router.check(screen)
        if event != "turn":
            raise UnknownEvent("unknown event")
        if payload:
            raise InvalidPayload("unknown key")
        self.is_first = not self.is_first
        return self.router.replace(self.draw(), event, call_info["sender"])

    def draw(self) -> Structure:
        return {
            "name": get_variant(Str, "first-side" if self.is_first else "other-side"),
            "coordinator": get_variant(ObjPath, self.path),
            "style": get_variant(Str, "push"),
            "layer": get_variant(UInt32, 0),
            "kind": get_variant(Str, "message"),
            "title": get_variant(Str, "The first side" if self.is_first else "The other side"),
            "body": get_variant(Str, "A leaf of paper has two sides. Turn it over to see what is on the other one."),
            "actions": get_variant(
                List[Dict[Str, Variant]],
                [self.action("turn", "Turn over", "primary"), self.action("leave", "Leave", "cancel")]),
            "back": get_variant(Bool, True),
        }

    @staticmethod
    def action(name: str, title: str, role: str) -> Structure:
        return {"id": get_variant(Str, name), "title": get_variant(Str, title), "role": get_variant(Str, role)}


@dbus_interface(f"{INTERFACE}.Manager")
class Manager:
    """Starts flows."""

    def __init__(self, bus: AddressedMessageBus):
        self._bus = bus
        self._count = 0

    @returns_multiple_arguments
    def StartFlow(self, flow: Str, input: Structure, options: Structure) -> Tuple[ObjPath, ObjPath]:
        if flow != "turn":
            raise UnknownFlow("no such flow")
        self._count += 1
        coordinator = Turn(f"{ROOT}/flows/turn_{self._count}")
        self._bus.publish_object(coordinator.path, coordinator)
        self._bus.publish_object(f"{coordinator.path}/router", coordinator.router)
        return coordinator.path, f"{coordinator.path}/router"


def main(address: str, name: str) -> None:
    bus = AddressedMessageBus(address, error_mapper=errors)
    bus.publish_object(ROOT, Manager(bus))
    bus.register_service(name)
    EventLoop().run()


main(*sys.argv[1:])
