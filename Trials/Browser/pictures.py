"""Draws every kind of screen, as it is in a terminal and in a browser: pictures.py BINARIES WORK [IMAGES] [--only NAME…]

Light and dark, large and small, each a file in WORK/pictures. With IMAGES, the files that the documents show are written
there: the terminal as SVG, the browser as sheets with all screens. Needs pngquant and optipng.
"""

import argparse
import base64
import pathlib
import shutil
import subprocess
import time

from pages import PageTestCase, PHONE
from styled_text import DARK, LIGHT, as_svg
from terminal import Terminal
from views import VIEWS

DESK = (1000, 680)
# Each with the suffix of the file name, the width of the terminal, and its colors.
TERMINALS = (("", 80, LIGHT), ("-dark", 80, DARK), ("-small", 40, LIGHT), ("-small-dark", 40, DARK))
BROWSERS = (("desk", DESK), ("phone", PHONE))
# Pictures that documents show individually: the view, the device, the scheme, and the name of the file.
SINGLE = (("menu", "desk", "light", "web-modal"), ("errors", "phone", "dark", "web-errors"))
SHEET = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; padding: 16px; background: {paper}; color: {text}; font: 15px "DejaVu Sans", sans-serif; display: grid;
  grid-template-columns: repeat({columns}, {width}px); gap: 16px; width: max-content; }}
figure {{ margin: 0; }} img {{ width: {width}px; border-radius: 8px; display: block; }}
figcaption {{ padding: 6px 4px 0; min-height: 2.6em; }}</style>{figures}"""


class Pictures(PageTestCase):
    """Walks to the views, and takes pictures of them."""

    def runTest(self):
        """Does nothing; unittest requires it."""

    def begin(self, view):
        """Returns a flow tree that shows the view; for a view without a tree, starts some flows."""
        if not view.flow:
            for flow in ("pets", "copying", "account"):
                self.world.control("start", flow, "--token", f"home_{flow}")
            return ""
        return self.world.begin(view)

    def terminal(self, view, suffix, columns, look):
        tree = self.begin(view)
        size = (columns, view.rows if columns == 80 else 12)
        variables = {"COLORTERM": "truecolor", "COLORFGBG": "15;0" if look is DARK else "0;15", "LANGUAGE": view.language}
        terminal = Terminal(self.world, "coordinator-tui", *([tree] if tree else []), size=size, variables=variables)
        try:
            for key in view.keys:
                settled(terminal)
                terminal.keys(key)
            captured = settled(terminal)
            x, y, visible = terminal.tmux("display-message", "-p", "#{cursor_x} #{cursor_y} #{cursor_flag}").split()
            return as_svg(captured, columns, look, (int(x), int(y)) if visible == "1" else None)
        finally:
            terminal.close()
            self.end(tree)

    def end(self, tree):
        if tree:
            self.world.control("dismiss", tree, check=False)

    def browser(self, view, directory):
        tree = self.begin(view)
        self.world.look(DESK)
        self.world.speak(view.language)
        self.driver.get(self.world.base + (f"flows/{tree}" if tree else ""))
        self.one("h1")
        view.page(self)
        time.sleep(0.3)
        for device, size in BROWSERS:
            for scheme in ("light", "dark"):
                self.world.look(size, scheme)
                self.driver.save_screenshot(str(directory / f"web-{view.name}-{device}-{scheme}.png"))
        # The page keeps typed text for its user, which must not be on the next picture.
        self.driver.execute_script("sessionStorage.clear()")
        self.driver.get("about:blank")
        self.end(tree)

    def page_picture(self, page, width, file):
        """Takes the picture of a page that is given as HTML."""
        path = self.world.home / "page.html"
        path.write_text(page)
        self.world.look((width, 400))
        self.driver.get(f"file://{path}")
        height = self.driver.execute_script("return Math.ceil(document.body.getBoundingClientRect().height)")
        self.world.look((width, height))
        self.driver.save_screenshot(str(file))

    def sheet(self, directory, device, scheme, file):
        columns, width = (4, 380) if device == "desk" else (7, 220)
        figures = "".join(
            f'<figure><img src="{data(directory / f"web-{view.name}-{device}-{scheme}.png")}"><figcaption>{view.about}</figcaption></figure>'
            for view in VIEWS)
        paper, text = ("#e6e8ee", "#24292f") if scheme == "light" else ("#05060a", "#e4e6ea")
        page = SHEET.format(paper=paper, text=text, columns=columns, width=width, figures=figures)
        self.page_picture(page, columns * (width + 16) + 16, file)


def data(path):
    return "data:image/png;base64," + base64.b64encode(path.read_bytes()).decode()


def settled(terminal):
    """Returns the contents of the terminal once they have not changed for a moment; continuous motion is captured as it is."""
    last = None
    for _ in range(6):
        time.sleep(0.3)
        if last == (last := terminal.tmux("capture-pane", "-e", "-p", "-N")):
            break
    return last


def small(file):
    """Makes a PNG as small as possible with 128 colors."""
    subprocess.run(["pngquant", "--force", "--strip", "--nofs", "--speed", "1", "--ext", ".png", "128", str(file)], check=True)
    subprocess.run(["optipng", "-quiet", "-o4", str(file)], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binaries", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("images", type=pathlib.Path, nargs="?")
    parser.add_argument("--only", nargs="+", default=[view.name for view in VIEWS])
    parser.add_argument("--png", action="store_true", help="the terminal's pictures as PNG, too")
    options = parser.parse_args()
    options.work.mkdir(exist_ok=True)
    directory = options.work / "pictures"
    directory.mkdir(exist_ok=True)
    Pictures.arguments = (options.binaries, options.work)
    Pictures.setUpClass()
    try:
        pictures = Pictures()
        pictures.setUp()
        for view in VIEWS:
            if view.name not in options.only:
                continue
            for suffix, columns, look in TERMINALS if view.keys is not None else ():
                file = directory / f"terminal-{view.name}{suffix}.svg"
                file.write_text(pictures.terminal(view, suffix, columns, look))
                if options.png:
                    width = 80 * 8.4 + 28 if columns == 80 else 40 * 8.4 + 28
                    image = f'<body style="margin: 0">{file.read_text()}</body>'
                    pictures.page_picture(image, round(width), file.with_suffix(".png"))
            pictures.browser(view, directory)
            print(view.name, flush=True)
        if options.images and len(options.only) == len(VIEWS):
            options.images.mkdir(parents=True, exist_ok=True)
            for old in [*options.images.glob("terminal-*.svg"), *options.images.glob("web-*.png")]:
                old.unlink()
            for file in directory.glob("terminal-*.svg"):
                shutil.copy(file, options.images)
            made = []
            for view, device, scheme, name in SINGLE:
                made.append(shutil.copy(directory / f"web-{view}-{device}-{scheme}.png", options.images / f"{name}.png"))
            for device, _ in BROWSERS:
                for scheme in ("light", "dark"):
                    made.append(options.images / f"web-{device}-{scheme}.png")
                    pictures.sheet(directory, device, scheme, made[-1])
            for file in made:
                small(file)
    finally:
        Pictures.tearDownClass()


main()
