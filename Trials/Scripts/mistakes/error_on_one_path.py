#!/usr/bin/env python3
# finds: mistake: KeyError: 'large'
from coordinator import UI, flow, serve

PRICES = {"small": 2}


@flow("prices")
async def prices(ui: UI) -> dict[str, int]:
    size = await ui.menu("size", "How large?", small="Small", large="Large")
    return {"price": PRICES[size]}


if __name__ == "__main__":
    serve(prices)
