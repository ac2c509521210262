#!/usr/bin/env python3
import subprocess
from zoneinfo import available_timezones

from coordinator import UI, flow, serve


def apply(ui: UI, *answers: object) -> None:
    command = subprocess.Popen(["set-up-machine", *map(str, answers)], text=True, stdout=subprocess.PIPE)
    for line in command.stdout or ():
        ui.progress(int(line.partition("%")[0]) / 100)
    if command.wait():
        raise ChildProcessError


@flow("set-up", title="Set up", summary="Ten questions, and what they ask for")
async def set_up(ui: UI) -> dict[str, str]:
    locale = await ui.menu("locale", "Language", {"de": "Deutsch", "en": "English"}, default="en", step=(1, 10))
    keyboard = await ui.list("keyboard", "Keyboard", {"de": "German", "us": "American", "ara": "Arabic"}, step=(2, 10))
    zones = await ui.look("zones", lambda: sorted(available_timezones()))
    zone = await ui.list("zone", "Time zone", zones, step=(3, 10))
    host = await ui.form("host", "Name of the machine", ui.host("host", "Host name"), step=(4, 10))
    user = await ui.form("user", "Account", ui.text("login", length=(1, 32), pattern="^[a-z][a-z0-9-]*$"), step=(5, 10))
    birth = await ui.form("birth", "Your birthday", ui.date("birth", "Birthday", optional=True), step=(6, 10))
    updates = await ui.form("updates", "When may it restart?", ui.time("at", value="03:00"), step=(7, 10))
    space = await ui.form("space", "Room for files", ui.integer("space", unit="GiB", range=(1, 4000)), step=(8, 10))
    wanted = {"ssh": "Remote log-in", "web": "A web server", "print": "Printing"}
    features = await ui.list("features", "What do you need?", wanted, multiple=True, initial=["ssh"], step=(9, 10))
    share = await ui.confirm("share", "Send reports?", body="They name no person.", default=False, step=(10, 10))
    await ui.review("check", "Is this right?", primary={"apply": "Set up"}, cancel="Do not set up")
    answers = (locale, keyboard, zone, host.host, user.login, birth.birth, updates.at, space.space, share, *features)
    while True:
        try:
            await ui.step("apply", apply, ui, *answers, busy=f"Setting up {host.host}")
            break
        except ui.StepFailed:
            if not await ui.confirm("again", "Try again?", error="It could not be set up."):
                ui.fail("not-set-up", "It could not be set up.")
    if await ui.confirm("restart", "Restart now?", default=True):
        await ui.step("restart", subprocess.check_call, ["restart-machine"], once=True)
    return {"host": host.host, "login": user.login}


if __name__ == "__main__":
    serve(set_up)
