"""Records a moving picture of a terminal beside a browser, as a GIF. Needs Pillow (python3-pil) and gifsicle."""

import io
import pathlib
import subprocess

from PIL import Image

from styled_text import DARK, as_svg

SIZE = (1240, 560)
PAGE = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; background: #dfe3ea; font-family: "DejaVu Sans", sans-serif; }}
figure {{ position: absolute; margin: 0; border-radius: 8px; overflow: hidden; box-shadow: 0 4px 16px #0004; top: 20px; height: 520px; }}
figcaption {{ background: #3a3f4b; color: #e8ebf0; font-size: 13px; line-height: 28px; text-align: center; }}
svg {{ display: block; width: 100%; }}
</style><figure style="left: 20px; width: 690px; background: {paper}"><figcaption>{left}</figcaption>{terminal}</figure>
<figure style="left: 740px; width: 480px; background: #f3f4f8"><figcaption>{right}</figcaption>
<img src="data:image/png;base64,{browser}" width="480"></figure>"""


class Film:
    """Takes pictures of both, and places them side by side."""

    #: The size of the page, which is drawn at four fifths.
    PAGE_SIZE = (600, 615)

    def __init__(self, world, terminal, left, right):
        self.world, self.terminal, self.left, self.right, self.scenes = world, terminal, left, right, []
        world.look(self.PAGE_SIZE)

    def shoot(self, seconds):
        """Records a picture of both for a duration."""
        x, y, is_visible = self.terminal.tmux("display-message", "-p", "#{cursor_x} #{cursor_y} #{cursor_flag}").split()
        cursor = (int(x), int(y)) if is_visible == "1" else None
        terminal = as_svg(self.terminal.tmux("capture-pane", "-p", "-e", "-N"), 80, DARK, cursor)
        self.scenes.append((self.world.driver.get_screenshot_as_base64(), terminal, seconds))

    def save(self, file):
        driver, path = self.world.driver, self.world.home / "film.html"
        self.world.look(SIZE)
        frames = []
        for browser, terminal, _ in self.scenes:
            path.write_text(PAGE.format(left=self.left, right=self.right, terminal=terminal, browser=browser, paper=DARK["paper"]))
            driver.get(f"file://{path}")
            frames.append(Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB"))
        every = Image.new("RGB", (SIZE[0], SIZE[1] * len(frames)))
        for number, frame in enumerate(frames):
            every.paste(frame, (0, SIZE[1] * number))
        palette = every.quantize(64)
        frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
        frames[0].save(
            file, save_all=True, append_images=frames[1:], loop=0, duration=[int(seconds * 1000) for *_, seconds in self.scenes])
        subprocess.run(["gifsicle", "--batch", "-O3", "--no-warnings", str(file)], check=True)
        print(f"{file}: {pathlib.Path(file).stat().st_size // 1024} KiB, {len(frames)} frames")
