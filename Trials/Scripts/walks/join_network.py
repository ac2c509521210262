#!/usr/bin/env python3
from coordinator import cancel_action, flow, primary, serve

SECURITY = {"wpa": "WPA", "open": "None"}


def join(passphrase):
    if passphrase is not None and bytes(passphrase) != b"open-sesame":
        raise PermissionError


@flow("join-network", title="Join a network", summary="Connects this device to a wireless network.", version=2)
async def join_network(ui):
    name, problem = None, None
    while True:
        form = await ui.form(
            "network", "Which network?", ui.text("name", "Name", length=(1, 32)),
            ui.choice("security", of=SECURITY, default="wpa"),
            ui.secret("passphrase", "Passphrase", length=(8, 63), pattern="^[ -~]*$").optional,
            values={"name": name} if name else None, error=problem,
            extra=[primary("join", "Join"), cancel_action("stop", "Stop")])
        name = form.name
        try:
            await ui.step("join", join, form.passphrase, busy=f"Joining {name}")
        except ui.StepFailed:
            problem = "The network does not let this device in."
        else:
            await ui.message("joined", "Connected", f"This device is in the network {name}.")
            return {"network": name}


if __name__ == "__main__":
    serve(join_network)
