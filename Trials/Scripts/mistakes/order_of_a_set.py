#!/usr/bin/env python3
# finds: difference: ask "kind"
from coordinator import UI, flow, serve


@flow("kinds")
async def kinds(ui: UI) -> None:
    names = {"tea", "coffee", "water", "milk", "juice", "soup"}
    await ui.menu("kind", "Which?", {name: name for name in names})


if __name__ == "__main__":
    serve(kinds)
