"""Translates the end of a script's function to the end of its flow."""

from __future__ import annotations

import os.path
from collections.abc import Mapping
from typing import Any

from coordinator import codec
from coordinator.codec import JSON
from coordinator.errors import Failed, FlowError
from coordinator.scripts import calls
from coordinator.scripts.calls import Cancelled, Ended, ForeignAwait, NoResult, StepFailed, TimedOut, Unknown
from coordinator.scripts.flow import Script

# The maximum number of characters of a traceback, of which the end is kept: it names the error.
_MOST = 16_000


def result_of(script: Script, value: Any) -> dict[str, JSON]:
    """Returns the result of a flow whose function has returned a value."""
    result = _without_none(codec.encode(value))
    if not isinstance(result, dict):
        raise FlowError(f"'{script.name}' returns a dictionary or a dataclass, not {type(value).__name__}")
    if script.result is not None and (problems := script.result.problems(result)):
        reasons = ", ".join(f"'{name}' {reason}" for name, reason in problems.items())
        raise FlowError(f"the result of '{script.name}' does not fit what @flow declares: {reasons}")
    return result


def message_of(script: Script, error: BaseException) -> Mapping[str, JSON] | None:
    """Returns the message for a function that has raised an exception, or None if the run was stopped.

    A failed step, and a question that was not answered in time, end the flow as failed if the script does not handle
    them: the author reads the reason, and users read a sentence of the engine. Any other exception is a mistake of the
    script.
    """
    match error:
        case Cancelled():
            return None
        case Ended():
            return error.message
        case Failed():
            return {"fail": {"code": error.code, "message": error.message}}
        case StepFailed():
            return _unhandled("step-failed", error)
        case NoResult():
            return _unhandled("no-result", error)
        case Unknown():
            return _unhandled("unknown", error)
        case TimedOut():
            return _unhandled("timed-out", error)
    kind = type(error).__name__
    return {
        "crash": {"type": kind, "message": str(error) or kind, "at": _place(script, error), "trace": trace_of(error)}
    }


def _unhandled(code: str, error: BaseException) -> Mapping[str, JSON]:
    return {"fail": {"code": code, "message": str(error), "unhandled": True, "trace": trace_of(error)}}


def trace_of(error: BaseException) -> str:
    """Returns the traceback of an exception, for the log."""
    import traceback

    return "".join(traceback.format_exception(error))[-_MOST:]


def explained(error: BaseException) -> BaseException:
    """Returns a better error for what asyncio raises without an event loop."""
    text = str(error).lower()
    if isinstance(error, RuntimeError) and ("no running event loop" in text or "no current event loop" in text):
        return ForeignAwait(f"awaits asyncio, {calls.FOREIGN}").with_traceback(error.__traceback__)
    return error


def _place(script: Script, error: BaseException) -> str:
    import traceback

    own = script.function.__code__.co_filename
    frames = traceback.extract_tb(error.__traceback__)
    frame = next((frame for frame in reversed(frames) if frame.filename == own), frames[-1] if frames else None)
    return f"{os.path.basename(frame.filename)}:{frame.lineno}" if frame else ""


def _without_none(value: Any) -> Any:
    """Returns a result without members that are None, which results cannot have. None itself is an empty result."""
    if value is None:
        return {}
    if isinstance(value, dict):
        return {name: _without_none(part) for name, part in value.items() if part is not None}
    return value
