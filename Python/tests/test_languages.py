"""The example of the README, in another language."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from coordinator.testing import play
from test_readme import block

GERMAN = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "How large?"
msgstr "Wie groß?"

msgid "Small"
msgstr "Klein"
"""


@pytest.fixture
def coffee(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    if shutil.which("msgfmt") is None:
        pytest.skip("gettext is not installed")
    folder = tmp_path / "locale/de/LC_MESSAGES"
    folder.mkdir(parents=True)
    subprocess.run(["msgfmt", "-o", folder / "coffee.mo", "-"], input=GERMAN, text=True, check=True)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(block("import gettext"), names)
    return names["coffee"]


def test_a_script_is_in_the_language_that_its_flow_is_shown_in(coffee: Any) -> None:
    shown = play(coffee, language="de-AT")
    assert shown.screen.title == "Wie groß?"
    assert [action["title"] for action in shown.screen.actions] == ["Klein", "Large"]
    assert shown.answer("small").result == {"size": "small"}


def test_without_a_translation_a_script_is_in_english(coffee: Any) -> None:
    assert play(coffee, language="fi").screen.title == "How large?"
    assert play(coffee).screen.title == "How large?"
