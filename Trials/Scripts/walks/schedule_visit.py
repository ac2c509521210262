#!/usr/bin/env python3
from coordinator import flow, serve

LEVELS = {"none": "Not at all", "little": "A little", "moderate": "Moderately", "severe": "Severely",
          "worst-possible": "As much as can be"}
HONESTY = {"is-fake": "Yes, it is faking", "not-fake": "No, it is real"}


@flow("schedule-visit", title="Schedule a visit", version=2, rehearsable=True,
      summary="Asks what a visit is for, and whether it is needed at all.")
def schedule_visit(ui):
    visit, pain = ui.menu("select-visit-type", "What is the visit for?", well="A check-up", sick="My pet is sick"), None
    if visit == "sick":
        pain = ui.menu("select-pain-level", "How much does it hurt?", LEVELS)
        if pain in ("none", "little") and ui.menu("faking-it", "Is your pet faking it?", HONESTY) == "is-fake":
            return {"visit": visit, "pain": pain, "faked": True}
    ui.message("no-appointment-required", "No appointment required", "Come by whenever it suits you.")
    return {"visit": visit, "pain": pain}


if __name__ == "__main__":
    serve(schedule_visit)
