"""The example in Python and the flow that comes with the daemon are the same flow."""

from typing import Any

from conftest import Daemon
from coordinator.testing import play
from schedule_visit import Visit
from test_client import connected

OWN = {"id", "coordinator", "style", "layer", "leaves"}


def test_the_same_walks_show_the_same(daemon: Daemon) -> None:
    """Walks all ways to the end, and Back from each screen."""
    with connected(daemon) as client:
        described = next(flow.data for flow in client.list_flows() if flow.name == "schedule-visit")
        own = Visit.flow.to_json()
        assert {key: own[key] for key in ("title", "summary", "result", "rehearsable")} == {
            key: described[key] for key in ("title", "summary", "result", "rehearsable")
        }
        ways: list[list[str]] = [[]]
        walked = 0
        while ways:
            way = ways.pop()
            walked += 1
            flow = play(Visit)
            with client.start("schedule-visit") as tree:
                for event in way:
                    flow.send(event)
                    revision = tree.delegate(event)
                    if flow.outcome is None:
                        tree.wait(lambda window, to=revision: window.revision >= to)  # type: ignore[misc]
                if flow.outcome is not None:
                    theirs = tree.wait_ended(10)
                    assert (theirs.end, dict(theirs.result)) == (flow.outcome.end, dict(flow.outcome.result))
                    continue
                shown = [screen.data for screen in tree.window.screens]
                assert [without(screen) for screen in shown] == [
                    without(flow._tree.nodes[one.node].screens[one.key]) for one in flow._tree.window
                ]
                ways += [[*way, event] for event in flow.screen.events]
                revision = tree.back()
                flow.back()
                if flow.outcome is not None:
                    assert tree.wait_ended(10).end == flow.outcome.end
                    continue
                window = tree.wait(lambda window, to=revision: window.revision >= to)  # type: ignore[misc]
                assert [screen.name for screen in window.screens] == flow.names
                tree.dismiss()
        assert walked == 18


def without(screen: Any) -> dict[str, Any]:
    """A screen without the keys that only the daemon sets, and without empty lists."""
    return {key: value for key, value in screen.items() if key not in OWN and value != []}
