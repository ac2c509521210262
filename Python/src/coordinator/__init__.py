"""Flows for coordinatord in Python.

A flow is a script, declared with `flow`, or a class derived from `Coordinator`. `serve` serves both. `run` and
`Client` drive the flows of a daemon. `coordinator.testing` plays flows without a daemon.

Names are imported on first use, because the process of a script must start fast.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coordinator.client import Client, FlowInfo, NoAnswerError, RemoteScreen, Tree, Window, run
    from coordinator.codec import JSON
    from coordinator.core import (
        Answer,
        Child,
        Coordinator,
        DecideArguments,
        Event,
        Flow,
        NoState,
        Outcome,
        Work,
        WorkFailed,
        WorkResult,
        decide,
    )
    from coordinator.errors import (
        CoordinatorError,
        Denied,
        Failed,
        FlowError,
        InvalidInput,
        InvalidPayload,
        NotDismissable,
        NotTaken,
        Refusal,
        StaleScreen,
        UnknownEvent,
    )
    from coordinator.forms import As, Field, Form, FormError, SecretName
    from coordinator.provider import Provider
    from coordinator.screens import (
        Action,
        Item,
        Message,
        ReviewRow,
        Screen,
        cancel_action,
        destructive,
        error,
        form,
        info,
        list_of,
        menu,
        message,
        primary,
        progress,
        warning,
    )
    from coordinator.scripts.flow import Script, flow
    from coordinator.scripts.plain import PlainUI
    from coordinator.scripts.ui import UI
    from coordinator.serving import serve
    from coordinator.work import Cancelled, Secret, WorkContext, current_work

__version__ = "0.1.0"

_MODULES = {
    "coordinator.client": ["Client", "FlowInfo", "NoAnswerError", "RemoteScreen", "Tree", "Window", "run"],
    "coordinator.codec": ["JSON"],
    "coordinator.core": [
        "Answer",
        "Child",
        "Coordinator",
        "DecideArguments",
        "Event",
        "Flow",
        "NoState",
        "Outcome",
        "Work",
        "WorkFailed",
        "WorkResult",
        "decide",
    ],
    "coordinator.errors": [
        "CoordinatorError",
        "Denied",
        "Failed",
        "FlowError",
        "InvalidInput",
        "InvalidPayload",
        "NotDismissable",
        "NotTaken",
        "Refusal",
        "StaleScreen",
        "UnknownEvent",
    ],
    "coordinator.forms": ["As", "Field", "Form", "FormError", "SecretName"],
    "coordinator.provider": ["Provider"],
    "coordinator.screens": [
        "Action",
        "Item",
        "Message",
        "ReviewRow",
        "Screen",
        "cancel_action",
        "destructive",
        "error",
        "form",
        "info",
        "list_of",
        "menu",
        "message",
        "primary",
        "progress",
        "warning",
    ],
    "coordinator.scripts.flow": ["Script", "flow"],
    "coordinator.scripts.plain": ["PlainUI"],
    "coordinator.scripts.ui": ["UI"],
    "coordinator.serving": ["serve"],
    "coordinator.work": ["Cancelled", "Secret", "WorkContext", "current_work"],
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "JSON",
    "UI",
    "Action",
    "Answer",
    "As",
    "Cancelled",
    "Child",
    "Client",
    "Coordinator",
    "CoordinatorError",
    "DecideArguments",
    "Denied",
    "Event",
    "Failed",
    "Field",
    "Flow",
    "FlowError",
    "FlowInfo",
    "Form",
    "FormError",
    "InvalidInput",
    "InvalidPayload",
    "Item",
    "Message",
    "NoAnswerError",
    "NoState",
    "NotDismissable",
    "NotTaken",
    "Outcome",
    "PlainUI",
    "Provider",
    "Refusal",
    "RemoteScreen",
    "ReviewRow",
    "Screen",
    "Script",
    "Secret",
    "SecretName",
    "StaleScreen",
    "Tree",
    "UnknownEvent",
    "Window",
    "Work",
    "WorkContext",
    "WorkFailed",
    "WorkResult",
    "cancel_action",
    "current_work",
    "decide",
    "destructive",
    "error",
    "flow",
    "form",
    "info",
    "list_of",
    "menu",
    "message",
    "primary",
    "progress",
    "run",
    "serve",
    "warning",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'coordinator' has no attribute '{name}'")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
