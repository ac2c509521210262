"""Walks every path through a script."""

from __future__ import annotations

from typing import Any

from coordinator.scripts.flow import Script
from coordinator.testing.coordinators import Walk


def explore(flow: Script, **options: Any) -> Walk:
    """Walks."""
    raise NotImplementedError
