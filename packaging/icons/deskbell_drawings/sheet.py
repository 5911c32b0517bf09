"""Write every icon and sign on one sheet, and the pictures of README.md.

`make pictures` does both. A test fails when the files are out of date.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngInfo

from deskbell_drawings import draw, draw_sign
from deskbell_icons import GROUNDS, LOOKS, MOST, SIGNS, Ground, IconState, Panel, look, pixels

PAPERS = ("#f6f5f4", "#2e3436", "#8a8a8a", "#000000")
"""The colours of panels: light, dark, middle grey and black."""
MENUS: dict[Ground, tuple[str, ...]] = {"light": ("#ffffff", "#f6f5f4"), "dark": ("#2e3436", "#1e1e1e"), "any": PAPERS}
TITLES: dict[Ground, str] = {
    "light": "Signs in a light menu",
    "dark": "Signs in a dark menu",
    "any": "Signs in notifications, and in menus that may be light or dark",
}
FINGERPRINT = "Drawn from"
"""The field of the PNG file that holds the checksum of pixels.txt."""
CELL, GAP, TITLE, LABEL = 56, 8, 34, 16
INK, PAGE = "#202020", "#ffffff"
PICTURES: dict[str, tuple[IconState, int]] = {
    "blocked": ("blocked", 2),
    "turn": ("your_turn", 0),
    "working": ("working", 0),
    "quiet": ("quiet", 0),
    "snoozed": ("snoozed", 0),
    "snoozed-blocked": ("snoozed", 2),
    "uninstalled": ("uninstalled", 0),
    "problem": ("problem", 0),
}
"""The pictures of README.md, by file name."""
PICTURE = 44


class Row(NamedTuple):
    paper: str
    pictures: Sequence[Image.Image]
    high: int


class Part(NamedTuple):
    title: str
    labels: Sequence[str]
    rows: Sequence[Row]

    @property
    def high(self) -> int:
        return TITLE + LABEL + sum(row.high for row in self.rows)


def sheet() -> Image.Image:
    parts = list(_parts())
    page = Image.new("RGB", (max(len(part.labels) for part in parts) * CELL, sum(part.high for part in parts)), PAGE)
    top = 0
    for part in parts:
        _put(page, part, top)
        top += part.high
    return page


def _parts() -> Iterator[Part]:
    yield _panel("Tray icon", "any", (16, 22, 24, 32, 48))
    yield _panel("Tray icon with full contrast", "contrast", (16, 22, 24, 32, 48))
    yield _panel("Template for macOS, here in black", "template", (18, 36), ("#f6f5f4",))
    for ground in reversed(GROUNDS):
        drawn = [[draw_sign(sign, size, ground) for sign in SIGNS] for size in pixels.SIGN_SIZES[ground]]
        yield Part(TITLES[ground], SIGNS, _rows(drawn, MENUS[ground]))


def _panel(title: str, panel: Panel, sizes: Sequence[int], papers: Sequence[str] = PAPERS) -> Part:
    drawn = [[draw(state, count, size, panel) for state, count in LOOKS] for size in sizes]
    return Part(title, [_label(state, count) for state, count in LOOKS], _rows(drawn, papers))


def _rows(drawn: Sequence[Sequence[Image.Image]], papers: Sequence[str]) -> list[Row]:
    return [Row(paper, pictures, pictures[0].height + GAP) for paper in papers for pictures in drawn]


def _label(state: IconState, count: int) -> str:
    """Return the number, or for the first icon of a state its name."""
    if count == look(state, 0)[1]:
        return state.replace("_", " ")
    return str(count) if count <= MOST else f"{MOST}+"


def _put(page: Image.Image, part: Part, top: int) -> None:
    canvas = ImageDraw.Draw(page)
    canvas.text((GAP, top + GAP), part.title, fill=INK, font=ImageFont.load_default(16))
    top += TITLE
    for place, label in enumerate(part.labels):
        middle = place * CELL + CELL / 2
        canvas.text((middle, top), label, fill=INK, font=ImageFont.load_default(10), anchor="ma")
    top += LABEL
    for row in part.rows:
        canvas.rectangle((0, top, page.width, top + row.high - 1), fill=row.paper)
        for place, picture in enumerate(row.pictures):
            left = place * CELL + (CELL - picture.width) // 2
            page.paste(picture, (left, top + GAP // 2), picture)
        top += row.high


def pictures() -> Iterator[tuple[str, Image.Image]]:
    """Draw the pictures of README.md, by file name."""
    for name, (state, count) in PICTURES.items():
        yield f"{name}.png", draw(state, count, PICTURE)


def main(argv: Sequence[str]) -> int:
    if len(argv) != 2 or argv[0].startswith("-"):
        print("usage: python -m deskbell_drawings.sheet SHEET FOLDER", file=sys.stderr)
        return 2
    drawn = PngInfo()
    drawn.add_text(FINGERPRINT, pixels.fingerprint())
    sheet().quantize(256, kmeans=1).save(argv[0], optimize=True, pnginfo=drawn)
    for name, picture in pictures():
        picture.save(Path(argv[1]) / name, optimize=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
