"""Errors of coordinatord, as raised by flows and by clients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

PREFIX = "org.coordinatord.Coordinator1.Error."
FREEDESKTOP = "org.freedesktop.DBus.Error."


class CoordinatorError(Exception):
    """Any error of coordinatord or of the bus.

    `name` is the D-Bus error name, `message` a sentence for people.
    """

    name: str = FREEDESKTOP + "Failed"
    message: str

    def __init__(self, message: str = "", *, name: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if name is not None:
            self.name = name

    def body(self) -> tuple[str, tuple[Any, ...]]:
        """Returns the D-Bus signature and the body of the error."""
        return "s", (self.message,)


class _Reasons(CoordinatorError):
    """An error with a reason for each field."""

    reasons: Mapping[str, str]

    def __init__(self, reasons: Mapping[str, str] | None = None, /, **more: str) -> None:
        # No other parameters, because a field may have any name.
        self.reasons = {**(reasons or {}), **more}
        super().__init__(", ".join(f"'{key}' {reason}" for key, reason in self.reasons.items()) or "invalid")

    def body(self) -> tuple[str, tuple[Any, ...]]:
        """Returns the D-Bus signature and the body of the error."""
        return "sa{ss}", (self.message, dict(self.reasons))


class Refusal(CoordinatorError):
    """A refusal by a flow. Nothing changes, and the caller receives the error."""


class Denied(Refusal):
    """A guard refused; the message gives its reason."""

    name = PREFIX + "Denied"


class InvalidPayload(_Reasons, Refusal):
    """The payload does not match; `reasons` has a reason for each field.

    ```python
    raise InvalidPayload(passphrase="is required by this network")
    ```
    """

    name = PREFIX + "InvalidPayload"


class InvalidInput(_Reasons, Refusal):
    """The flow does not accept its input; `reasons` has a reason for each key."""

    name = PREFIX + "InvalidInput"


class NotDismissable(Refusal):
    """The screen or the coordinator cannot be dismissed now."""

    name = PREFIX + "NotDismissable"


class UnknownEvent(CoordinatorError):
    """The screen does not offer the event now, or no coordinator takes it."""

    name = PREFIX + "UnknownEvent"


class NotTaken(UnknownEvent):
    """The coordinator does not take the event, so the event goes to its parent."""


class Failed(CoordinatorError):
    """Ends the coordinator as failed, with a code for programs and a message for people."""

    name = PREFIX + "Failed"
    code: str

    def __init__(self, code: str, message: str = "") -> None:
        super().__init__(message or code)
        self.code = code

    def body(self) -> tuple[str, tuple[Any, ...]]:
        """Returns the D-Bus signature and the body of the error."""
        return "ss", (self.message, self.code)


class UnknownFlow(CoordinatorError):
    """No flow has that name."""

    name = PREFIX + "UnknownFlow"


class TokenInUse(CoordinatorError):
    """The token belongs to another flow or another input, or its flow is still running."""

    name = PREFIX + "TokenInUse"


class AlreadyRunning(CoordinatorError):
    """The flow runs only once at a time, and is running already."""

    name = PREFIX + "AlreadyRunning"


class UnknownScreen(CoordinatorError):
    """No screen in this tree ever had that ID."""

    name = PREFIX + "UnknownScreen"


class StaleScreen(CoordinatorError):
    """The screen existed, but cannot be acted on now.

    `why` is "covered", "gone", "elsewhere" or "changed".
    """

    name = PREFIX + "StaleScreen"
    why: str = ""


class FlowFailed(CoordinatorError):
    """The coordinator failed while it handled the call, and has ended; `code` gives the reason."""

    name = PREFIX + "FlowFailed"
    code: str = ""


class NotStored(CoordinatorError):
    """The transition could not be made durable; nothing has changed."""

    name = PREFIX + "NotStored"


class Held(CoordinatorError):
    """The tree or the coordinator is held; the message gives the reason."""

    name = PREFIX + "Held"


class ProviderGone(CoordinatorError):
    """The provider of the flow cannot be reached; nothing has changed."""

    name = PREFIX + "ProviderGone"


class ProviderTimeout(CoordinatorError):
    """The provider of the flow did not answer in time; nothing has changed."""

    name = PREFIX + "ProviderTimeout"


class ProviderFailed(CoordinatorError):
    """The provider of the flow is faulty; nothing has changed."""

    name = PREFIX + "ProviderFailed"


class WouldWait(CoordinatorError):
    """The call would wait for its own caller, which serves the flow."""

    name = PREFIX + "WouldWait"


class MayNotAnswer(CoordinatorError):
    """The caller may see the flow tree, but not answer it; the message says who may."""

    name = PREFIX + "MayNotAnswer"


class FlowTaken(CoordinatorError):
    """Another provider serves the flow. `owners` maps each such flow to the bus name that serves it."""

    name = PREFIX + "FlowTaken"
    owners: Mapping[str, str] = {}


class AccessDenied(CoordinatorError):
    """The bus or the daemon does not permit the call."""

    name = FREEDESKTOP + "AccessDenied"


class InvalidArgs(CoordinatorError):
    """The arguments have a wrong type, or an option is unknown."""

    name = FREEDESKTOP + "InvalidArgs"


class LimitsExceeded(CoordinatorError):
    """A limit of the daemon is exceeded."""

    name = FREEDESKTOP + "LimitsExceeded"


class UnknownObject(CoordinatorError):
    """The coordinator has ended, or never existed."""

    name = FREEDESKTOP + "UnknownObject"


class UnknownMethod(CoordinatorError):
    """The object has no such method, for example because the daemon is older than this library."""

    name = FREEDESKTOP + "UnknownMethod"


class NotRunning(CoordinatorError):
    """The bus name has no owner and cannot be activated."""

    name = FREEDESKTOP + "ServiceUnknown"


class NoReply(CoordinatorError):
    """The recipient left the bus, or did not answer in time."""

    name = FREEDESKTOP + "NoReply"


class Disconnected(CoordinatorError):
    """There is no connection to the bus."""

    name = FREEDESKTOP + "Disconnected"


class FlowError(Exception):
    """A programming error in a flow. The daemon changes nothing and reports that the provider failed."""


_KINDS: Sequence[type[CoordinatorError]] = (
    Denied, InvalidPayload, InvalidInput, NotDismissable, UnknownEvent, UnknownFlow, TokenInUse, AlreadyRunning,
    UnknownScreen, StaleScreen, FlowFailed, NotStored, Held, ProviderGone, ProviderTimeout, ProviderFailed, WouldWait,
    MayNotAnswer, FlowTaken, AccessDenied, InvalidArgs, LimitsExceeded, UnknownObject, UnknownMethod, NotRunning,
    NoReply, Disconnected,
)  # fmt: skip
_BY_NAME = {kind.name: kind for kind in _KINDS}
_BY_NAME[FREEDESKTOP + "NameHasNoOwner"] = NotRunning
_BY_NAME[FREEDESKTOP + "Timeout"] = NoReply


def error_from(name: str, body: Sequence[Any]) -> CoordinatorError:
    """Creates the error for a D-Bus error message."""
    message = body[0] if body and isinstance(body[0], str) else ""
    detail: Any = body[1] if len(body) > 1 else None
    kind = _BY_NAME.get(name, CoordinatorError)
    if issubclass(kind, InvalidPayload | InvalidInput):
        invalid = kind(detail if isinstance(detail, dict) else {})
        invalid.message = message or invalid.message
        invalid.args = (invalid.message,)
        return invalid
    if name == Failed.name:
        return Failed(str(detail or "failed"), message)
    error = kind(message, name=name)
    if isinstance(error, StaleScreen):
        error.why = str(detail or "")
    elif isinstance(error, FlowFailed):
        error.code = str(detail or "")
    elif isinstance(error, FlowTaken) and isinstance(detail, dict):
        error.owners = detail
    return error
