"""`python3 -m coordinator`: serves the flows in a file, and writes the files for D-Bus activation."""

from __future__ import annotations

import argparse
import configparser
import importlib
import importlib.util
import inspect
import io
import json
import os
import re
import shlex
import sys
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from types import ModuleType

from coordinator.core import Coordinator
from coordinator.errors import CoordinatorError, FlowError
from coordinator.scripts.flow import Script


def load(source: str) -> ModuleType:
    """Loads a Python file, or imports a module by name."""
    path = Path(source)
    if path.suffix != ".py":
        return importlib.import_module(source)
    sys.path.insert(0, str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.exists():
        raise FlowError(f"'{source}' is not a file in Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def flows_in(module: ModuleType) -> list[type[Coordinator]]:
    """Returns the flows that a module defines or imports, sorted by name."""
    found = {
        value.flow.name: value
        for _, value in inspect.getmembers(module, inspect.isclass)
        if issubclass(value, Coordinator) and "flow" in dir(value)
    }
    if not found and any(isinstance(value, Script) for value in vars(module).values()):
        raise FlowError(
            f"the flows of {module.__name__} are scripts, which coordinator-scripts serves: see Python/README.md"
        )
    if not found:
        raise FlowError(f'{module.__name__} defines no flow: class …(Coordinator, flow="…")')
    return [found[name] for name in sorted(found)]


def one_line(text: str, what: str) -> str:
    """Returns a text for a line of a file; raises FlowError if it has more than one, or control characters."""
    if any(ord(letter) < 0x20 or ord(letter) == 0x7F for letter in text):
        raise FlowError(f"{what} must be one line without control characters, not {text!r}")
    return text


def in_unit(text: str) -> str:
    """Returns a text for a unit, with escaped specifiers such as %n: systemd.unit(5)."""
    return text.replace("%", "%%")


def provider_files(flows: Sequence[type[Coordinator]], bus_name: str, title: str, command: str) -> dict[str, str]:
    """Returns the contents of the provider's configuration files, by path below XDG_DATA_HOME."""
    if not re.fullmatch(r"[A-Za-z_-][A-Za-z0-9_-]*(\.[A-Za-z_-][A-Za-z0-9_-]*)+", bus_name, re.ASCII):
        raise FlowError(f"{bus_name!r} is not a well-known bus name, such as com.example.Vet")
    title, command = one_line(title, "the title"), one_line(command, "the command")
    short = bus_name.rpartition(".")[2].lower()
    unit = f"{short}-flows.service"
    files: dict[str, str] = {}
    config = configparser.ConfigParser(interpolation=None)
    config.optionxform = str  # type: ignore[assignment,method-assign]
    version = max(flow.flow.version for flow in flows)
    config["Provider"] = {"BusName": bus_name, "Title": title, "Version": str(version)}
    for flow in (flow.flow for flow in flows):
        section = {"Title": one_line(flow.title, f"the title of {flow.name}")}
        if flow.summary:
            section["Summary"] = one_line(flow.summary, f"the summary of {flow.name}")
        if flow.version != version:
            section["Version"] = str(flow.version)
        for key, name, form in (
            ("Input", "schema", flow.input),
            ("Result", "result", flow.result),
            ("Output", "output", flow.output),
        ):
            if form is not None:
                section[key] = f"{flow.name}.{name}.json"
                schema = json.dumps(form.to_json(), indent=2, ensure_ascii=False)
                files[f"coordinatord/providers/{section[key]}"] = schema + "\n"
        if flow.router:
            section["Router"] = flow.router
        if flow.deadline is not None:
            section["Deadline"] = f"{max(1, round(flow.deadline / timedelta(milliseconds=1)))}ms"
        for key, is_set in (
            ("Rehearsable", flow.rehearsable),
            ("Singleton", flow.singleton),
            ("Internal", flow.internal),
            ("Part", flow.part),
        ):
            if is_set:
                section[key] = "yes"
        if not flow.leavable:
            section["Leavable"] = "no"
        config[f"Flow {flow.name}"] = section
    text = io.StringIO()
    config.write(text, space_around_delimiters=False)
    files[f"coordinatord/providers/{short}.conf"] = text.getvalue().rstrip("\n") + "\n"
    files[f"dbus-1/services/{bus_name}.service"] = (
        f"[D-BUS Service]\nName={bus_name}\nExec={command}\nSystemdService={unit}\n"
    )
    start = in_unit(command).replace("$", "$$")
    files[f"systemd/user/{unit}"] = (
        f"[Unit]\nDescription={in_unit(title)}\n\n"
        f"[Service]\nType=dbus\nBusName={bus_name}\nExecStart={start}\nNoNewPrivileges=yes\nKillMode=mixed\n"
    )
    return files


def data_home() -> Path:
    """Returns the directory of the user's data: XDG_DATA_HOME, which is absolute, or ~/.local/share."""
    given = Path(os.environ.get("XDG_DATA_HOME", ""))
    return given if given.is_absolute() else Path.home() / ".local" / "share"


def scripts_in(module: ModuleType) -> list[Script]:
    """Returns the scripts that a module defines or imports, each once, sorted by the name of the flow."""
    found = {id(value): value for _, value in inspect.getmembers(module) if isinstance(value, Script)}
    if not found:
        raise FlowError(f"{module.__name__} defines no script: @flow(…)")
    return sorted(found.values(), key=lambda script: script.name)


def check(options: argparse.Namespace, more: Sequence[str]) -> None:
    """Checks the scripts of a file. `more` are options of `coordinator-scripts check`."""
    from coordinator.testing import checks

    try:
        scripts_in(load(options.source))
        given = [stub.partition("=") for stub in options.stub]
        stubs = {name: json.loads(value or "null") for name, _, value in given}
        values = {name: list(one) for name, one in options.answers.items()}
        sys.exit(checks.check(options.source, more, stubs=stubs, values=values, input=options.input or {}))
    except (CoordinatorError, FlowError, ImportError, OSError, ValueError) as error:
        sys.exit(f"error: {error}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser(prog="python3 -m coordinator", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    serving = commands.add_parser("serve", help="serve the flows of a file until Ctrl-C")
    serving.add_argument("source", help="a file in Python, or the name of a module")
    serving.add_argument("--bus-name", help="the well-known name to serve under, such as com.example.Vet")
    serving.add_argument("--system", action="store_true", help="serve on the system bus")
    serving.add_argument("--replace", action="store_true", help="take the name from the process that has it")
    serving.add_argument("--idle-exit", type=float, metavar="SECONDS", help="leave after this time without work")
    writing = commands.add_parser("files", help="write the files for D-Bus activation")
    writing.add_argument("source", help="a file in Python, or the name of a module")
    writing.add_argument("--bus-name", required=True)
    writing.add_argument("--title", help="what users read about the provider")
    writing.add_argument("--exec", help="the command that serves (default: this one)")
    writing.add_argument("--data-home", type=Path, default=data_home(), metavar="DIRECTORY")
    checking = commands.add_parser(
        "check", help="walk the scripts of a file on every path, without doing their steps",
        epilog="All other options are those of coordinator-scripts check, such as --flow, --max-paths, --max-seconds,"
        " --complete, --strict, --json and --junit: see coordinator-scripts check --help.",
    )  # fmt: skip
    checking.add_argument("source", help="a file in Python, or the name of a module")
    checking.add_argument(
        "--stub", action="append", default=[], metavar="NAME=JSON", help="the result of a step or look"
    )
    checking.add_argument("--answers", type=json.loads, default={}, metavar="JSON", help="lists of payloads by form")
    checking.add_argument("--input", type=json.loads, metavar="JSON", help="the input of the flows")
    options, more = parser.parse_known_args(arguments)
    if options.command == "check":
        return check(options, more)
    if more:
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    from coordinator.provider import PROVIDER_PATH, serve

    try:
        flows = flows_in(load(options.source))
        if options.command == "serve":
            serve(
                *flows, bus_name=options.bus_name, bus="system" if options.system else None, path=PROVIDER_PATH,
                replace=options.replace, idle_exit=options.idle_exit,
            )  # fmt: skip
            return None
        source = str(Path(options.source).resolve()) if options.source.endswith(".py") else options.source
        own = [
            sys.executable,
            "-m",
            "coordinator",
            "serve",
            source,
            "--bus-name",
            options.bus_name,
            "--idle-exit",
            "60",
        ]
        title = options.title or flows[0].flow.title
        for name, text in provider_files(flows, options.bus_name, title, options.exec or shlex.join(own)).items():
            path = options.data_home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(path)
    except (FlowError, ImportError, OSError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
