"""A moving picture of a set-up in a terminal and a browser: moving_picture.py BINARIES WORK FILE.gif

Plays what live_programs_tests.py plays, and writes a GIF. Needs Pillow (python3-pil).
"""

import base64
import html
import io
import pathlib
import re
import sys
import time

from PIL import Image

import live_programs_tests
from pages import PageTestCase

# The 16 colours of a terminal, as xterm has them.
COLOURS = ("000000 cd0000 00cd00 cdcd00 5c9cf5 cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff").split()
SIZE = (1240, 560)
PAGE = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; background: #dfe3ea; font-family: "DejaVu Sans", sans-serif; }}
figure {{ position: absolute; margin: 0; border-radius: 8px; overflow: hidden; box-shadow: 0 4px 16px #0004; top: 20px; height: 520px; }}
figcaption {{ background: #3a3f4b; color: #e8ebf0; font-size: 13px; line-height: 28px; text-align: center; }}
pre {{ margin: 0; padding: 12px; background: #16181d; color: #e5e5e5; font: 13.5px/18.6px "DejaVu Sans Mono", monospace; height: 470px; }}
</style><figure style="left: 20px; width: 690px"><figcaption>{command}</figcaption><pre>{terminal}</pre></figure>
<figure style="left: 740px; width: 480px; background: #f3f4f8"><figcaption>the same in a browser</figcaption>
<img src="data:image/png;base64,{browser}" width="480"></figure>"""


def colour(number):
    """One of the 256 colours of a terminal."""
    if number < 16:
        return COLOURS[number]
    if number >= 232:
        return f"{8 + 10 * (number - 232):02x}" * 3
    number -= 16
    return "".join(f"{0 if level == 0 else 55 + 40 * level:02x}" for level in (number // 36, number // 6 % 6, number % 6))


def style(codes, state):
    """Changes how text looks by the numbers of an escape sequence."""
    codes = [int(code or 0) for code in codes]
    while codes:
        code = codes.pop(0)
        if code == 0:
            state.clear()
        elif code in (38, 48) and codes[:1] == [5]:
            state["color" if code == 38 else "background"] = f"#{colour(codes[1])}"
            del codes[:2]
        elif code in (38, 48) and codes[:1] == [2]:
            state["color" if code == 38 else "background"] = "#%02x%02x%02x" % tuple(codes[1:4])
            del codes[:4]
        elif 30 <= code <= 37 or 90 <= code <= 97:
            state["color"] = f"#{COLOURS[code - 30 if code < 40 else code - 82]}"
        elif 40 <= code <= 47 or 100 <= code <= 107:
            state["background"] = f"#{COLOURS[code - 40 if code < 50 else code - 92]}"
        elif code in (39, 49):
            state.pop("color" if code == 39 else "background", None)
        elif code == 1:
            state["font-weight"] = "bold"
        elif code == 2:
            state["opacity"] = "0.65"
        elif code == 22:
            state.pop("font-weight", None)
            state.pop("opacity", None)
        elif code == 7:
            state |= {"color": "#16181d", "background": "#e5e5e5"}
        elif code == 27:
            state.pop("color", None)
            state.pop("background", None)


def markup(text):
    """What a terminal shows, as HTML."""
    parts, state = [], {}
    for piece in re.split(r"(\x1b\[[0-9;]*m)", text):
        if piece.startswith("\x1b["):
            style(piece[2:-1].split(";"), state)
        elif piece:
            css = "; ".join(f"{name}: {value}" for name, value in state.items())
            parts.append(f'<span style="{css}">{html.escape(piece)}</span>' if css else html.escape(piece))
    return "".join(parts)


class MovingPicture(live_programs_tests.LiveProgramTests):
    """Takes pictures of both, and puts them side by side."""

    target = ""

    def scene(self, text, seconds):
        self.both(text)
        # Until what has just changed is not marked as new any more.
        time.sleep(1)
        self.world.look((600, 615))
        browser = self.driver.get_screenshot_as_base64()
        terminal = markup(self.terminal.tmux("capture-pane", "-p", "-e"))
        self.scenes.append((browser, terminal, seconds))

    def runTest(self):
        self.tree, self.scenes = "setup", []
        self.root = self.world.home / "root-picture"
        self.world.look((600, 615))
        self.begin()
        self.scene("Setup Options", 3)
        self.press("5 Localisation Options")
        self.scene("Localisation Options", 2.5)
        self.terminal.keys("Down", "Enter")
        self.scene("Geographic area", 2.5)
        self.press("Europe")
        self.scene("Time zone", 2.5)
        self.press("Rome")
        self.scene("Setup Options", 3)
        self.world.look(SIZE)
        frames = []
        for browser, terminal, _ in self.scenes:
            page = PAGE.format(command="coordinatorctl exec -- raspi-config", terminal=terminal, browser=browser)
            self.driver.get("data:text/html;base64," + base64.b64encode(page.encode()).decode())
            frames.append(Image.open(io.BytesIO(self.driver.get_screenshot_as_png())).convert("RGB"))
        palette = frames[0].quantize(64)
        frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
        frames[0].save(
            self.target, save_all=True, append_images=frames[1:], loop=0, optimize=True,
            duration=[int(seconds * 1000) for *_, seconds in self.scenes])
        print(f"{self.target}: {pathlib.Path(self.target).stat().st_size // 1024} KiB")


if __name__ == "__main__":
    PageTestCase.arguments = sys.argv[1:3]
    MovingPicture.target = sys.argv[3]
    MovingPicture.setUpClass()
    try:
        picture = MovingPicture()
        try:
            picture.setUp()
            picture.runTest()
        finally:
            picture.doCleanups()
    finally:
        MovingPicture.tearDownClass()
