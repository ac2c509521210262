"""Text typed before Back is undone unchanged, and shown again."""

import contextlib
import re

from browser import Browser, unescaped
from play import AREAS, LANGUAGES, LINES, SHELLS, Play, Question
from texts import SEED, TWINS, Texts
from ways import Bus
from world import BINARIES, Refused


class BackTests:
    """Part of TextTests: going back, and undo commands."""

    def test_an_undo_command_gets_the_words_that_were_typed(self):
        for language in LANGUAGES:
            texts = Texts(Bus(self, self.source), self.source, [one for one in self.pool if one != "--"])
            words = [texts.take("area")[0] for _ in range(AREAS)]
            words[2:4] = ["--", "'\ufe0f\n" * 5_000]
            with self.subTest(language=language, seed=SEED):
                flow = self.world.flow(f"undo-{language}", id=f"undo-{language}")
                flow.shows("words")
                self.delegate(flow, "submit", {f"w{n}": word for n, word in enumerate(words)})
                flow.shows("after")
                flow.back()
                flow.shows("words")
                self.assertEqual(flow.top["values"], {f"w{n}": word for n, word in enumerate(words)})
                self.delegate(flow, "submit", {f"w{n}": "other" for n in range(AREAS)})
                flow.shows("after")
                flow.send("go")
                flow.shows(None)
                for name, undone in (("one", words[:1]), ("all", words)):
                    given = (self.out / f"undo-{language}.{name}").read_bytes()
                    self.assertEqual(given, b"".join(word.encode() + b"\0" for word in undone))

    def test_a_word_that_would_end_the_words_of_undo_is_refused(self):
        for language in SHELLS:
            for words in (["--"], ["--", f"touch {self.ran}"], ["--", "sh", "-c", f"touch {self.ran}"]):
                flow = self.world.flow(f"undo-{language}", id="no-undo")
                flow.shows("words")
                typed = dict(enumerate(words))
                with self.subTest(language=language, words=words), self.assertRaisesRegex(Refused, "'--' occurs 2 times after --undo"):
                    self.delegate(flow, "submit", {f"w{n}": typed.get(n, "x") for n in range(AREAS)})
                flow.shows("words")
        self.assertEqual(list(self.out.glob("no-undo*")), [])

    def test_a_suggested_row_is_not_the_one_that_looks_alike(self):
        """After Back, an empty line repeats the previous choice, and a page has it checked."""
        rows, several = [one for pair in TWINS for one in pair], [pair[1] for pair in TWINS]
        flow = self.world.flow("twins-sh", id="suggested")
        for name, payload in (("rows", {"l": rows}), ("row", {"id": rows[1]}), ("several", {"ids": several})):
            flow.shows(name)
            self.delegate(flow, "submit" if name == "rows" else "select", payload)
        flow.shows("after")
        flow.back()
        flow.shows("several")
        with self.subTest("browser"), contextlib.closing(Browser(self, self.source)) as browser:
            page, _ = browser.page_of(flow)
            self.assertEqual([unescaped(one) for one in re.findall(r'name="box[^>]* value="([^"]*)" checked', page)], several)
        self.executed([BINARIES / "coordinator-tui", "--linear", flow.path.rpartition("/")[2]], "\n1\n")
        flow.shows(None)
        self.compare("suggested", {"row": rows[1], "several": "\n".join(several)})

    def test_a_page_shows_what_was_typed_after_back(self):
        """The fields of the page contain the sent text, so that sending it again has the same result."""
        with contextlib.closing(Browser(self, self.source)) as browser:
            texts = Texts(browser, self.source, self.pool)
            fields = [Play.text(texts, f"t{n}", "line") for n in range(LINES)] + [Play.text(texts, f"m{n}", "area") for n in range(AREAS)]
            # Characters that HTML has no references for, or drops.
            for number, text in enumerate([
                "\x85", "a\x80b\x9fc", "\x7f\x1b\x01", " \t ", "&#39;&amp;&#x27;", "\u2028", "\ufdd0\uffff", "<\u0338\"\u0338'\u0338"]):
                for field in (fields[number], fields[LINES + number]):
                    field.sent = field.expected = text
            flow = self.world.flow("page-sh", id="page")
            flow.shows("page")
            browser.answer(flow, Question("page", fields))
            flow.shows("after")
            page, path = browser.page_of(flow)
            browser.request("POST", f"{path}/back", browser.encoded(browser.hidden(browser.controls(page, f'action="{path}/back"'))))
            flow.shows("page")
            page, path = browser.page_of(flow)
            shown = {values.get("name"): values.get("value") for _, values in browser.controls(page, f'method="post" action="{path}"')}
            for field in fields:
                with self.subTest(field.name, seed=SEED):
                    self.assertEqual(shown[f"field.{field.name}"], field.expected)
            flow.dismiss()
