"""A lookalike of a row, a choice or an event is not accepted as one, and reaches no script as one."""

import contextlib
import types

from answers_file import File, Recording
from browser import Browser
from gi.repository import GLib
from play import Answer, Question
from terminal import Pipe
from texts import SEED, TWINS
from ways import Bus, Tool, packed
from world import BINARIES, NAME, Refused


class LookalikeTests:
    """Part of TextTests: lookalikes."""

    def test_rows_that_look_alike_are_different_rows(self):
        """Of two rows that a comparison of characters treats as equal, the chosen one arrives, and no other."""
        rows = [one for pair in TWINS for one in pair]
        for way in (Bus, Tool, Browser, Pipe, File, Recording):
            with contextlib.closing(way(self, self.source)) as way:
                for chosen in (0, 1):
                    row, several = self.source.choice(TWINS)[chosen], [pair[chosen] for pair in TWINS]
                    questions = [
                        Question("rows", [Answer("l", "texts", rows, rows)]), Question("row", rows=rows, chosen=[row]),
                        Question("several", rows=rows, chosen=several, several=True), Question("after", events=["go"], event="go")]
                    play = types.SimpleNamespace(
                        id=f"twins-{type(way).__name__}-{chosen}", flow="twins-sh", input={}, questions=questions, result={}, pin=None,
                        expected={"row": row, "several": "\n".join(several)})
                    with self.subTest(way=type(way).__name__, row=row, seed=SEED):
                        way.play(play)
                        self.check(play)

    def test_what_looks_like_a_choice_is_none(self):
        values = [
            *({"name": "ab", "c": choice} for choice in ("a\u037eb", "\u212a", "K\ufe0f", "k", "One")),
            *({"name": name, "c": "K"} for name in (
                "ab\n", "ab\n; touch ran", "\nab", "a\u0301", "ab\r", "ab\u2028x", "\u212a", "-x", "ab\x85x"))]
        with contextlib.closing(Browser(self, self.source)) as browser:
            for payload in values:
                with self.subTest(payload):
                    flow = self.world.flow("strict-sh", id="strict")
                    flow.shows("strict")
                    with self.assertRaisesRegex(Refused, "InvalidPayload"):
                        self.delegate(flow, "submit", payload)
                    page, path = browser.page_of(flow)
                    controls = browser.controls(page, f'method="post" action="{path}"')
                    button = next(values for tag, values in controls if values.get("value") == "submit")
                    fields = [(button["name"], "submit"), *((f"field.{key}", value) for key, value in payload.items())]
                    browser.request("POST", path, browser.encoded(browser.hidden(controls) + fields))
                    flow.shows("strict")
                    self.assertEqual(self.noted("strict"), [])
                    for event in ("submit\ufe0f", "Submit", f"submit; touch {self.ran}"):
                        with self.assertRaisesRegex(Refused, "UnknownEvent"):
                            self.delegate(flow, event, {"name": "ab", "c": "K"})
                    flow.dismiss()

    def test_a_literal_answer_is_not_the_number_of_a_choice(self):
        """After "=", a line is a literal answer, even if it is the number of another choice."""
        for line, draft in (("=1", {}), ("", {"c": "1"})):
            with self.subTest(line=line, draft=draft):
                flow = self.world.flow("digits-sh", id="digits")
                flow.shows("digits")
                # A choice in another renderer that was not sent is accepted with an empty line.
                body = GLib.Variant("(ta{sv}a{sv})", (flow.top["id"], {key: packed(value) for key, value in draft.items()}, {}))
                self.world.call_of(NAME, f"{flow.path}/router", f"{NAME}.Router", "SaveDraft", body)
                self.executed([BINARIES / "coordinator-tui", "--linear", flow.path.rpartition("/")[2]], f"{line}\n")
                flow.shows(None)
                self.assertEqual(flow.outcome, ("finished", {"c": "1"}))
