"""The operations of a script other than questions: steps, looks, children and sleeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from coordinator import codec, screens
from coordinator.codec import JSON
from coordinator.errors import FlowError
from coordinator.forms import Form
from coordinator.scripts import calls
from coordinator.scripts.calls import Call, SecretHandle, Work, caller
from coordinator.scripts.misuse import instead
from coordinator.scripts.questions import check_name

_MOST_ATTEMPTS = 100
_OPTIONS = {
    "step": ("busy", "attempts", "once", "undo", "stoppable", "secret_result", "returns"),
    "look": ("busy", "attempts", "stoppable", "secret_result", "returns"),
}  # fmt: skip


def work_of(
    kind: str, name: str, function: Any, arguments: tuple[Any, ...], keywords: Mapping[str, Any],
    undo: Callable[[Any], Any] | None, attempts: int | None,
) -> Work:  # fmt: skip
    """Returns the work of a step or a look. Refuses a keyword argument that its function does not have."""
    if not callable(function):
        raise FlowError(f"the {kind} '{name}' takes a function and its arguments, not the result of a call")
    good = isinstance(attempts, int) and not isinstance(attempts, bool) and 1 <= attempts <= _MOST_ATTEMPTS
    if attempts is not None and not good:
        raise FlowError(f"the attempts of '{name}' are a number from 1 to {_MOST_ATTEMPTS}, not {attempts!r}")
    if keywords:
        _check_keywords(kind, name, function, keywords)
    return Work(function, arguments, keywords, undo, attempts)


def _check_keywords(kind: str, name: str, function: Any, keywords: Mapping[str, Any]) -> None:
    import inspect

    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        # Some functions in C do not tell their parameters.
        return
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        return
    known = [one.name for one in parameters if one.kind is not one.POSITIONAL_ONLY]
    for given in keywords:
        if given not in known:
            raise FlowError(
                f"the {kind} '{name}' has no option '{given}', and its function has no such parameter:"
                f" {instead(given, [*_OPTIONS[kind], *known])}"
            )


def perform(
    kind: str, name: str, work: Work, busy: str, stoppable: bool, secret_result: bool, returns: Any,
    more: Mapping[str, JSON],
) -> Call[Any]:  # fmt: skip
    """Returns the call of a step or a look."""
    if not isinstance(busy, str):
        raise FlowError(f"the option 'busy' of the {kind} '{name}' is a text, not {busy!r}")
    tries = {} if work.attempts is None else {"attempts": work.attempts}
    message = {kind: check_name(name), **({"busy": busy} if busy else {}), **more, **tries, "at": caller()}
    if stoppable:
        message["stoppable"] = True
    if secret_result:
        message["secret-result"] = True
        work.has_secret_result = True

    def take(reply: Mapping[str, JSON], place: int) -> Any:
        if "error" in reply:
            calls.raise_error(name, reply["error"])
        if secret_result:
            return SecretHandle(name, place)
        return reply["result"] if returns is None else codec.decode(returns, reply["result"])

    return Call(kind, name, message, take, work)


def check_progress(fraction: Any, text: Any) -> None:
    """Refuses a percentage in place of a fraction. What exceeds 1 by rounding is 1."""
    is_number = isinstance(fraction, int | float) and not isinstance(fraction, bool)
    if fraction is not None and not (is_number and -0.01 <= fraction <= 1.01):
        raise FlowError(f"ui.progress takes a fraction from 0 to 1, such as 0.4 for 40 %, not {fraction!r}")
    if not isinstance(text, str | None):
        raise FlowError(f"the text of ui.progress is a string, not {text!r}")


def flow_name(flow: Any) -> str:
    """Returns the name of a flow, given by its name or as a script."""
    name = flow if isinstance(flow, str) else getattr(flow, "name", None)
    if not isinstance(name, str) or not name:
        raise FlowError(f"ui.run takes the name of a flow, or a script that `flow` declares, not {flow!r}")
    return name


def check_input(what: str, input: Mapping[str, Any], form: Form) -> None:
    """Refuses names that the input of a flow does not have."""
    for name in input:
        if name not in form.names:
            raise FlowError(f"{what} has no '{name}': {instead(name, form.names)}")


def until(name: str, time: Any) -> dict[str, JSON]:
    """Returns how long a sleep is: a number of seconds, or until a time."""
    if isinstance(time, datetime):
        return {"until": screens.microseconds(time) / 1_000_000}
    if isinstance(time, bool) or not isinstance(time, int | float) or not 0 <= time < float("inf"):
        raise FlowError(f"ui.sleep '{name}' takes a number of seconds, or a datetime with a time zone, not {time!r}")
    return {"seconds": float(time)}
