"""The program of a script: it describes its flows, serves them, or plays one on the terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence

from coordinator.errors import FlowError
from coordinator.scripts.flow import Script


def serve(scripts: Sequence[Script], arguments: Sequence[str] | None = None) -> None:
    """Serves scripts to the process that has started this one.

    With `--describe`, prints descriptions of the flows as JSON. Without COORDINATOR_FD in the environment, plays one of
    the flows on the terminal.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    names = [script.name for script in scripts]
    if twice := [name for name in names if names.count(name) > 1]:
        raise FlowError(f"two flows have the name '{twice[0]}'")
    if given == ["--describe"]:
        print(json.dumps({"host": True, "flows": [script.describe() for script in scripts]}, ensure_ascii=False))
    elif descriptor := os.environ.pop("COORDINATOR_FD", ""):
        from coordinator.scripts.host import Host

        Host(int(descriptor), scripts).run()
    elif os.environ.get("COORDINATOR_SOCKET") and "COORDINATOR_ENTRY" not in os.environ:
        # The engine has started this process as a run of a shell script.
        sys.exit(
            "error: the comment '# coordinator:' makes this file a shell script: remove it, and give the title, the"
            f' version and the like to @flow("{names[0]}", title=…)'
        )
    else:
        from coordinator.scripts.terminal import main

        main(scripts, given)
