#!/usr/bin/env python3
from coordinator import Action, cancel_action, flow, primary, serve


def check(username, password):
    # A look cannot take a secret, so the check is a step.
    if (username, bytes(password)) != ("demo", b"open-sesame"):
        raise PermissionError


@flow("account", title="Account", summary="Log in with a name and a password.")
async def account(ui):
    username, problem = "", None
    while True:
        form = await ui.form(
            "log-in", "Log in", ui.text("username", "User name", length=(1, 64)),
            ui.secret("password", "Password", length=(1, 128)), values={"username": username}, error=problem,
            extra=[primary("submit", "Log in"), cancel_action("cancel", "Cancel")])
        username = form.username
        try:
            await ui.step("check", check, username, form.password, busy="Checking the password")
            break
        except ui.StepFailed:
            problem = "The user name or the password is wrong."
    end = await ui.message(
        "user-profile", "Your account", f"You are logged in as {username}.",
        extra=[Action("log-out", "Log out"), primary("done", "Done")])
    if end == "log-out":
        ui.again()
    return {"username": username}


if __name__ == "__main__":
    serve(account)
