import pytest

from coordinator import UnknownEvent
from coordinator.testing import play
from schedule_visit import Visit


def test_a_check_up_needs_no_appointment() -> None:
    flow = play(Visit).answer("select-visit-type", "well")
    assert flow.names == ["select-visit-type", "no-appointment-required"]
    assert flow.answer("okay").result == {"visit": "well"}


def test_faking_with_back_and_restart() -> None:
    flow = play(Visit).answer("select-visit-type", "sick").answer("select-pain-level", "little").back()
    assert flow.screen.name == "select-pain-level"
    assert flow.screen.events == ["none", "little", "moderate", "severe", "worst-possible"]
    flow.answer("little").restart().answer("is-fake")
    assert flow.result == {"visit": "sick", "pain": "little", "faked": True}


def test_back_leaves_no_trace() -> None:
    flow = play(Visit).answer("sick").answer("severe")
    assert flow.screen.name == "no-appointment-required"
    flow.back().back().answer("well").answer()
    assert flow.result == {"visit": "well"}


def test_back_on_the_first_screen_cancels() -> None:
    outcome = play(Visit).back().outcome
    assert outcome is not None and outcome.end == "cancelled"


def test_an_event_that_is_not_offered() -> None:
    flow = play(Visit)
    with pytest.raises(UnknownEvent):
        flow.answer("healthy")
    assert flow.names == ["select-visit-type"]
