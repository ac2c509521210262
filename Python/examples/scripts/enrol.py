#!/usr/bin/env python3
import subprocess

from coordinator import UI, Secret, flow, serve


def call(*command: str, secret: Secret | None = None) -> str:
    given = b"" if secret is None else bytes(secret)
    return subprocess.run(command, input=given, capture_output=True, check=True).stdout.decode().strip()


@flow("enrol", title="Enrol this device", summary="An account with a second factor")
async def enrol(ui: UI) -> dict[str, str]:
    login = ui.text("login", "Log-in name")
    password = ui.secret("password", "Password", length=(8, 64), purpose="new-password")
    again = ui.secret("again", "The password again", same_as="password")
    problem = ""
    while True:
        form = await ui.form("account", "A new account", login, password, again, error=problem)
        create = ("enrol-account", form.login)
        try:
            # The token is a secret: it is in no log, and only the next step can take it.
            token = await ui.step("token", call, *create, secret=form.password, secret_result=True, busy="Creating")
            break
        except ui.StepFailed:
            problem = "There is an account with this name."
    address = await ui.step("begin", call, "begin-enrolment", form.login, secret=token)
    await ui.message("scan", "Your second factor", qr=address, link={"Without a phone": "https://example.org/help"})
    number, problem = ui.text("code", "Number", pattern="^[0-9]{6}$", length=(6, 6)), ""
    while True:
        answer = await ui.form("code", "Which number does it show?", number, error=problem)
        try:
            await ui.step("verify", call, "verify-enrolment", form.login, answer.code)
            break
        except ui.StepFailed:
            problem = "This is not the number that it shows now."
    await ui.message("done", "Enrolled", "From now on, you need your phone to log in.")
    return {"login": form.login}


if __name__ == "__main__":
    serve(enrol)
