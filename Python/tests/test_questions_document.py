"""Docs/questions.md lists what shell, Python and Swift can say, as the code has it."""

import importlib.machinery
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "Scripts" / "question-docs"

pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="needs the checkout of coordinatord")


@pytest.fixture
def lists(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program, as a module whose lists of reasons a test may change."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    loader = importlib.machinery.SourceFileLoader("question_docs", str(SCRIPT))
    specification = importlib.util.spec_from_loader("question_docs", loader)
    assert specification is not None
    module = importlib.util.module_from_spec(specification)
    loader.exec_module(module)
    return module


def test_the_document_is_what_the_program_makes_of_the_code() -> None:
    checked = subprocess.run([sys.executable, str(SCRIPT), "check"], capture_output=True, text=True)
    assert checked.stderr == "" and checked.returncode == 0


@pytest.mark.parametrize(
    ("reasons", "option", "message"),
    [
        ("WITHOUT_PYTHON", "--json", "ask has --json, and ui has no 'json'"),
        ("WITHOUT_PYTHON", "--stdin", "ask step has --stdin, and ui.step has no 'stdin'"),
        ("WITHOUT_SHELL", "markup", "ui has 'markup', and ask has no --markup"),
        ("WITHOUT_SHELL", "all", "ui has 'all', and ask has no such command"),
        ("WITHOUT_SHELL", "format", "the fields of ui have 'format'"),
        ("OPTIONS", "--qr", "'--qr' has no counterpart in Swift"),
        ("KINDS", "--date", "'--date' has no counterpart in Swift"),
        ("SWIFT_ONLY", "Screen.suggesting", "Swift has 'Screen.suggesting', which scripts have not"),
        ("OTHERWISE", "input", "ask has the command input"),
    ],
)
def test_what_one_language_lacks_without_a_reason_is_found(
    lists: ModuleType, reasons: str, option: str, message: str
) -> None:
    del getattr(lists, reasons)[option]
    with pytest.raises(lists.Missing, match=message):
        lists.document()


def test_an_option_that_python_loses_is_found(lists: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    keywords = lists.keywords
    monkeypatch.setattr(lists, "keywords", lambda function: [one for one in keywords(function) if one != "picture"])
    with pytest.raises(lists.Missing, match="ask has --picture, and ui has no 'picture'"):
        lists.document()


def test_an_option_of_different_questions_is_found(lists: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    keywords = lists.keywords
    monkeypatch.setattr(
        lists, "keywords", lambda call: [one for one in keywords(call) if (call.__name__, one) != ("form", "qr")]
    )
    with pytest.raises(lists.Missing, match="--qr is an option of"):
        lists.document()


def test_a_function_that_swift_loses_is_found(lists: ModuleType) -> None:
    lists.OPTIONS["--qr"] = "Screen.code"
    with pytest.raises(lists.Missing, match=r"Swift has no 'Screen\.code' any more"):
        lists.document()
