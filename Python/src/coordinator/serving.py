"""`serve`, for flows that are scripts and for flows that are classes."""

from __future__ import annotations

from typing import Any

from coordinator.errors import FlowError
from coordinator.scripts.flow import Script


def serve(*flows: Any, **options: Any) -> None:
    """Serves flows until the process is stopped.

    Scripts (see `flow`) are served to `coordinator-scripts`, which has started the process. Without it, one of them
    is played on the terminal. Classes derived from `Coordinator` are served over D-Bus, see
    `coordinator.provider.serve`.
    """
    scripts = [flow for flow in flows if isinstance(flow, Script)]
    if scripts and len(scripts) < len(flows):
        raise FlowError("scripts and coordinators cannot be served by the same process")
    if scripts:
        from coordinator.scripts.serving import serve as serve_scripts

        serve_scripts(scripts, **options)
    else:
        from coordinator.provider import serve as serve_classes

        serve_classes(*flows, **options)
