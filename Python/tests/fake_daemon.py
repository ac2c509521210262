"""A daemon that knows nothing but providers: takes registrations, asks by Decide and Perform, stores results."""

import queue
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

from coordinator import wire
from coordinator.bus import Connection, Received
from coordinator.provider import DAEMON, DAEMON_PATH, INTERFACE, MANAGER, PROVIDER_PATH


class FakeDaemon:
    def __init__(self) -> None:
        self.connection = Connection("session", self._on_call)
        self.registrations: queue.Queue[tuple[str, dict[str, Any], dict[str, Any]]] = queue.Queue()
        self.results: queue.Queue[tuple[str, str, dict[str, Any]]] = queue.Queue()
        self.reports: queue.Queue[tuple[str, str, dict[str, Any]]] = queue.Queue()
        self.refuse_results = 0
        self.result_errors: list[tuple[str, str]] = []
        self.refuse_registration: tuple[str, str, tuple[Any, ...]] | None = None
        self.lock = threading.Lock()
        assert self.connection.request_name(DAEMON, replace=True)

    def _on_call(self, call: Received) -> None:
        assert call.path == DAEMON_PATH and call.interface == MANAGER, call.path
        match call.member:
            case "RegisterFlows":
                assert call.signature == "oaa{sv}a{sv}"
                if self.refuse_registration is not None:
                    return self.connection.reply_error(call, *self.refuse_registration)
                flows = {wire.plain(flow)["name"]: wire.plain(flow) for flow in call.body[1]}
                self.connection.reply(call, "u", (0,))
                self.registrations.put((call.sender, flows, wire.plain(call.body[2])))
            case "EndWork":
                assert call.signature == "ssa{sv}"
                with self.lock:
                    if self.result_errors:
                        name, reason = self.result_errors.pop(0)
                        return self.connection.reply_error(call, name, "s", (reason,))
                    self.refuse_results -= 1
                    if self.refuse_results >= 0:
                        name = "org.coordinatord.Coordinator1.Error.NotStored"
                        return self.connection.reply_error(call, name, "s", ("the disk is full",))
                self.connection.reply(call)
                self.results.put((call.body[0], call.body[1], wire.plain(call.body[2])))
            case "ReportWork":
                self.connection.reply(call)
                self.reports.put((call.body[0], call.body[1], wire.plain(call.body[2])))
            case other:
                raise AssertionError(other)
        return None

    def registered(self) -> tuple[str, dict[str, Any], dict[str, Any]]:
        """Waits for the next registration."""
        return self.registrations.get(timeout=20)

    def ask(
        self, provider: str, flow: str, event: Mapping[str, Any], *, state: str = "", turn: int = 1,
        instance: str = "/flows/1@1", **context: Any,
    ) -> Future[tuple[Any, ...]]:  # fmt: skip
        """Calls Decide."""
        whole = {
            "input": {},
            "version": 1,
            "screens": [],
            "children": [],
            "work": [],
            "router": "navigation",
            **context,
        }
        typed = {**wire.dictionary(whole), "deadline": ("t", 20_000_000), "version": ("u", 1), "looking": ("b", False)}
        typed["screens"] = ("as", whole["screens"])
        typed["work"] = ("as", whole["work"])
        body = (flow, instance, turn, state, wire.dictionary(event), typed)
        return self.connection.call_async(provider, PROVIDER_PATH, INTERFACE, "Decide", "sstsa{sv}a{sv}", body)

    def decide(self, provider: str, flow: str, event: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        """Calls Decide and waits for the answer."""
        answer: dict[str, Any] = wire.plain(self.ask(provider, flow, event, **more).result(20)[0])
        return answer

    def perform(
        self, provider: str, flow: str, work: str, argument: str = "[]", secrets: Mapping[str, str] | None = None, *,
        attempt: int = 1, instance: str = "/flows/1@1",
    ) -> None:  # fmt: skip
        """Calls Perform and waits until it is accepted."""
        body = (flow, instance, work, attempt, argument, dict(secrets or {}))
        self.connection.call(provider, PROVIDER_PATH, INTERFACE, "Perform", "sssusa{ss}", body)

    def tell(self, provider: str, member: str, signature: str, *body: Any) -> None:
        """Calls a method that has no reply."""
        self.connection.call(provider, PROVIDER_PATH, INTERFACE, member, signature, body)

    def close(self) -> None:
        self.connection.close()
