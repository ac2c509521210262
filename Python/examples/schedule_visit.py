#!/usr/bin/env python3
"""Finds out the purpose of a visit at the clinic: the flow schedule-visit, which is built in, in Python."""

import enum
from dataclasses import dataclass
from typing import Annotated

from coordinator import As, Coordinator, Event, Screen, menu, message, primary


class Choice(enum.Enum):
    """An enum whose cases have a value and a title."""

    title: str

    def __new__(cls, value: str, title: str) -> "Choice":
        """Creates a case."""
        case = object.__new__(cls)
        case._value_, case.title = value, title
        return case


class Purpose(Choice):
    WELL = "well", "A check-up"
    SICK = "sick", "My pet is sick"


class Pain(Choice):
    NONE = "none", "Not at all"
    LITTLE = "little", "A little"
    MODERATE = "moderate", "Moderately"
    SEVERE = "severe", "Severely"
    WORST_POSSIBLE = "worst-possible", "As much as can be"

    @property
    def may_be_faked(self) -> bool:
        """Whether to ask if the pet is only faking it."""
        return self in (Pain.NONE, Pain.LITTLE)


class Honesty(Choice):
    FAKE = "is-fake", "Yes, it is faking"
    REAL = "not-fake", "No, it is real"


@dataclass
class VisitState:
    visit: Purpose | None = None
    pain: Pain | None = None


@dataclass
class VisitResult:
    visit: Annotated[Purpose, As("What the visit is for")]
    pain: Annotated[Pain | None, As("How much it hurts")] = None
    faked: Annotated[bool | None, As("Whether the pet is faking it")] = None


class Visit(
    Coordinator, flow="python-visit", title="Schedule a visit", version=2, rehearsable=True, result=VisitResult,
    summary="Asks what a visit is for, and whether it is needed at all.",
):  # fmt: skip
    state: VisitState

    def start(self) -> None:
        self.present("visit-type")

    def screen(self, key: str) -> Screen:
        match key:
            case "visit-type":
                return menu("select-visit-type", "What is the visit for?", Purpose)
            case "pain-level":
                return menu("select-pain-level", "How much does it hurt?", Pain)
            case "faking-it":
                return menu("faking-it", "Is your pet faking it?", Honesty)
            case _:
                return message(
                    "no-appointment-required", "No appointment required", "Come by whenever it suits you.",
                    actions=[primary("okay", "Okay")],
                )  # fmt: skip

    def receive(self, event: Event, key: str) -> None:
        match key:
            case "visit-type":
                # A new state forgets what was answered before the user went back to this screen.
                self.state = VisitState(event.choice(Purpose))
                self.present("pain-level" if self.state.visit is Purpose.SICK else "no-appointment")
            case "pain-level":
                self.state.pain = event.choice(Pain)
                self.present("faking-it" if self.state.pain.may_be_faked else "no-appointment")
            case "faking-it":
                if event.choice(Honesty) is Honesty.FAKE:
                    self.finish(VisitResult(Purpose.SICK, self.state.pain, faked=True))
                else:
                    self.present("no-appointment")
            case _:
                assert self.state.visit
                self.finish(VisitResult(self.state.visit, self.state.pain))

    def migrate(self, from_version: int) -> None:
        """Version 1 kept the answers as this one does."""


if __name__ == "__main__":
    from coordinator import serve

    serve(Visit, bus_name="com.example.Vet")
