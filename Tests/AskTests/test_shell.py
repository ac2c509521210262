"""For every shell, the output for eval is text, whatever was answered."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

from fake_engine import ASK, CHECKOUT, Engine, finish, run_alone

sys.path.append(str(CHECKOUT / "TestSupport/Hostile"))
import hostile_text

SHELLS = [words for words in (["dash"], ["bash"], ["bash", "--posix"], ["zsh", "-f"], ["ksh"], ["busybox", "sh"]) if shutil.which(words[0])]
SEED = int(os.environ.get("SEED", random.randrange(1 << 32)))


def evaluated(shell, assignments, names, locale="C.UTF-8"):
    """The values of variables in a shell, byte for byte; and the files that it created in an empty directory."""
    with tempfile.TemporaryDirectory() as directory:
        pathlib.Path(directory, "assignments").write_bytes(assignments)
        script = 'eval "$(cat assignments)"\n' + "".join(f"printf '%s\\0' \"${name}\"\n" for name in names)
        done = subprocess.run(
            [*shell, "-c", script], cwd=directory, capture_output=True, timeout=60,
            env={"PATH": os.environ["PATH"], "LC_ALL": locale, "HOME": directory})
        return done.stdout.split(b"\0")[:-1], done.stderr, [name for name in os.listdir(directory) if name != "assignments"]


class ShellTests(unittest.TestCase):
    def printed(self, values):
        """The output of ask for eval with these values."""
        given = {f"v{index}": value for index, value in enumerate(values)}
        done = subprocess.run(
            [str(ASK), "input", "--assignments", *given], env={"COORDINATOR_INPUT": json.dumps(given, ensure_ascii=False), "ASAN_OPTIONS": "detect_leaks=0"}, capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout, list(given)

    def check(self, texts):
        texts = list(texts)
        for first in range(0, len(texts), 200):
            some = texts[first:first + 200]
            assignments, names = self.printed(some)
            for shell in SHELLS:
                for locale in ("C", "C.UTF-8"):
                    with self.subTest(shell=shell, locale=locale, first=first, seed=SEED):
                        values, complaints, others = evaluated(shell, assignments, names, locale)
                        self.assertEqual((values, complaints, others), ([text.encode() for text in some], b"", []))

    def test_every_special_character_with_every_extender_comes_back(self):
        self.check(hostile_text.combinations())

    def test_no_text_that_breaks_out_of_quotes_runs_anything(self):
        self.check(hostile_text.breakouts("touch ran"))
        self.check(hostile_text.lookalikes())

    def test_random_texts_come_back(self):
        self.check(hostile_text.random_texts(SEED, 400))

    def test_very_long_texts_come_back(self):
        self.check(["'" * 20_000, "\u0301" * 20_000, "'\ufe0f" * 10_000])

    def test_bytes_that_are_no_text_come_back_and_nuls_are_left_out(self):
        # A terminal, a file or a child may give bytes that are not UTF-8 to a script that has no engine.
        values = [bytes([byte]) + b"'; touch ran; '" + bytes([byte]) for byte in range(128, 256)] + [b"\xe2\x80'; touch ran; '", b"'\xf0\x9f\x98"]
        names = [f"v{index}" for index in range(len(values))]
        words = [f"{name}=".encode() + value for name, value in zip(names, values)]
        done = subprocess.run([os.fsencode(ASK), b"input", b"--assignments", *words], env={"ASAN_OPTIONS": "detect_leaks=0"}, capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        for shell in SHELLS:
            for locale in ("C", "C.UTF-8"):
                with self.subTest(shell=shell, locale=locale):
                    found, _, others = evaluated(shell, done.stdout, names, locale)
                    self.assertEqual((found, others), (values, []))
        assignments, names = self.printed(["a\0b", "\0"])
        self.assertEqual(evaluated(SHELLS[0], assignments, names)[0], [b"ab", b""])

    def test_words_of_undo_are_text_to_the_shell_of_an_older_engine(self):
        words = [*hostile_text.breakouts("touch ran"), *hostile_text.lookalikes(), *hostile_text.random_texts(SEED, 100)]
        with Engine(features="assignments") as engine:
            process = engine.start("ask", "step", "a", f"--undo={len(words) + 2}", "printf", "%s\\0", *words, "--", "true")
            connection = engine.accept()
            connection.stop()
            finish(process)
        for shell in SHELLS:
            with self.subTest(shell=shell, seed=SEED), tempfile.TemporaryDirectory() as directory:
                done = subprocess.run([*shell, "-c", connection.message["undo"]], cwd=directory, capture_output=True, timeout=60)
                self.assertEqual(done.stdout.split(b"\0")[:-1], [word.encode() for word in words])
                self.assertEqual(os.listdir(directory), [])

    def test_input_names_no_variable_of_the_shell(self):
        for words, reason in ((["PATH"], "PATH"), (["a-b", "a_b"], "same variable"), (["a", "http_proxy=x"], "http_proxy"), ([], "keys are missing")):
            with self.subTest(words):
                done = run_alone("input", "--assignments", *words)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(reason, done.stderr)


if __name__ == "__main__":
    unittest.main()
