"""The calls of a script, and what they raise."""

from __future__ import annotations

import os.path
import sys
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, Generic, NoReturn, TypeVar

from coordinator.codec import JSON

T = TypeVar("T")
# The directory of the files that are no part of a script.
_OWN = os.path.join(os.path.dirname(__file__), "")


class ScriptError(Exception):
    """A recorded error of a call, which is raised again in each replay."""


class StepFailed(ScriptError):
    """A step, a look or a child failed. `type` and `message` are those of the original error."""

    def __init__(self, name: str, type: str, message: str) -> None:
        super().__init__(f"{name}: {message or type}")
        self.name = name
        self.type = type
        self.message = message or type


class NoResult(ScriptError):
    """A step was done, but its result cannot be recorded: it is too long, not JSON, or has a secret in it.

    The step is not repeated, and Back cannot cross it. A look raises this, too.
    """

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"{name}: {message}")
        self.name = name
        self.message = message


class Unknown(ScriptError):
    """It is unknown whether a step with `once=True`, or the last attempt of a step, was executed. Ask the user."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"{name}: {message}")
        self.name = name
        self.message = message


class TimedOut(ScriptError):
    """A question without a default was not answered in time."""

    def __init__(self, name: str) -> None:
        super().__init__(f"'{name}' was not answered in time")
        self.name = name


class Stopped(StepFailed):
    """The user has stopped a step or a look."""


class SecretSpent(ScriptError):
    """A secret was used after the first step that follows its form. Ask for it again."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Cancelled(BaseException):
    """Thrown at the open call of a run that is stopped. No further calls are possible then."""

    def __init__(self, reason: str = "cancelled") -> None:
        super().__init__(reason)
        self.reason = reason


FOREIGN = (
    "which is neither a question nor a step: await it in a step or a look. Questions are asked one after the other;"
    " ui.all(…) does several steps, looks, children and sleeps side by side"
)


class ForeignAwait(TypeError):
    """A script awaits an object that is not a call of `ui`."""


class Ended(BaseException):
    """Ends a run on purpose, from `ui.fail`, `ui.cancel` and `ui.again`."""

    def __init__(self, message: Mapping[str, JSON]) -> None:
        super().__init__(next(iter(message)))
        self.message = message


@dataclass(eq=False, repr=False)
class ChildOutcome:
    """How a child flow ended: "finished", "cancelled" or "failed"."""

    end: str
    result: Mapping[str, JSON] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """Whether it finished."""
        return self.end == "finished"

    def __bool__(self) -> bool:
        return self.finished


class SecretHandle:
    """A secret of a form, or the result of a step. Pass it to the next step, whose function gets the bytes."""

    __slots__ = ("entry", "name")

    def __init__(self, name: str, entry: int) -> None:
        self.name = name
        self.entry = entry

    def _refuse(self, *_: object) -> NoReturn:
        raise SecretSpent(f"the secret '{self.name}' can only be passed to the next step, as one of its arguments")

    __bytes__ = __len__ = __iter__ = __reduce__ = _refuse

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return "Secret(•••)"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return repr(self)


@dataclass(eq=False, repr=False)
class Work:
    """The work of a step or a look. `function` is called with `arguments` after the previous question was stored."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = field(default_factory=dict)
    undo: Callable[[Any], Any] | None = None
    attempts: int | None = None
    has_secret_result: bool = False

    @property
    def secrets(self) -> list[SecretHandle]:
        """The secrets among the arguments, each once."""
        found: dict[str, SecretHandle] = {}
        for value in (*self.arguments, *self.keywords.values()):
            if isinstance(value, SecretHandle):
                found.setdefault(value.name, value)
        return list(found.values())


@dataclass(eq=False, repr=False)
class Call(Generic[T]):
    """An operation of a script, to be awaited. `take` turns the reply into the value of the call, or raises."""

    kind: str
    name: str
    message: Mapping[str, JSON]
    take: Callable[[Mapping[str, JSON], int], T]
    work: Work | None = None
    correct: Callable[[Mapping[str, str], Mapping[str, JSON]], Call[T]] | None = None
    """Returns the same question with reasons why an answer, the payload, is invalid, by field."""

    def __await__(self) -> Generator[Any, Any, T]:
        value: T = yield self
        return value


@dataclass(eq=False, repr=False)
class All:
    """Several operations at a time."""

    calls: tuple[Call[Any], ...]

    def __await__(self) -> Generator[Any, Any, list[Any]]:
        value: list[Any] = yield self
        return value


def caller() -> str:
    """Returns the place of the script that calls, such as `visit.py:27`."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_OWN):
        frame = frame.f_back
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}" if frame else ""


def raise_error(name: str, error: Mapping[str, JSON]) -> NoReturn:
    """Raises the error of a step."""
    kind, message = str(error.get("type", "")), str(error.get("message", ""))
    match kind:
        case "Unknown":
            raise Unknown(name, message)
        case "too-long" | "no-result":
            raise NoResult(name, message)
        case "stopped":
            raise Stopped(name, kind, message)
        case "SecretSpent":
            raise SecretSpent(message)
    raise StepFailed(name, kind, message)
