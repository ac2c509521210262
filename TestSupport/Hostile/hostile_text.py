"""Texts of attackers who know that a program parses them: the same in each run with the same seed."""

import random

# Every ASCII character that is neither a letter nor a digit, except NUL.
SPECIALS = [chr(code) for code in range(1, 128) if not chr(code).isalnum()]

# Characters that combine with the preceding one, so that a comparison of characters does not find it: variation
# selectors, joiners, marks of all three kinds, an enclosing mark, a tag, an emoji modifier, and a mark that a format
# character begins.
EXTENDERS = [
    "\ufe0f", "\ufe00", "\U000e0100", "\u200d", "\u200c", "\u034f", "\u0301", "\u0327", "\u093e", "\u0e33", "\u20dd", "\U000e0020",
    "\U0001f3fb", "\u1abe", "\u0300\u0301\u0302",
]

# Characters that some comparisons treat as ";", "`", "K" and "<", or as a line end.
LOOKALIKES = ["\u037e", "\u1fef", "\u212a", "<\u0338", "\u2028", "\u2029", "\u0085", "\u00a0", "\u3000", "\r\n", "\r", "\uff07", "\u2019"]

# Characters that hide text or change its direction.
DIRECTIONS = ["\u202e", "\u202d", "\u2066", "\u2069", "\u200f", "\ufeff"]


def breakouts(command):
    """Texts that run a command where one of the quoting characters is not recognized."""
    for extender in ["", *EXTENDERS]:
        for opening, closing in (("'", "'"), ('"', '"'), ("'\\''", "'\\''"), ("\\'", "'"), ("$'", "'"), ("\n", "\n"), ("';'", "';'")):
            yield f"x{opening}{extender}; {command}; echo {closing}{extender}"
        yield f"$({extender}{command})"
        yield f"`{extender}{command}`"
        yield f"x{extender}\n{command}\n"
        yield f"x;{extender}{command};"
        yield f"x|{extender}{command}&"


def combinations():
    """Each special character of ASCII with each extender, on both sides."""
    for special in SPECIALS:
        yield f"a{special}b"
        for extender in EXTENDERS:
            yield f"a{special}{extender}b"
            yield f"{special}{extender}"
            yield f"{extender}{special}{special}"


def lookalikes():
    """Texts that look like other texts."""
    for text in [*LOOKALIKES, *DIRECTIONS]:
        yield from (text, f"a{text}b", f"a'{text}'b", f"{text}{text}")


def random_texts(seed, count, longest=400):
    """Random texts of all of these and of letters of all planes."""
    source = random.Random(seed)
    letters = ["a", "Z", "0", "ä", "é", "e\u0301", "水", "한", "\U0001f469\u200d\U0001f467", "\U0010fffd", "\ud7ff", "ﬁ", "ß", "İ"]
    pool = SPECIALS * 2 + EXTENDERS * 4 + LOOKALIKES + DIRECTIONS + letters * 6 + ["'"] * 40
    for _ in range(count):
        yield "".join(source.choice(pool) for _ in range(source.randrange(1, longest)))
