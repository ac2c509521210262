"""Patterns of JSON Schema that can be matched in linear time, as the daemon accepts them.

The syntax is that of ECMA-262 with the `u` flag, without lookaround and backreferences. `compiled` translates a
pattern for tests; only the daemon matches the input of users.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata

MAX_INSTRUCTIONS = 10_000
MAX_NESTING = 50
MAX_STEPS = 1 << 27


class PatternError(ValueError):
    """A pattern that the daemon would refuse. The message contains the position."""


_SPACES = r"\t\n\x0b\x0c\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_SETS = {"d": "0-9", "w": "A-Za-z0-9_", "s": _SPACES}
_CONTROLS = {"t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_CATEGORIES = frozenset(
    "C Cc Cf Cn Co Cs L LC Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps "  # noqa: SIM905
    "S Sc Sk Sm So Z Zl Zp Zs".split()
)


@functools.cache
def _category(name: str) -> str:
    """Returns the ranges of a general category, for a class."""
    prefixes = ("Lu", "Ll", "Lt") if name == "LC" else (name,)
    ranges: list[list[int]] = []
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)).startswith(prefixes):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)


class _Parser:
    """Parses a pattern, translates it for `re`, and counts its instructions."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0

    def fail(self, reason: str, at: int | None = None) -> PatternError:
        return PatternError(f"{reason} at position {self.at if at is None else at}")

    @property
    def peek(self) -> str:
        return self.source[self.at : self.at + 1]

    def next(self) -> str:
        if not self.peek:
            raise self.fail("unexpected end")
        self.at += 1
        return self.source[self.at - 1]

    def skip(self, text: str) -> bool:
        found = self.source.startswith(text, self.at)
        self.at += len(text) if found else 0
        return found

    def whole(self) -> tuple[str, int]:
        result, size = self.alternatives(0)
        if self.peek:
            raise self.fail(f"'{self.peek}' must be escaped")
        return result, size

    def alternatives(self, depth: int) -> tuple[str, int]:
        if depth > MAX_NESTING:
            raise self.fail("too many nested groups")
        result, size = self.sequence(depth)
        while self.skip("|"):
            more, other = self.sequence(depth)
            result, size = f"{result}|{more}", size + other + 2
        return result, size

    def sequence(self, depth: int) -> tuple[str, int]:
        result, size = "", 0
        while self.peek and self.peek not in "|)":
            term, own = self.term(depth)
            result, size = result + term, size + own
            if size > MAX_INSTRUCTIONS:
                raise self.fail("the pattern is too large")
        return result, size

    def term(self, depth: int) -> tuple[str, int]:
        start, letter = self.at, self.next()
        if letter == "^":
            return r"\A", 1
        if letter == "$":
            return r"\Z", 1
        size = 1
        if letter == "(":
            inner, size = self.group(depth, start)
            node = f"(?:{inner})"
        elif letter == "[":
            node = self.character_class(start)
        elif letter == ".":
            node = "[^\\n\\r\\u2028\\u2029]"
        elif letter == "\\":
            if self.peek in ("b", "B") and self.peek:
                boundary = r"(?a:\b)" if self.next() == "b" else r"(?a:\B)"
                return boundary, 1
            if self.peek in set("k123456789"):
                raise self.fail("backreferences are not supported", start)
            escaped, is_set = self.escape(start)
            node = f"[{escaped}]" if is_set else escaped
        elif letter in "*+?{":
            raise self.fail("nothing to repeat", start)
        elif letter in "]}":
            raise self.fail(f"'{letter}' must be escaped", start)
        else:
            node = re.escape(letter)
        return self.repeated(node, size)

    def group(self, depth: int, start: int) -> tuple[str, int]:
        if self.skip("?"):
            if any(self.skip(sign) for sign in ("=", "!", "<=", "<!")):
                raise self.fail("lookaround is not supported", start)
            if self.skip("<"):
                if self.peek in ("", ">"):
                    raise self.fail("unknown kind of group", start)
                while self.next() != ">":
                    pass
            elif not self.skip(":"):
                raise self.fail("unknown kind of group", start)
        inner = self.alternatives(depth + 1)
        if not self.skip(")"):
            raise self.fail("unterminated group", start)
        return inner

    def repeated(self, node: str, size: int) -> tuple[str, int]:
        if self.skip("*") or self.skip("+"):
            node, size = node + self.source[self.at - 1], size + 2
        elif self.skip("?"):
            node, size = node + "?", size + 1
        elif self.peek == "{":
            start = self.at
            match = re.compile(r"\{(\d+)(,(\d*))?\}", re.ASCII).match(self.source, self.at)
            if match is None:
                raise self.fail("invalid repetition", start)
            self.at = match.end()
            low = int(match[1])
            high = low if match[2] is None else int(match[3]) if match[3] else None
            if high is not None and high < low:
                raise self.fail("invalid repetition", start)
            size = low * size + (size + 2 if high is None else (high - low) * (size + 1))
            if size > MAX_INSTRUCTIONS:
                raise self.fail("the pattern is too large", start)
            node += match[0]
        else:
            return node, size
        self.skip("?")
        return f"(?:{node})", size

    def escape(self, start: int) -> tuple[str, bool]:
        """Parses an escape after its backslash. Returns its translation, and whether it is a set."""
        letter = self.next()
        if letter in _SETS:
            return _SETS[letter], True
        if letter.lower() in _SETS or letter == "P":
            inside = self.property(start) if letter == "P" else _SETS[letter.lower()]
            return _complement(inside), True
        if letter == "p":
            return self.property(start), True
        if letter in _CONTROLS:
            return re.escape(_CONTROLS[letter]), False
        if letter == "0" and not (self.peek.isascii() and self.peek.isdigit()):
            return "\\x00", False
        if letter == "c" and self.peek.isascii() and self.peek.isalpha():
            return f"\\x{ord(self.next()) & 31:02x}", False
        if letter in "xu":
            return self.code(letter, start), False
        if letter.isascii() and letter.isprintable() and not letter.isalnum() and letter not in "_ ":
            return re.escape(letter), False
        raise self.fail(f"unknown escape '\\{letter}'", start)

    def property(self, start: int) -> str:
        match = re.compile(r"\{(?:General_Category=|gc=)?(\w+)\}", re.ASCII).match(self.source, self.at)
        if match is None or match[1] not in _CATEGORIES:
            raise self.fail("unknown property", start)
        self.at = match.end()
        return _category(match[1])

    def code(self, letter: str, start: int) -> str:
        pattern = r"[0-9A-Fa-f]{2}" if letter == "x" else r"\{[0-9A-Fa-f]{1,8}\}|[0-9A-Fa-f]{4}"
        match = re.compile(pattern).match(self.source, self.at)
        if match is None:
            raise self.fail(f"unknown escape '\\{letter}'", start)
        self.at = match.end()
        value = int(match[0].strip("{}"), 16)
        if 0xD800 <= value < 0xDC00:
            low = re.compile(r"\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})").match(self.source, self.at)
            if low is not None:
                self.at = low.end()
                value = 0x10000 + ((value - 0xD800) << 10) + int(low[1], 16) - 0xDC00
        if value > sys.maxunicode or 0xD800 <= value < 0xE000:
            raise self.fail(f"unknown escape '\\{letter}'", start)
        return f"\\U{value:08x}"

    def character_class(self, start: int) -> str:
        negated, parts = self.skip("^"), []
        while not self.skip("]"):
            if not self.peek:
                raise self.fail("unterminated class", start)
            at = self.at
            low, is_set = self.class_item()
            if self.peek == "-" and self.source[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                high, other = self.class_item()
                if is_set or other or _code(low) > _code(high):
                    raise self.fail("invalid range", at)
                low = f"{low}-{high}"
            parts.append(low)
        if not parts:
            return "[\\U00000000-\\U0010ffff]" if negated else "(?!)"
        return f"[{'^' if negated else ''}{''.join(parts)}]"

    def class_item(self) -> tuple[str, bool]:
        start, letter = self.at, self.next()
        if letter != "\\":
            return f"\\U{ord(letter):08x}", False
        if self.skip("b"):
            return "\\x08", False
        return self.escape(start)


def _code(literal: str) -> int:
    match = re.fullmatch(r"\\[xU]([0-9a-f]+)", literal)
    return int(match[1], 16) if match else ord(literal[-1])


def _complement(inside: str) -> str:
    """Returns the ranges outside of those of a class."""
    member = re.compile(f"[{inside}]")
    ranges: list[list[int]] = []
    for code in range(sys.maxunicode + 1):
        if not member.match(chr(code)):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)


@functools.lru_cache(maxsize=1024)
def compiled(source: str) -> re.Pattern[str]:
    """Translates a pattern for `re`. Raises `PatternError`."""
    if len(source) > MAX_INSTRUCTIONS:
        raise PatternError("the pattern is too large")
    translated, _ = _Parser(source).whole()
    return re.compile(translated)


@functools.lru_cache(maxsize=1024)
def steps(source: str) -> int:
    """Returns an estimate of the number of steps for each code point of a string. Raises `PatternError`."""
    return _Parser(source).whole()[1] + 2


__all__ = ["MAX_STEPS", "PatternError", "compiled", "steps"]
