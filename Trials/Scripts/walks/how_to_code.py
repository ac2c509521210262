#!/usr/bin/env python3
from coordinator import flow, primary, serve

STEPS = [("I wake up", "#F5001C"), ("I go out", "#ED8212"), ("500 lines", "#3BB821"), ("Ship it!", "#2E4ACC")]


@flow("how-to-code", title="How to code", summary="Four steps from waking up to shipping, one after the other.",
      rehearsable=True)
async def how_to_code(ui):
    for number, (title, accent) in enumerate(STEPS, 1):
        body = f"Step {number} of {len(STEPS)}."
        await ui.message(f"step-{number}", title, body, action=primary("next", "Next"), accent=accent)
    end = await ui.message(
        "start-over", "You know how to code", "That was all there is to it.", action=primary("finish", "Finish"),
        extra={"start-over": "Start over"})
    if end == "start-over":
        ui.again()
    return {"steps": len(STEPS)}


if __name__ == "__main__":
    serve(how_to_code)
