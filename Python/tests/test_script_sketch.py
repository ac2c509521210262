"""The sketch of the design runs word for word."""

from pathlib import Path

from coordinator import Secret, flow
from coordinator.testing import play, replays


class Radio:
    def scan(self) -> list[str]:
        raise NotImplementedError

    def join(self, name: str, passphrase: Secret) -> None:
        raise NotImplementedError


class FakeRadio(Radio):
    def __init__(self, networks: list[str], passphrase: str) -> None:
        self.networks, self.passphrase, self.joins, self.scans = networks, passphrase, 0, 0

    def scan(self) -> list[str]:
        self.scans += 1
        return self.networks

    def join(self, name: str, passphrase: Secret) -> None:
        if bytes(passphrase) != self.passphrase.encode():
            raise PermissionError(f"{name} refused the passphrase")
        self.joins += 1


# fmt: off
@flow("schedule-visit", title="Schedule a visit", rehearsable=True)
async def schedule_visit(ui):  # type: ignore[no-untyped-def]
    visit = await ui.menu("select-visit-type", "What is the visit for?", well="A check-up", sick="My pet is sick")
    pain = None
    if visit == "sick":
        pain = await ui.menu("select-pain-level", "How much does it hurt?",
                             {"none": "Not at all", "little": "A little", "severe": "Severely"})
        if pain in ("none", "little") and await ui.confirm("faking-it", "Is your pet faking it?"):
            return {"visit": visit, "pain": pain, "faked": True}
    await ui.message("no-appointment-required", "No appointment required", "Come by whenever it suits you.")
    return {"visit": visit, "pain": pain}

@flow("join-network", title="Join a network")
async def join_network(ui, radio=Radio()):  # type: ignore[no-untyped-def]  # noqa: B008
    while True:
        networks = await ui.look("scan", radio.scan, busy="Looking for networks")
        name = await ui.list("network", "Which network?", networks, extra={"again": "Look again"})
        if name != "again": break  # noqa: E701
    problem = None
    while True:
        form = await ui.form("passphrase", f"Passphrase of {name}", ui.secret("passphrase", length=(8, 63)), error=problem)  # noqa: E501
        try:
            await ui.step("join", radio.join, name, form.passphrase, busy=f"Joining {name}")
            break
        except ui.StepFailed as failed:
            problem = failed.message
    await ui.message("joined", "Connected", f"This device is in the network {name}.")   # no Back from here: join was an effect  # noqa: E501
    return {"network": name}


def test_faking() -> None:
    flow = play(schedule_visit)
    flow.answer("select-visit-type", "sick").answer("select-pain-level", "little").back()
    assert flow.screen.name == "select-pain-level" and flow.screen.suggested == "little"
    flow.answer("little").restart().answer("yes")                 # restart(): a new run on the stored log
    assert flow.result == {"visit": "sick", "pain": "little", "faked": True}

def test_wrong_passphrase_then_crash() -> None:
    radio = FakeRadio(["home"], passphrase="open-sesame")
    flow = play(join_network, radio=radio).answer("network", "home").answer(passphrase="wrong-one")
    assert "refused" in flow.screen.messages[0].text and flow.can_go_back
    flow.answer(passphrase="open-sesame", crash="before-step")
    assert flow.screen.messages[0].code == "secret-lost" and radio.joins == 0 and "open-sesame" not in flow.log_text
    flow.answer(passphrase="open-sesame"); assert flow.screen.name == "joined" and not flow.can_go_back and radio.joins == 1  # noqa: E501,E702

def test_old_logs_still_replay() -> None:                         # recorded by coordinatorctl script export
    for log in (Path(__file__).parent / "logs").glob("*.json"): assert replays(schedule_visit, log), log  # noqa: E701
# fmt: on
