"""Docs/writing-providers.md: its commands work, and its reference matches the contract."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from coordinator.core import Coordinator

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "Docs" / "writing-providers.md"
XML = ROOT / "Docs" / "org.coordinatord.FlowProvider1.xml"
SOURCES = "Examples/c-provider/coffee.c"
BUILT = Path(os.environ.get("COORDINATORD", ROOT / ".build" / "debug" / "coordinatord")).parent

# The document's input to renderers, and the output that a reader waits for.
READER = r"""
coordinator-tui() {
  if [ -p /dev/stdin ]; then command coordinator-tui "$@"; else printf '%s\n' 2 b 2 | command coordinator-tui "$@"; fi
}
coordinator-web() (
  set -- $(printf '%s\n' "$@" | grep -v -e --open)
  command coordinator-web "$@" >"$HOME/url" &
  until [ -s "$HOME/url" ]; do sleep 0.05; done
  python3 -c "
import sys, urllib.request
browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
browser.open(sys.argv[1])
assert b'Here it is' in browser.open(sys.argv[1].split('?')[0] + 'flows/coffee_1').read()" "$(head -n 1 "$HOME/url")"
  shown=$?
  kill $!
  return $shown
)
await() {
  tries=0
  until busctl --user call org.coordinatord.Coordinator1 /org/coordinatord/Coordinator1 \
    org.coordinatord.Coordinator1.Manager ListProviders 2>&1 | grep -q '"coffee"'; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || { echo 'the flow is not served'; return 1; }
    sleep 0.1
  done
}
trap 'kill $provider $daemon 2>/dev/null; wait' EXIT
"""


@dataclass(frozen=True)
class Block:
    """A block of code, and the text before it."""

    line: int
    language: str
    text: str
    before: str


def blocks() -> list[Block]:
    # Keeps the numbers of lines.
    text = re.sub(r"<!--.*?-->", lambda match: "\n" * match[0].count("\n"), DOCUMENT.read_text(), flags=re.DOTALL)
    found, end = [], 0
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        before = text[end : match.start()].strip()
        found.append(Block(text.count("\n", 0, match.start()) + 1, match[1], match[2], before))
        end = match.end()
    return found


def script(folder: Path) -> tuple[str, dict[int, str]]:
    """Returns a shell script that runs the commands of a reader, and the output of each block."""
    lines, printed, last = [READER], {}, 0
    for block in blocks():
        name = re.search(r"`([\w.]+)`:$", block.before)
        if block.language == "python" and name:
            lines.append(f"cat >{name[1]} <<'END'\n{block.text}END")
        elif block.language == "sh":
            last = block.line
            (folder / f"{last}.sh").write_text(block.text)
            lines.append(
                f'echo "line {last}" >&2\nset -e\n. {folder}/{last}.sh >{folder}/{last}.out 2>&1 </dev/null\nset +e'
            )
            if re.search(r"& (daemon|provider)=", block.text):
                lines.append("await || exit 1")
        elif block.language == "text":
            printed[last] = block.text
    return "\n".join(lines) + "\n", printed


@pytest.mark.skipif(not (BUILT / "coordinatord").exists(), reason="coordinatord has not been built")
@pytest.mark.skipif(shutil.which("dbus-run-session") is None, reason="dbus-run-session is not installed")
@pytest.mark.skipif("PYTHON_STORE" not in os.environ, reason="needs the packages that `make python` has fetched")
def test_what_readers_type(tmp_path: Path) -> None:
    """Runs all commands of the document, one after the other, in one shell."""
    home, checkout = tmp_path / "home", tmp_path / "checkout"
    home.mkdir()
    shutil.copytree(ROOT / "Python", checkout / "Python", ignore=shutil.ignore_patterns("build", "*.egg-info", ".*"))
    shutil.copytree(ROOT / "Examples" / "c-provider", checkout / "Examples" / "c-provider")
    (checkout / ".build").mkdir()
    (checkout / ".build" / "debug").symlink_to(BUILT)
    text, printed = script(tmp_path)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "PYTHON"))}
    environment |= {
        "HOME": str(home), "XDG_DATA_HOME": str(home / ".local" / "share"), "LC_ALL": "C.UTF-8", "TERM": "dumb",
        "PIP_FIND_LINKS": os.environ["PYTHON_STORE"],
        "PIP_NO_INDEX": "1", "PIP_NO_CACHE_DIR": "1", "PIP_NO_COMPILE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }  # fmt: skip
    # A separate bus: this one starts what the reader installs.
    got = subprocess.run(
        ["dbus-run-session", "--", "bash", "-c", text],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    log = got.stderr + "".join(f"--- {one.stem}\n{one.read_text()}" for one in sorted(tmp_path.glob("*.out")))
    assert got.returncode == 0, log
    assert len(printed) > 1
    for line, expected in printed.items():
        assert (tmp_path / f"{line}.out").read_text().replace(str(home), "/home/ada") == expected, log
    assert "2 passed" in log and '"com.example.Coffee"' in log and 'STRING "from-child"' not in log
    config = (home / ".local/share/coordinatord/providers/coffee.conf").read_text()
    assert config in [block.text for block in blocks()]


def test_the_flow_without_a_bus(tmp_path: Path) -> None:
    files = [block for block in blocks() if block.language == "python"]
    (tmp_path / "coffee.py").write_text(files[0].text)
    (tmp_path / "test_coffee.py").write_text(files[1].text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "Python" / "src")}
    got = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False)
    assert "2 passed" in got.stdout, got.stdout + got.stderr


def test_c_is_compiled_code() -> None:
    """The parts of the C program in the document are in the program that the tests compile."""
    source = lines(ROOT.joinpath(SOURCES).read_text())
    shown = [block for block in blocks() if block.language == "c"]
    assert shown
    for block in shown:
        part = lines(block.text)
        assert any(source[at : at + len(part)] == part for at in range(len(source))), f"{DOCUMENT.name}:{block.line}"


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


# The reference.


def rows(heading: str) -> list[list[str]]:
    """Returns the cells of the table that follows a heading."""
    text = DOCUMENT.read_text()
    table = text[text.index(f"| {heading} |") :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table]


def keys(text: str) -> set[str]:
    """Returns the keys that the document lists, in the form of the contract: `key? s`."""
    return set(re.findall(r"`([a-z-]+\?? [a-z{}]+)`", text))


def contract(start: str, end: str) -> str:
    """Returns a part of the comment in the XML, without the text in brackets."""
    text = XML.read_text()
    part = text[text.index(start) : text.index(end, text.index(start))]
    return re.sub(r"\([^()]*\)", "", part)


KEY = r"\b([a-z-]+\?? (?:a?a\{s[vs]\}|as|[sotubdv]))(?![a-z])"


def entries(part: str) -> dict[str, set[str]]:
    """Returns the keys of each quoted entry."""
    found: dict[str, set[str]] = {}
    for name, rest in re.findall(r'"([a-z-]+)"((?:(?!"[a-z-]+").)*)', part, re.DOTALL):
        found.setdefault(name, set()).update(re.findall(KEY, rest))
    return found


def test_events_are_those_of_the_contract() -> None:
    said = entries(contract("EVENT: kind s", "A child:"))
    shown = {row[0].strip("`"): keys(row[1]) for row in rows("event `kind`")}
    assert said == shown


def test_operations_are_those_of_the_contract() -> None:
    said = entries(contract('"present" key', "screens? a{sv}").split('"present", ')[0])
    shown = {row[0].strip("`"): keys(row[1]) for row in rows("operation `op`")}
    styles = {"push", "modal", "navigation", "window"}
    assert {name: said[name] for name in said if name not in styles} == shown


def test_the_context_is_that_of_the_contract() -> None:
    said = set(re.findall(KEY, contract("CONTEXT: ", "ANSWER:")))
    shown = keys(" ".join(row[0] for row in rows("`context`")))
    assert shown == said


def test_methods_are_those_of_the_contract() -> None:
    shown = dict(re.findall(r"`([A-Z]\w+)\(([^)]*)\)", DOCUMENT.read_text()))
    for method in re.finditer(r'<method name="(\w+)">(.*?)</method>', XML.read_text(), re.DOTALL):
        said = re.findall(r'<arg name="(\w+)" type="([^"]+)" direction="in"', method[2])
        assert shown[method[1]] == ", ".join(f"{name} {signature}" for name, signature in said)


def test_registrations_are_those_of_the_contract() -> None:
    text = (ROOT / "Docs" / "org.coordinatord.Coordinator1.xml").read_text()
    part = text[text.index("RegisterFlows: ") :]
    part = re.sub(r"\([^()]*\)", "", part[part.index("Each flow:") : part.index("Options:")])
    shown = keys(" ".join(row[0] for row in rows("of a flow")))
    said = set(re.findall(r"\b([a-z]+ (?:a\{s[sv]\}|[stub]))(?![a-z])", part))
    assert {key.replace("?", "") for key in shown} == said


def test_the_library_has_what_the_document_names() -> None:
    for row in rows("event `kind`") + rows("operation `op`"):
        name = re.match(r"`(\w+)\(", row[2])
        assert name and hasattr(Coordinator, name[1]), row


def test_every_error_is_explained() -> None:
    said = DOCUMENT.read_text()
    for name in re.findall(r"\b([A-Z][a-z]+(?:[A-Z][a-z]+)*)\b", contract("Errors: ", "Any other error")):
        if name in ("Denied", "Failed") or re.search("[a-z][A-Z]", name):
            assert f"`{name}`" in said, name


def test_swift_has_what_the_document_names() -> None:
    kit = ROOT / "Sources" / "Kit" / "CoordinatorKit"
    said = set(re.findall(r"\bfunc (\w+)\(", "".join(file.read_text() for file in kit.rglob("*.swift"))))
    for row in rows("event `kind`") + rows("operation `op`"):
        name = re.match(r"`(?:router\.)?(\w+)\(", row[3])
        assert not row[3] or (name and name[1] in said), row
