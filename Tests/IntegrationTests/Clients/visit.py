"""Drives a daemon with dasbus and prints its replies, one JSON value per line.

Starts pets, schedules a visit, leaves it with Back, schedules another one to its end, dismisses the flow, and reads
all outcomes.
"""
import json

from dasbus.connection import SessionMessageBus
from dasbus.error import DBusError, ErrorMapper, get_error_decorator
from dasbus.typing import get_native

errors = ErrorMapper()
error = get_error_decorator(errors)


@error("org.coordinatord.Coordinator1.Error.StaleScreen")
class StaleScreen(DBusError):
    """The screen existed, but can no longer be acted on."""


NAME = "org.coordinatord.Coordinator1"
bus = SessionMessageBus(error_mapper=errors)
manager = bus.get_proxy(NAME, "/org/coordinatord/Coordinator1")


def say(value):
    print(json.dumps(get_native(value), sort_keys=True), flush=True)


def names(router):
    return [screen["name"] for screen in get_native(router.Screens)]


path, router_path = manager.StartFlow("pets", {}, {})
say([path, router_path])
pets = bus.get_proxy(NAME, path)
router = bus.get_proxy(NAME, router_path)
say(names(router))

say(pets.Delegate(1, "schedule-visit", {}, {}))
say([names(router), get_native(pets.Children)])
try:
    pets.Delegate(1, "schedule-visit", {}, {})
except StaleScreen:
    # GLib drops the message of an error that has further arguments.
    say("StaleScreen")
say(router.Back(2, {}))
say([names(router), manager.GetOutcome(path + "/schedule_visit_1")[0]])

pets.Delegate(1, "schedule-visit", {}, {})
visit = bus.get_proxy(NAME, path + "/schedule_visit_2")
visit.Delegate(3, "sick", {}, {})
visit.Delegate(4, "severe", {}, {})
visit.Delegate(5, "okay", {}, {})
say(get_native(manager.GetOutcome(path + "/schedule_visit_2")))
say(get_native(router.Screens)[0]["messages"][0]["code"])

say(pets.Dismiss(True, {}))
say(get_native(manager.GetOutcome(path)))
say(manager.ActiveFlows)
