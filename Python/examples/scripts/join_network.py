#!/usr/bin/env python3
import subprocess

from coordinator import UI, Secret, flow, serve


class Radio:
    def scan(self) -> list[str]:
        command = ["nmcli", "-e", "no", "-g", "SSID", "device", "wifi", "list"]
        return sorted(set(subprocess.check_output(command, text=True).splitlines()) - {""})

    def join(self, name: str, passphrase: Secret) -> None:
        command = ["nmcli", "--ask", "device", "wifi", "connect", name]
        if subprocess.run(command, input=bytes(passphrase) + b"\n", capture_output=True, check=False).returncode:
            raise PermissionError("The network refused this passphrase.")


@flow("join-network", title="Join a network")
async def join_network(ui: UI, radio: Radio = Radio()) -> dict[str, str]:  # noqa: B008
    name = "again"
    while name == "again":
        networks = await ui.look("scan", radio.scan, busy="Looking for networks")
        name = await ui.list("network", "Which network?", networks, action={"again": "Look again"})
    problem = None
    while True:
        field = ui.secret("passphrase", length=(8, 63))
        form = await ui.form("passphrase", f"Passphrase of {name}", field, error=problem)
        try:
            await ui.step("join", radio.join, name, form.passphrase, busy=f"Joining {name}")
        except ui.StepFailed as failed:
            problem = failed.message
        else:
            await ui.message("joined", "Connected", f"This device is in the network {name}.")  # no Back from here
            return {"network": name}


if __name__ == "__main__":
    serve(join_network)
