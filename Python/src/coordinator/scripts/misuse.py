"""Errors of authors: they name the argument, what is wrong with it, and what to write instead."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

from coordinator.errors import FlowError

F = TypeVar("F", bound=Callable[..., Any])


def checked(options: type | None = None) -> Callable[[F], F]:
    """Makes arguments that a call does not have a `FlowError`. `options` are its keyword arguments, a `TypedDict`."""
    known = None if options is None else tuple(options.__annotations__)

    def decorate(call: F) -> F:
        @functools.wraps(call)
        def checking(*arguments: Any, **keywords: Any) -> Any:
            if known is not None:
                for name in keywords:
                    if name not in known:
                        raise FlowError(f"ui.{call.__name__} has no option '{name}': {instead(name, known)}")
            try:
                return call(*arguments, **keywords)
            except TypeError as error:
                # Only the frame of this call: Python could not bind the arguments.
                if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                    raise
                raise FlowError(_binding(call, keywords, str(error))) from None

        return cast(F, checking)

    return decorate


def _binding(call: Callable[..., Any], keywords: Iterable[str], reason: str) -> str:
    import inspect

    parameters = inspect.signature(call).parameters.values()
    names = [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]
    for name in keywords:
        if name not in names:
            return f"ui.{call.__name__} has no option '{name}': {instead(name, names)}"
    if "positional arguments but" in reason or "positional argument but" in reason:
        return f"ui.{call.__name__} has too many arguments: options have names, as in NAME=VALUE"
    return f"ui.{call.__name__}: {reason.partition('() ')[2] or reason}"


_told: set[str] = set()


def notice(text: str) -> None:
    """Writes a line on the standard error, with its place in the script: what a question leaves out."""
    from coordinator.scripts.calls import caller

    line = f"{caller()}: {text}"
    # Each run of the script would write it again.
    if line not in _told:
        _told.add(line)
        print(line, file=sys.stderr, flush=True)


# Names that other parts of the package, or other programs, give to options.
_OTHERS = {"bounds": "range", "summary": "help_text", "description": "help_text", "items": "option", "image": "picture"}


def instead(name: str, known: Iterable[str]) -> str:
    """Returns what to write in place of a name: the nearest known one, or the list of all."""
    names = sorted(known)
    if not names:
        return "there are no options"
    other = _OTHERS.get(name)
    if other in names:
        return f"write '{other}'"
    near = nearest(name, names)
    return f"did you mean '{near}'?" if near else f"it has {', '.join(names)}"


@functools.lru_cache(maxsize=1024)
def _nearest(name: str, known: frozenset[str], cutoff: float) -> str | None:
    # Imports difflib only for names that have about the same letters, because the process of a script must start fast.
    near = [one for one in sorted(known) if 2 * _common(name, one) >= cutoff * (len(name) + len(one))]
    if not near:
        return None
    import difflib

    return next(iter(difflib.get_close_matches(name, near, 1, cutoff)), None)


def _common(name: str, other: str) -> int:
    """Returns how many letters two names have in common, in any order: at least as many as difflib matches."""
    return sum(min(name.count(letter), other.count(letter)) for letter in {*name})


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Returns the known name that is most similar to a name; None if all are too different."""
    return _nearest(name, frozenset(known), cutoff)
