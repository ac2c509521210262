"""Selects the texts to send and their number, each once to a way that can carry it."""

import os
import random
import sys
import unicodedata

import hostile_text


def option(name, default):
    given = [word.partition("=")[2] for word in sys.argv if word.startswith(f"--{name}=")]
    sys.argv[:] = [word for word in sys.argv if not word.startswith(f"--{name}=")]
    return int(given[-1] if given else os.environ.get(name.upper()) or default)


ALL = "--all" in sys.argv
SEED = option("seed", random.randrange(1 << 32))
TEXTS = option("texts", 4000 if ALL else 90)

# The characters that Unicode classifies as white space.
SPACE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
# Words that programs may parse as an option, a command, a number, a file, a reference, or the end.
WORDS = [
    "--json", "--assignments", "-n", "--", "-", "~", "yes", "null", "0x1f", "1e3", "01", "=x", ":b", ":q", "b", "q", "?", "!cancel", ".", "..",
    "/x", "@/etc/passwd", "@-", " x", "x ", "{ fd: 0 }", "*x", "&x", "%41", "+", "a+b", "\u00e9", "e\u0301", "%s%n", "${IFS}", "$HOME", "\\n",
    "\\", "x\\", "\\'", "'", '"', "''''", "`", "!!", "!$", "#x", "x=y", "K", "\u212a", "a;b", "a\u037eb", "<!--", "]]>", "</textarea>",
    "&#39;", "&amp;", "a,b",
]
# Ids of rows and choices that compare as equal by characters, but not by bytes.
TWINS = [
    ("a;b", "a\u037eb"), ("K", "\u212a"), ("\u00e9", "e\u0301"), ("a`", "a\u1fef"), ("\u00c5", "\u212b"),
    ("x'\u0327\u0301", "x'\u0301\u0327")]
OPTIONS = [
    *(one for pair in TWINS for one in pair), "x'\ufe0f; {0}; echo '\ufe0f", '"; {0}; "', "$({0})", "`{0}`", "-n", "--json", " x ", "2", "1"]


def all_texts(ran):
    """Returns all texts. Their commands create a file."""
    commands = [f"touch {ran}", f": >{ran}"]
    return [
        *(text for command in commands for text in hostile_text.breakouts(command)), *hostile_text.combinations(),
        *hostile_text.lookalikes(), *hostile_text.random_texts(SEED, 300), *WORDS]


class Texts:
    """Hostile texts for a way, each once; then again from the start. Half of the first ones contain a command, which
    creates a file."""

    def __init__(self, way, source, pool):
        self.way, self.source, self.used = way, source, 0
        attacks, others = ([text for text in pool if ("/ran" in text) == wanted] for wanted in (True, False))
        source.shuffle(attacks)
        source.shuffle(others)
        self.pool = [one for pair in zip(attacks, others) for one in pair] + others[len(attacks):]
        self.rest = list(self.pool)

    def take(self, kind):
        """Returns a text that this way can carry to a field of this kind: the sent text, and the expected text."""
        for rest in (self.rest, self.pool):
            for index, text in enumerate(rest):
                if piece := self.way.prepared(kind, text):
                    self.used += 1
                    if rest is self.rest:
                        del rest[index]
                    return piece
        raise AssertionError(f"no text for {kind}")

    def several(self, kind, count):
        """Returns texts that no comparison treats as equal."""
        found = {}
        for _ in range(count):
            sent, arriving = self.take(kind)
            found.setdefault(unicodedata.normalize("NFKC", arriving).casefold(), (sent, arriving))
        return [sent for sent, _ in found.values()], [arriving for _, arriving in found.values()]
