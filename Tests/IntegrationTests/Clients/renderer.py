"""A renderer that attaches to the flow tree with the given router, prints a line, and runs until it is killed."""
import sys

from dasbus.connection import SessionMessageBus
from gi.repository import GLib

bus = SessionMessageBus()
router = bus.get_proxy("org.coordinatord.Coordinator1", sys.argv[1])
router.Attach({"kind": GLib.Variant("s", "test")})
print("attached", flush=True)
GLib.MainLoop().run()
