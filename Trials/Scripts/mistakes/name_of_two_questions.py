#!/usr/bin/env python3
# finds: shared-name: ask "sure#2" "Really?"
from coordinator import UI, flow, serve


@flow("erase")
async def erase(ui: UI) -> None:
    await ui.confirm("sure", "Erase the disk?")
    await ui.confirm("sure", "Really?")


if __name__ == "__main__":
    serve(erase)
