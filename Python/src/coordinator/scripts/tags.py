"""The names of languages."""

from __future__ import annotations

import re
from typing import Any

from coordinator.errors import FlowError

_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")


def tag_of(language: Any) -> str:
    """Returns a language as BCP 47 writes it: `pt-BR` for `pt_BR.UTF-8`."""
    tag = str(language).partition(".")[0].replace("_", "-")
    if not isinstance(language, str) or len(tag) > 40 or not _TAG.fullmatch(tag):
        raise FlowError(f"{language!r} is not a language, such as 'de', 'pt-BR' or 'sr-Latn'")
    return tag
