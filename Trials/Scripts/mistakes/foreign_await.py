#!/usr/bin/env python3
# finds: mistake: asyncio
import asyncio

from coordinator import UI, flow, serve


@flow("waiting")
async def waiting(ui: UI) -> None:
    await ui.message("ready", "Ready")
    await asyncio.sleep(1)


if __name__ == "__main__":
    serve(waiting)
