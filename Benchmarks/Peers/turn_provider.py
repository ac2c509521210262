"""Serves the flow of the benchmarks from a separate process, with the Python package `coordinator`."""

from dataclasses import dataclass

from coordinator import Coordinator, Event, Screen, message, primary, serve
from coordinator.screens import cancel_action


@dataclass
class TurnState:
    turns: int = 0


class Turn(Coordinator, flow="turn", title="Turn", summary="A leaf of paper."):
    """A minimal flow: each event replaces one screen with another."""

    state: TurnState

    def start(self) -> None:
        self.present("first")

    def screen(self, key: str) -> Screen:
        side = "first" if key == "first" else "other"
        return message(
            f"{side}-side", f"The {side} side", "A leaf of paper has two sides. Turn it over to see what is on the other one.",
            actions=[primary("turn", "Turn over"), cancel_action("leave", "Leave")],
        )  # fmt: skip

    def receive(self, event: Event, key: str) -> None:
        if event.name != "turn":
            self.cancel()
            return
        self.state.turns += 1
        self.replace("other" if key == "first" else "first")


if __name__ == "__main__":
    serve(Turn, bus_name="org.coordinatord.BenchProvider")
