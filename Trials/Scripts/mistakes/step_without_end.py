#!/usr/bin/env python3
# finds: endless-work: the look "scan" has not ended within 1 s
# options: --patience 1
import time

from coordinator import UI, flow, serve


@flow("scan")
async def scan(ui: UI) -> None:
    await ui.look("scan", lambda: time.sleep(1000))


if __name__ == "__main__":
    serve(scan)
