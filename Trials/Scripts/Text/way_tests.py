"""Each way carries the texts to the scripts."""

import contextlib
import json
import re
import subprocess
import unicodedata
import urllib.parse

import hostile_text
from answers_file import File, Recording
from browser import Browser
from play import INPUTS, LANGUAGES, PASTED, SHELLS, Play
from terminal import Pipe, Terminal, Typist
from texts import ALL, SEED, TEXTS, Texts
from ways import Bus, Tool
from world import BINARIES, PATIENCE


class WayTests:
    """Part of TextTests: sent texts arrive."""

    def plays(self, way, languages=None, texts=TEXTS):
        languages = languages or ALL and LANGUAGES or [self.source.choice(list(SHELLS)), "py"]
        with contextlib.closing(way(self, self.source)) as way:
            # A long text makes each answer slower, so only one of the languages gets it.
            long = self.source.choice(languages)
            for language in languages:
                found = Texts(way, self.source, self.pool)
                while found.used < texts:
                    play = Play(self, language, found, long=language == long and found.used == 0)
                    with self.subTest(language=language, seed=SEED, play=play.id):
                        way.play(play)
                        self.check(play)

    def test_by_the_bus(self):
        self.plays(Bus, LANGUAGES)

    def test_by_coordinatorctl(self):
        self.plays(Tool)

    def test_by_a_browser(self):
        self.plays(Browser, LANGUAGES)

    def test_over_a_pipe(self):
        self.plays(Pipe)

    def test_on_a_terminal(self):
        self.plays(Typist)

    def test_by_an_answers_file(self):
        self.plays(File, LANGUAGES)

    def test_by_a_recorded_file(self):
        self.plays(Recording)

    def test_by_pasting_on_the_full_screen(self):
        # The terminal's fields keep neither invisible characters nor line ends.
        texts = [one for one in self.pool if "/ran" in one and "\n" not in one]
        expected = {f"t{n}": self.source.choice(texts) for n in range(PASTED)}
        for language in SHELLS:
            with self.subTest(language=language, seed=SEED):
                terminal = Terminal(self.world, BINARIES / "coordinator-tui", f"paste-{language}", f"id=paste-{language}")
                terminal.until(rb"Paste")
                terminal.send("".join(f"\x1b[200~{text}\x1b[201~\r" for text in expected.values()).encode())
                terminal.wait()
                self.compare(f"paste-{language}", expected)

    def test_by_a_link(self):
        # Of the control characters, a link carries line feeds and tabs.
        texts = [one for one in self.pool if all(unicodedata.category(character) != "Cc" or character in "\n\t" for character in one)]
        for language in LANGUAGES:
            for number in range(max(TEXTS // 60, 1)):
                id = f"link-{language}-{number}"
                values, query = {}, f"id={id}"
                for n in range(INPUTS):
                    text = self.source.choice(texts) if n else "'\ufe0f" * 200
                    safe = self.source.choice(["", "!$'()*,;:@/?~"])
                    part = urllib.parse.quote(text, safe=safe)
                    if self.source.randrange(2):
                        part = re.sub("%..", lambda found: found[0].lower(), part)
                    query += f"&i{n}={part}"
                    values |= {f"i{n}": text, f"first-{n}": text}
                with self.subTest(language=language, query=query, seed=SEED):
                    link = f"coordinator:link-{language}?{query}"
                    done = self.run_tool("open", "--no-wait", link)
                    self.assertEqual((done.returncode, done.stdout), (1, b""), "started without a person who says so")
                    self.assertIn(b"a link is started only when a person says so", done.stderr)
                    tree = f"/org/coordinatord/Coordinator1/flows/{self.tool('open', '--yes', '--no-wait', link).strip()}"
                    self.world.until(lambda: self.world.manager("GetOutcome", "(o)", tree)[0] == "finished", f"the end of {tree}")
                    self.compare(id, values)

    def test_a_block_at_the_end_of_an_answers_file(self):
        for end in ("", "# The end.\n"):
            (file := self.world.home / "block.yaml").write_text(
                f"flow: kid-sh\ninput: {{ id: block }}\nanswers:\n  kid-sh:\n    kid:\n      text: |\n        a\n        b\n{end}")
            with self.subTest(end=end):
                self.assertEqual(json.loads(self.tool("answer", file, "--json"))["result"], {"text": "a\nb\n"})

    def test_the_texts_run_something_where_a_script_is_careless(self):
        """Otherwise, the absence of running commands would prove nothing."""
        (place := self.world.home / "careless").mkdir()
        ran = 0
        for number, text in enumerate(hostile_text.breakouts(f"touch {place}/it")):
            for quote in ("'", '"'):
                subprocess.run(["sh", "-c", f"x={quote}{text}{quote}"], cwd=place, capture_output=True, timeout=PATIENCE)
                ran += (place / "it").exists()
                (place / "it").unlink(missing_ok=True)
        self.assertGreater(ran, number // 4)
