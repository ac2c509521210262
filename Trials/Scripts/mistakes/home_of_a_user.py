#!/usr/bin/env python3
# finds: difference: ask "home"
import os

from coordinator import UI, flow, serve


@flow("homes")
async def homes(ui: UI) -> None:
    await ui.message("home", f"Your files are in {os.environ['HOME']}")


if __name__ == "__main__":
    serve(homes)
