"""The abilities of the Linux console: the characters of the fonts that Debian sets up, and 16 colors."""

import re

#: The non-ASCII characters in the fonts Lat15-Fixed, Lat15-VGA and Lat15-Terminus of Debian's console-setup.
CHARACTERS = frozenset(
    chr(code) for first, last in (
        (part.split("-") * 2)[:2] for part in (
            "a0-ac ae-ff 110 11e-11f 130-131 152-153 15e-161 178 17d-17e 192 2c6 2c9 2dc 391-392 395-397 399-39a 39c-39d 39f 3a1 "
            "3a4 3a7 3bc 3c0 401 405-408 410 412 415 41a 41c-41e 420-422 425 430 435 43e 440-441 443 445 451 455-458 4ae 2000-200a "
            "2010-2015 2018-201a 201c-201e 2020-2022 2026 202f-2030 2039-203a 203c 207f 20a7 20ac 20ae 2116 2122 212a-212b "
            "2190-2193 2205 2208 2212 221e 2229 2248 2260-2261 2264-2265 226a-226b 2295-2296 2298-2299 229b-229c 2460-2468 "
            "24b6-24ea 2500-257f 2588 2591-2592 25a0 25ae 25b2 25b4 25b6 25b8 25bc 25be 25c0 25c2 25c8 25cf 2610-2612 2666 "
            "2717-2718 2bbd "
        ).split()) for code in range(int(first, 16), int(last, 16) + 1))

#: The parts of the output: a change of colors, another sequence, a string such as a window's title, and text.
PARTS = re.compile(
    r"\x1b\[(?P<colours>[0-9;:]*)m|(?P<string>\x1b[\]P^_X][^\x07\x1b]*(?:\x07|\x1b\\)?)|(?P<other>\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~])"
    r"|(?P<text>[^\x1b]+)|(?P<rest>\x1b)")


def is_shown(parameter):
    """Whether a parameter of a color change has a meaning to the console."""
    return parameter <= 49 and parameter not in (38, 48) or 90 <= parameter <= 97


def strangers(written):
    """The characters and sequences in some output that the console cannot show, each once."""
    found = set()
    for part in PARTS.finditer(written):
        if part["text"]:
            found |= {f"character {c} (U+{ord(c):04X})" for c in part["text"] if c >= "\x7f" and c not in CHARACTERS}
        elif part["colours"] is not None:
            parameters = [int(word or 0) for word in part["colours"].replace(":", ";").split(";")]
            if not all(map(is_shown, parameters)):
                found.add(f"colours {part['colours']}")
        elif part["string"]:
            found.add(f"string {part['string']!r}")
        elif part["rest"]:
            found.add("a lone Escape")
    return found
