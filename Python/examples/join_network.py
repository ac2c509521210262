#!/usr/bin/env python3
"""Joins a wireless network: a form with a secret, and work that uses it."""

import enum
import subprocess
from dataclasses import dataclass
from typing import Protocol

from coordinator import (
    Coordinator,
    Event,
    InvalidPayload,
    Screen,
    Secret,
    Work,
    WorkResult,
    cancel_action,
    current_work,
    error,
    form,
    message,
    primary,
)
from coordinator.forms import choice, secret, text


class Security(enum.Enum):
    WPA = "wpa"
    OPEN = "open"

    @property
    def title(self) -> str:
        """What a user reads."""
        return "WPA" if self is Security.WPA else "None"


NETWORK = [
    text("name", "Name", length=(1, 32)),
    choice("security", "Security", Security, default=Security.WPA),
    secret("passphrase", "Passphrase", length=(8, 63), pattern="^[ -~]*$").optional,
]


class Radio(Protocol):
    """What joins networks."""

    def join(self, network: str, passphrase: bytes | None) -> None:
        """Joins a network, or raises what kept the device out."""


class NetworkManager:
    """Joins networks by nmcli, which reads the passphrase from its standard input."""

    def join(self, network: str, passphrase: bytes | None) -> None:
        """Joins a network."""
        command = ["nmcli", *(["--ask"] if passphrase else []), "device", "wifi", "connect", network]
        subprocess.run(command, input=(passphrase or b"") + b"\n", check=True, capture_output=True)


@dataclass
class State:
    network: str = ""
    problem: str = ""


class JoinNetwork(
    Coordinator, flow="join-network", title="Join a network", summary="Connects this device to a wireless network.",
    version=2,
):  # fmt: skip
    state: State
    radio: Radio = NetworkManager()

    def start(self) -> None:
        self.present("network")

    def screen(self, key: str) -> Screen:
        network = self.state.network
        if key == "joined":
            body = f"This device is in the network {network}."
            return message("joined", "Connected", body, actions=[primary("okay", "Okay")]).without_back()
        screen = form(
            "network", "Which network?", NETWORK, values={"name": network} if network else None,
            actions=[primary("join", "Join"), cancel_action("stop", "Stop")],
        ).saying(error("not-joined", self.state.problem) if self.state.problem else None)  # fmt: skip
        return screen.busy(f"Joining {network}") if self.running_work else screen

    def receive(self, event: Event, key: str) -> None:
        match key, event.name:
            case "network", "join":
                is_secured = event.payload["security"] == "wpa"
                if is_secured and "passphrase" not in event.secrets:
                    raise InvalidPayload(passphrase="is required by this network")
                self.state = State(str(event.payload["name"]))
                self.start_work("join", self.state.network, secrets=event.secrets)
            case "network", "stop":
                if self.running_work:
                    self.cancel_work()
                else:
                    self.cancel()
            case "joined", "okay":
                self.finish({"network": self.state.network})
            case _:
                raise event.not_taken()

    @property
    def is_dismissable(self) -> bool:
        """Whether the user may end the flow now."""
        return not self.running_work

    def perform_join(self, network: str, *, passphrase: Secret | None = None) -> None:
        """Joins the network. Bears being done twice."""
        current_work().report(0.5, f"Talking to {network}")
        self.radio.join(network, bytes(passphrase) if passphrase else None)

    def work_ended(self, work: Work, result: WorkResult) -> None:
        if result.done:
            self.replace("joined")
        else:
            self.state.problem = "The network does not let this device in."

    def work_interrupted(self, work: Work) -> None:
        self.state.problem = "Please type the passphrase again."

    def migrate(self, from_version: int) -> None:
        # Version 1 called the network `ssid`.
        self.stored = {"network": self.stored.get("ssid", "")}


if __name__ == "__main__":
    from coordinator import serve

    serve(JoinNetwork, bus_name="com.example.Wifi")
