"""The example of the README, in another language."""

import gettext
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from coordinator import UI, flow
from coordinator.errors import FlowError
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


def test_the_script_in_the_document_asks_for_the_language_of_its_catalogs(coffee: Any, tmp_path: Path) -> None:
    document = (Path(__file__).parents[2] / "Docs/languages.md").read_text()
    code = next(part for part in document.split("```") if part.startswith("python\n") and "choose_language" in part)
    names: dict[str, Any] = {"gettext": gettext, "flow": flow, "UI": UI}
    exec(code.removeprefix("python\n").replace("/usr/share/locale", str(tmp_path / "locale")), names)
    shown = play(names["make_coffee"])
    assert [item["id"] for item in shown.screen.data["items"]] == ["en", "de"]
    german = shown.answer("de")
    assert german.screen.title == "Wie groß?"
    assert german.back().screen.name == "language"
    assert german.answer("de").answer("small").result == {"size": "small"}


def test_a_script_sets_its_language_once() -> None:
    @flow("speaking", title={"": "Speaking", "de": "Sprechend"})
    async def speaking(ui: UI) -> None:
        ui.set_language("de")
        await ui.message("first", ui.language)
        ui.set_language("fr")
        await ui.message("second", ui.language)

    assert speaking.describe()["titles"] == {"de": "Sprechend"}
    shown = play(speaking)
    assert shown.screen.title == "de"
    assert shown.answer("okay").screen.title == "fr"


def test_plain_functions_choose_the_language_as_well() -> None:
    @flow("plain")
    def plain(ui: Any) -> None:
        chosen = ui.choose_language(["en", "de"])
        ui.message("end", f"{chosen} {ui.language}")

    assert play(plain).answer("de").screen.title == "de de"


@pytest.mark.parametrize("wrong", ["", "german", "de--AT", 1, None])
def test_what_names_no_language_is_a_mistake(wrong: Any) -> None:
    @flow("wrong")
    async def mistaken(ui: UI) -> None:
        ui.set_language(wrong)

    with pytest.raises(FlowError, match="is not a language"):
        play(mistaken)
