"""The declaration of flows that are scripts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from coordinator import codec
from coordinator.codec import JSON
from coordinator.errors import FlowError, InvalidInput
from coordinator.forms import Form, FormLike, form_of
from coordinator.scripts.tags import tag_of


@dataclass(frozen=True, eq=False, repr=False)
class Script:
    """A flow that is a function of `ui`, and of its input and its log. See `flow`."""

    function: Callable[..., Any]
    name: str
    title: str
    summary: str = ""
    version: int = 1
    rehearsable: bool = False
    input: Form | None = None
    result: Form | None = None
    dependencies: Mapping[str, Any] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    summaries: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_async(self) -> bool:
        """Whether the function is a coroutine function."""
        return inspect.iscoroutinefunction(self.function)

    def using(self, **dependencies: Any) -> Script:
        """Returns the flow with other values for parameters of its function, such as doubles in tests."""
        known = list(inspect.signature(self.function).parameters)[1:]
        if unknown := [name for name in dependencies if name not in known]:
            raise FlowError(f"the function of '{self.name}' has no parameter '{unknown[0]}'")
        return replace(self, dependencies={**self.dependencies, **dependencies})

    def call(self, ui: Any) -> Any:
        """Calls the function."""
        return self.function(ui, **self.dependencies)

    def decoded(self, input: Mapping[str, JSON]) -> Any:
        """Returns the input as the function gets it: an instance of the class that declares it, or a dictionary."""
        if self.input is not None and (problems := self.input.problems(input)):
            raise InvalidInput(problems)
        if self.input is None or self.input.kind is None:
            return dict(input)
        return codec.decode(self.input.kind, dict(input))

    def describe(self) -> dict[str, JSON]:
        """Returns the description of the flow, without running it."""
        more: dict[str, JSON] = {"summary": self.summary} if self.summary else {}
        more |= {"titles": dict(self.titles)} if self.titles else {}
        more |= {"summaries": dict(self.summaries)} if self.summaries else {}
        more |= {"rehearsable": True} if self.rehearsable else {}
        more |= {"input": self.input.to_json()} if self.input else {}
        more |= {"result": self.result.to_json()} if self.result else {}
        return {"name": self.name, "title": self.title, "version": self.version, **more}


def flow(
    name: str, *, title: str | Mapping[str, str] = "", summary: str | Mapping[str, str] = "", version: int = 1,
    rehearsable: bool = False, input: FormLike | None = None, result: FormLike | None = None,
) -> Callable[[Callable[..., Any]], Script]:  # fmt: skip
    """Declares a flow that is a script.

    ```python
    @flow("make-coffee", title="Make coffee")
    async def make_coffee(ui):
        size = await ui.menu("size", "How large?", small="Small", large="Large")
        return {"size": size}
    ```

    A title or summary in several languages is a dictionary, in which the empty key has the English text:
    `title={"": "Make coffee", "de": "Kaffee kochen"}`. `input` and `result` declare values as forms do. A rehearsable
    flow may be started by a user who only wants to see its screens. The function may be an `async def`, or a `def`
    whose calls wait.
    """
    english, titles = in_languages(name, "title", title)
    sentence, summaries = in_languages(name, "summary", summary)
    forms = (None if input is None else form_of(input), None if result is None else form_of(result))

    def declare(function: Callable[..., Any]) -> Script:
        words = name.replace("-", " ").capitalize()
        about = sentence or (inspect.getdoc(function) or "").partition("\n")[0]
        described = Script(function, name, english or words, about, version, rehearsable, *forms)
        return replace(described, titles=titles, summaries=summaries)

    return declare


def in_languages(flow: str, what: str, text: str | Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Returns the English text, and those in other languages by BCP 47 tag."""
    if isinstance(text, str):
        return text, {}
    if not isinstance(text, Mapping) or not all(isinstance(one, str) for pair in text.items() for one in pair):
        raise FlowError(f'the {what} of \'{flow}\' is a text, or texts by language such as {{"": "…", "de": "…"}}')
    return text.get("", ""), {tag_of(language): one for language, one in text.items() if language}
