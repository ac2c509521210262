#!/usr/bin/env python3
"""Finds out what a visit is for, and whether it is needed at all."""

from typing import Any

from coordinator import UI, flow, serve


@flow("schedule-visit", title="Schedule a visit", rehearsable=True)
async def schedule_visit(ui: UI) -> dict[str, Any]:
    visit = await ui.menu("select-visit-type", "What is the visit for?", well="A check-up", sick="My pet is sick")
    pain = None
    if visit == "sick":
        levels = {"none": "Not at all", "little": "A little", "severe": "Severely"}
        pain = await ui.menu("select-pain-level", "How much does it hurt?", levels)
        if pain in ("none", "little") and await ui.confirm("faking-it", "Is your pet faking it?"):
            return {"visit": visit, "pain": pain, "faked": True}
    await ui.message("no-appointment-required", "No appointment required", "Come by whenever it suits you.")
    return {"visit": visit, "pain": pain}


if __name__ == "__main__":
    serve(schedule_visit)
