#!/usr/bin/env python3
import subprocess

from coordinator import UI, flow, serve
from coordinator.work import current_work


class Backups:
    def all(self) -> list[str]:
        return subprocess.check_output(["list-backups"], text=True).splitlines()

    def restore(self, ui: UI, backup: str) -> None:
        command = subprocess.Popen(["restore-backup", backup], text=True, stdout=subprocess.PIPE)
        # Stop ends the command by SIGTERM. It goes on where it was when it runs again.
        with command, current_work().cancelling(command.terminate):
            for line in command.stdout or ():
                percent, _, text = line.strip().partition("% ")
                ui.progress(int(percent) / 100, text)
        if command.returncode:
            raise RuntimeError("It has failed.")


@flow("restore", title="Restore a backup", summary="Replaces the files of this machine")
async def restore(ui: UI, backups: Backups = Backups()) -> dict[str, str]:  # noqa: B008
    known = await ui.look("backups", backups.all, busy="Looking for backups")
    backup = await ui.list("backup", "Which backup?", known, cancel=True)
    about = f"They will be those of {backup}."
    if not await ui.confirm("sure", "Replace all files?", body=about, destructive=True, yes="Replace", no="Keep"):
        ui.cancel()
    while True:
        try:
            await ui.step("restore", backups.restore, ui, backup, busy=f"Restoring {backup}", stoppable=True)
            break
        except ui.Stopped:
            problem = "You have stopped it. Some files are those of the backup."
        except ui.StepFailed as failed:
            problem = failed.message
        if not await ui.confirm("again", "Go on?", yes="Go on", no="Leave it so", error=problem):
            ui.fail("incomplete", "The backup was not restored completely.")
    await ui.message("done", "Restored", f"The files are those of {backup}.")
    return {"backup": backup}


if __name__ == "__main__":
    serve(restore)
