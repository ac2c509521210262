"""`python3 -m coordinator check`: checks scripts by `coordinator-scripts check`, as those of the shell are checked."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from coordinator import codec
from coordinator.codec import JSON
from coordinator.scripts.engines import environment, installed

_SERVE = "from coordinator.testing.checks import serve_source; serve_source()"


def check(
    source: str, options: Sequence[str], *, stubs: Mapping[str, JSON], values: Mapping[str, JSON],
    input: Mapping[str, JSON],
) -> int:  # fmt: skip
    """Checks the scripts of a file or module, and returns the exit status of `coordinator-scripts check`.

    `options` are passed on to it. `stubs` contains the results of steps and looks, `values` lists of the values of
    forms, both by name.
    """
    with tempfile.TemporaryDirectory(prefix="check.") as folder:
        # Named after the source, for reports.
        program = Path(folder) / Path(source).name
        is_file = source.endswith(".py")
        own = [sys.executable, "-c", _SERVE, str(Path(source).resolve()) if is_file else source]
        program.write_text(f'#!/bin/sh\nexec {shlex.join(own)} "$@"\n')
        program.chmod(0o700)
        command = [installed(), "check", str(program), "--source", source, *options]
        for name, value in stubs.items():
            command += ["--stub", f"{name}=printf %s {shlex.quote(codec.text(value))}"]
        for name, value in values.items():
            command += ["--values", f"{name}={codec.text(value)}"]
        for name, value in input.items():
            command += ["--input", f"{name}:={codec.text(value)}"]
        # Its scripts find modules as this process does, wherever they are started.
        path = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)
        # Ctrl-C also reaches the program, which prints what it has found so far.
        handler = signal.signal(signal.SIGINT, lambda *_: None)
        try:
            return subprocess.run(command, env={**environment(), "PYTHONPATH": path}, check=False).returncode
        finally:
            signal.signal(signal.SIGINT, handler)


def serve_source() -> None:
    """Serves the scripts of the source that is the first argument of this process."""
    from coordinator.__main__ import load, scripts_in
    from coordinator.scripts.serving import serve

    serve(scripts_in(load(sys.argv[1])), sys.argv[2:])
