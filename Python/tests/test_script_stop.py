"""What users do while a script works, reviews, and results of steps that are secrets."""

import asyncio
import threading
import time
from typing import Any

import pytest

from coordinator import UI, Secret, flow
from coordinator.errors import FlowError
from coordinator.scripts.calls import Stopped, raise_error
from coordinator.scripts.work import perform
from coordinator.testing import play
from coordinator.work import Cancelled, WorkContext, current_work


def stopped(function: Any, *arguments: Any, attempts: int = 3) -> dict[str, Any]:
    """Performs work that the user stops as soon as it has begun."""
    begun = threading.Event()
    context = WorkContext("key", 1, lambda _: begun.set())
    result: dict[str, Any] = {}
    worker = threading.Thread(target=lambda: result.update(perform(function, arguments, {}, attempts, context, {})))
    worker.start()
    assert begun.wait(60)
    context.stop()
    worker.join(60)
    return result


def test_stop_cancels_a_coroutine_function_and_is_no_reason_to_try_again() -> None:
    tries = []

    async def wait() -> None:
        tries.append(1)
        current_work().report(0)
        await asyncio.sleep(1000)

    assert stopped(wait)["error"]["type"] == "stopped" and tries == [1]


def test_a_function_is_stopped_when_it_reports_progress_or_sleeps() -> None:
    ui: Any = UI.progress

    def report() -> None:
        while True:
            ui(None, 0.5, "half")
            time.sleep(0.001)

    def sleep() -> None:
        current_work().report(0)
        current_work().sleep(1000)

    for work in (report, sleep):
        assert stopped(work)["error"]["type"] == "stopped"


def test_work_that_ends_in_spite_of_stop_has_its_result() -> None:
    def clean_up() -> str:
        current_work().report(0)
        try:
            current_work().sleep(1000)
        except Cancelled:
            return "half"
        return "whole"

    assert stopped(clean_up) == {"done": "half"}


def test_a_stopped_step_raises_an_error_of_its_own_kind() -> None:
    with pytest.raises(Stopped) as caught:
        raise_error("erase", {"type": "stopped", "message": ""})
    assert isinstance(caught.value, UI.StepFailed) and str(caught.value) == "erase: stopped"


def test_a_step_says_that_it_can_be_stopped() -> None:
    @flow("slow")
    async def slow(ui: UI) -> None:
        await ui.step("wait", lambda: None, stoppable=True, busy="Waiting")
        await ui.look("look", lambda: None, stoppable=True)
        await ui.message("end", "End")

    assert play(slow).screen.name == "end"


def test_the_secret_result_of_a_step_is_for_the_next_one_and_in_no_log() -> None:
    got: list[bytes] = []

    @flow("token")
    async def token(ui: UI) -> None:
        form = await ui.form("login", "Log in", ui.secret("password"))
        made = await ui.step("make", lambda given: f"token of {given.reveal()}", form.password, secret_result=True)
        assert "•" in f"{made}"
        await ui.message("made", "Made")

        def use(secret: Secret) -> None:
            got.append(bytes(secret))

        await ui.step("use", use, made)
        with pytest.raises(ui.SecretSpent):
            await ui.step("late", use, made)
        await ui.message("end", "End")

    one = play(token).answer(password="open-canary")
    assert one.screen.name == "made" and "canary" not in one.log_text
    assert one.answer("okay").screen.name == "end"
    assert got == [b"token of open-canary"]


@pytest.mark.parametrize(("value", "kind"), [(7, "int"), (b"bytes", "bytes"), ("", "str"), (None, "NoneType")])
def test_a_secret_result_is_a_string(value: Any, kind: str) -> None:
    @flow("number")
    async def number(ui: UI) -> None:
        try:
            await ui.step("make", lambda: value, secret_result=True)
        except ui.NoResult as error:
            await ui.message("wrong", "Wrong", error.message)

    assert f"is a string that is not empty, not {kind}" in play(number).screen.body


def test_a_review_shows_the_titles_of_what_was_chosen() -> None:
    @flow("order")
    async def order(ui: UI) -> dict[str, str]:
        await ui.menu("size", "How large?", small="Small", large="Large")
        await ui.form("who", "Who are you?", ui.text("name", "Name"))
        return {"end": await ui.review("check", "Right?", primary={"apply": "Apply"})}

    one = play(order).answer("large").answer(name="Ada")
    rows = [(row["title"], row["value"]) for row in one.screen.review]
    assert rows == [("How large?", "Large"), ("Name", "Ada")]
    assert one.answer("apply").result == {"end": "apply"}


def test_bold_paragraphs_and_links_are_blocks_and_other_addresses_are_refused() -> None:
    @flow("linked")
    async def linked(ui: UI) -> None:
        link = {"Manual": "https://example.org/a=b"}
        await ui.message("text", "Text", strong=["One", "Two"], link=link)

    spans = [block["spans"][0] for block in play(linked).screen.blocks]
    assert [span.get("style") for span in spans] == ["strong", "strong", None]
    assert spans[2] == {"link": "https://example.org/a=b", "text": "Manual"}

    @flow("wrong")
    async def wrong(ui: UI) -> None:
        await ui.message("text", "Text", link="javascript:alert(1)")

    with pytest.raises(FlowError, match="begin with https://"):
        play(wrong)
