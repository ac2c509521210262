"""Starts a flow with lifetime caller and runs until it is killed: `caller.py FLOW`, `caller.py --run FLOW`."""
import sys

from dasbus.connection import SessionMessageBus
from gi.repository import GLib

bus = SessionMessageBus()
manager = bus.get_proxy("org.coordinatord.Coordinator1", "/org/coordinatord/Coordinator1")
loop = GLib.MainLoop()
if sys.argv[1] == "--run":
    manager.RunFlow(sys.argv[2], {}, {"token": GLib.Variant("s", "run")}, callback=lambda call: print("ended"))
    print("calling", flush=True)
else:
    path, _ = manager.StartFlow(sys.argv[1], {}, {"lifetime": GLib.Variant("s", "caller")})
    print(path, flush=True)
loop.run()
