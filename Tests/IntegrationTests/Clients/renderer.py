"""A renderer that attaches to the flow tree whose router is named, says so, and stays until it is killed."""
import sys

from dasbus.connection import SessionMessageBus
from gi.repository import GLib

bus = SessionMessageBus()
router = bus.get_proxy("org.coordinatord.Coordinator1", sys.argv[1])
router.Attach({"kind": GLib.Variant("s", "test")})
print("attached", flush=True)
GLib.MainLoop().run()
