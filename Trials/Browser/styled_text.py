"""The contents of a terminal, as `tmux capture-pane -e` writes them: as pieces with a style, and as SVG."""

import dataclasses
import html
import re
import unicodedata

CELL, LINE, MARGIN = 8.4, 18, 14

# The 16 colors of a terminal, each legible on the paper.
LIGHT = {
    "paper": "#fdfdfb", "edge": "#d8d8d0", "text": "#24292f", "palette": (
        "#24292f #c0392b #2e8b57 #b8860b #2e4acc #a347ba #138d90 #d8d8d0 "
        "#6e7781 #d1493b #3a9c66 #a67c00 #4a63d9 #b35cc8 #1c9da0 #ffffff").split()}
DARK = {
    "paper": "#16181d", "edge": "#30343c", "text": "#e4e6ea", "palette": (
        "#30343c #ff8578 #6fd39b #e5c15d #8fa6ff #d78cf0 #5fd0d3 #e4e6ea "
        "#8b929c #ff9f95 #8be0b1 #f0d283 #aabbff #e3aaf5 #83dee0 #ffffff").split()}


@dataclasses.dataclass(frozen=True)
class Style:
    """The style of a piece. A color is a number of the palette, or `#rrggbb`; None is the terminal's default."""

    text: int | str | None = None
    paper: int | str | None = None
    bold: bool = False
    faint: bool = False
    underlined: bool = False
    reverse: bool = False

    def changed(self, codes):
        """Returns the style after an escape sequence with these numbers."""
        style, codes = self, list(codes)
        while codes:
            code = codes.pop(0)
            if code == 0:
                style = Style()
            elif code in (1, 2, 4, 7):
                style = dataclasses.replace(style, **{{1: "bold", 2: "faint", 4: "underlined", 7: "reverse"}[code]: True})
            elif code == 22:
                style = dataclasses.replace(style, bold=False, faint=False)
            elif code in (24, 27):
                style = dataclasses.replace(style, **{"underlined" if code == 24 else "reverse": False})
            elif code in (38, 48):
                name, length = "text" if code == 38 else "paper", 2 if codes[:1] == [5] else 4
                style = dataclasses.replace(style, **{name: indexed(codes[1]) if length == 2 else "#%02x%02x%02x" % tuple(codes[1:4])})
                del codes[:length]
            elif code in (39, 49):
                style = dataclasses.replace(style, **{"text" if code == 39 else "paper": None})
            else:
                for first, name, offset in ((30, "text", 0), (90, "text", 8), (40, "paper", 0), (100, "paper", 8)):
                    if first <= code < first + 8:
                        style = dataclasses.replace(style, **{name: code - first + offset})
        return style

    def colours(self, look):
        """Returns the colors of the text and of the background; None for the terminal's default background."""
        text = look["text"] if self.text is None else look["palette"][self.text] if isinstance(self.text, int) else self.text
        paper = look["palette"][self.paper] if isinstance(self.paper, int) else self.paper
        return (paper or look["paper"], text) if self.reverse else (text, paper)


def indexed(number):
    """Returns one of 256 colors: the first 16 are those of the palette."""
    if number < 16:
        return number
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    number -= 16
    return "#" + "".join(f"{0 if level == 0 else 55 + 40 * level:02x}" for level in (number // 36, number // 6 % 6, number % 6))


def rows(captured):
    """Returns the captured rows, each a list of pieces with their style."""
    style, found = Style(), []
    for row in captured.rstrip("\n").split("\n"):
        pieces = []
        for part in re.split(r"(\x1b\[[0-9;]*m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x0e\x0f])", row):
            if part.startswith("\x1b["):
                style = style.changed(int(code or 0) for code in part[2:-1].split(";"))
            elif part and part[0] >= " ":
                pieces.append((part, style))
        found.append(pieces)
    return found


def cells(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def as_svg(captured, columns, look, cursor=None):
    """Returns an image. `cursor` is the column and the row of the drawn cursor."""
    found = rows(captured)
    width, height = columns * CELL + 2 * MARGIN, len(found) * LINE + 2 * MARGIN
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" font-size="14" '
        'font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace">',
        f'<rect width="100%" height="100%" rx="8" fill="{look["paper"]}" stroke="{look["edge"]}"/>']
    blocks = {}
    for number, pieces in enumerate(found):
        column, y = 0, MARGIN + number * LINE
        for whole, style in pieces:
            # Each wide character separately, because fonts differ in the width of two of them. Blocks are drawn as shapes, so
            # that no font leaves gaps between them.
            for piece in re.findall(r"[█▀▄]+|[\u2e80-\uffdc]|[^\u2e80-\uffdc█▀▄]+|.", whole):
                width = cells(piece)
                x = MARGIN + column * CELL
                text, paper = style.colours(look)
                if paper:
                    out.append(f'<rect x="{x:.1f}" y="{y}" width="{width * CELL:.1f}" height="{LINE}" fill="{paper}"/>')
                if style.underlined:
                    out.append(f'<path d="M{x:.1f} {y + 16}h{width * CELL:.1f}" stroke="{text}" stroke-opacity=".5"/>')
                if piece[0] in "█▀▄":
                    faint = ".55" if style.faint else "1"
                    for kind, count, start in runs(piece):
                        top, tall = {"█": (0, LINE), "▀": (0, LINE // 2), "▄": (LINE // 2, LINE // 2)}[kind]
                        blocks.setdefault((text, faint), []).append(
                            f"M{x + start * CELL:.1f} {y + top}h{count * CELL:.1f}v{tall}h-{count * CELL:.1f}z")
                elif piece.strip():
                    start, piece = len(piece) - len(piece.lstrip(" ")), piece.strip(" ")
                    weight = ' font-weight="bold"' if style.bold else ""
                    faint = ' fill-opacity=".55"' if style.faint else ""
                    out.append(
                        f'<text x="{x + start * CELL:.1f}" y="{y + 13}" xml:space="preserve" textLength="{cells(piece) * CELL:.1f}" '
                        f'fill="{text}"{weight}{faint}>{html.escape(piece)}</text>')
                column += width
        if blocks:
            out += [
                f'<path d="{"".join(paths)}" fill="{fill}" fill-opacity="{faint}" shape-rendering="crispEdges"/>'
                for (fill, faint), paths in blocks.items()]
            blocks.clear()
    if cursor:
        x, y = MARGIN + cursor[0] * CELL, MARGIN + cursor[1] * LINE
        out.append(f'<rect x="{x:.1f}" y="{y + 1}" width="2" height="{LINE - 3}" fill="{look["text"]}"/>')
    return "\n".join(out + ["</svg>\n"])


def runs(text):
    """Returns the runs of equal characters: the character, their number, and the position of the first one."""
    return [(run.group(1), len(run.group(0)), run.start()) for run in re.finditer(r"(.)\1*", text)]
