import json
from datetime import timedelta
from pathlib import Path

import pytest

from coordinator import Coordinator
from coordinator.__main__ import main, provider_files
from coordinator.errors import FlowError
from coordinator.forms import text

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_writes_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["files", str(EXAMPLES / "join_network.py"), "--bus-name", "com.example.Wifi", "--data-home", str(tmp_path)])
    written = [Path(line).relative_to(tmp_path) for line in capsys.readouterr().out.splitlines()]
    assert [str(path) for path in written] == [
        "coordinatord/providers/wifi.conf",
        "dbus-1/services/com.example.Wifi.service",
        "systemd/user/wifi-flows.service",
    ]
    assert (tmp_path / written[0]).read_text() == (
        "[Provider]\nBusName=com.example.Wifi\nTitle=Join a network\nVersion=2\n\n"
        "[Flow join-network]\nTitle=Join a network\nSummary=Connects this device to a wireless network.\n"
    )
    assert "SystemdService=wifi-flows.service" in (tmp_path / written[1]).read_text()


@pytest.mark.parametrize(("given", "where"), [("data", "data"), ("", "home/.local/share"), (None, "home/.local/share")])
def test_writes_the_files_where_the_user_has_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str | None, where: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    if given is None:
        monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_DATA_HOME", given and str(tmp_path / given))
    main(["files", str(EXAMPLES / "join_network.py"), "--bus-name", "com.example.Wifi"])
    assert (tmp_path / where / "coordinatord/providers/wifi.conf").exists()


def test_checks_no_flow_that_the_file_lacks(capfd: pytest.CaptureFixture[str]) -> None:
    script = EXAMPLES / "scripts/join_network.py"
    with pytest.raises(SystemExit, match="1"):
        main(["check", str(script), "--flow", "joined"])
    assert "has no flow joined; it has join-network" in capfd.readouterr().err


def test_writes_all_that_a_flow_declares(tmp_path: Path) -> None:
    class Long(
        Coordinator, flow="long", version=3, router="window", deadline=timedelta(seconds=1.5), leavable=False,
        singleton=True, internal=True, rehearsable=True, input=[text("name", "Name")], result=[text("a", "A")],
        output=[text("b", "B")],
    ):  # fmt: skip
        pass

    class Short(Coordinator, flow="short"):
        pass

    files = provider_files([Long, Short], "com.example.Two", "Two", "/bin/two")
    assert files["coordinatord/providers/two.conf"] == (
        "[Provider]\nBusName=com.example.Two\nTitle=Two\nVersion=3\n\n"
        "[Flow long]\nTitle=Long\nInput=long.schema.json\nResult=long.result.json\nOutput=long.output.json\n"
        "Router=window\nDeadline=1500ms\nRehearsable=yes\nSingleton=yes\nInternal=yes\nLeavable=no\n\n"
        "[Flow short]\nTitle=Short\nVersion=1\n"
    )
    assert json.loads(files["coordinatord/providers/long.schema.json"])["properties"]["name"]["title"] == "Name"


def test_says_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "empty.py").write_text("")
    with pytest.raises(SystemExit, match="error: empty defines no flow"):
        main(["serve", str(tmp_path / "empty.py")])
    with pytest.raises(SystemExit, match="error"):
        main(["serve", "no_such_module"])


def test_text_is_never_a_directive_of_a_unit() -> None:
    class Plain(Coordinator, flow="plain", title="100 % $HOME"):
        pass

    files = provider_files([Plain], "com.example.Plain", "100 % done", "/opt/100%/serve $1 'a b'")
    unit = files["systemd/user/plain-flows.service"]
    assert "Description=100 %% done\n" in unit and "ExecStart=/opt/100%%/serve $$1 'a b'\n" in unit
    assert "Exec=/opt/100%/serve $1 'a b'\n" in files["dbus-1/services/com.example.Plain.service"]
    for title, command in (("a\nExecStartPre=/bin/evil", "/x"), ("a", "/x\nUser=root"), ("a\r", "/x"), ("a\0", "/x")):
        with pytest.raises(FlowError, match="one line"):
            provider_files([Plain], "com.example.Plain", title, command)
    for name in ("../x", "com/example.x", "com.example.x\n", "one", "com..x", "com.exämple.x"):
        with pytest.raises(FlowError, match="bus name"):
            provider_files([Plain], name, "a", "/x")

    class Broken(Coordinator, flow="broken", title="a\n[Provider]"):
        pass

    with pytest.raises(FlowError, match="title of broken"):
        provider_files([Broken], "com.example.Broken", "a", "/x")
