"""Return the pixels of an icon or a sign: from pixels.txt if they are kept there, else drawn with Pillow.

The file keeps the usual sizes, so that a program that shows them does not load Pillow, which takes 3 megabytes. Of the
file, only the line that was read last stays in memory. `python -m deskbell_icons.pixels` draws the file again; a test
fails if the file is out of date.
"""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple

from deskbell_icons import GROUNDS, LOOKS, SIGNS, Ground, IconState, Panel, Sign, draw, draw_sign, look
from deskbell_icons.png import png

FILE = Path(__file__).with_name("pixels.txt")
"""Each line: a name, a space, and the pixels of all sizes that are kept, one after the other."""
SIZES = (16, 18, 20, 22, 24, 32, 44, 48, 64)
"""Sizes of the tray icon: those of panels, and 22 at twice the density."""
PANELS: tuple[Panel, ...] = ("any", "contrast")
ROWS = (16, 22, 32)
"""Sizes of a sign in a menu."""
NOTICE = 48
SIGN_SIZES: dict[Ground, tuple[int, ...]] = {"any": (*ROWS, NOTICE), "light": ROWS, "dark": ROWS}


class Pixels(NamedTuple):
    size: int
    rgba: bytes


def icon(state: IconState, count: int, size: int, panel: Panel = "any") -> Pixels:
    """Return the tray icon."""
    state, count = look(state, count)
    found = _kept(_icon(state, count, panel), SIZES).get(size)
    return Pixels(size, found or draw(state, count, size, panel).tobytes())


def sign(status: Sign, size: int = NOTICE, ground: Ground = "any") -> Pixels:
    """Return the sign of a status; by default as a notification shows it."""
    found = _kept(_sign(status, ground), SIGN_SIZES[ground]).get(size)
    return Pixels(size, found or draw_sign(status, size, ground).tobytes())


@lru_cache(maxsize=2 * len(SIGNS))
def sign_png(status: Sign, size: int, dark: bool | None = None) -> bytes:
    """Return the sign of a status as a PNG file for a menu that is DARK or light; None if that is not known."""
    return png(*sign(status, size, "any" if dark is None else "dark" if dark else "light"))


def drawn() -> Iterator[tuple[str, bytes]]:
    """Draw the pictures of every line of the file, and yield its name and its pixels."""
    for ground in GROUNDS:
        for one in SIGNS:
            yield _sign(one, ground), _joined(draw_sign(one, size, ground).tobytes() for size in SIGN_SIZES[ground])
    for panel in PANELS:
        for state, count in LOOKS:
            yield _icon(state, count, panel), _joined(draw(state, count, size, panel).tobytes() for size in SIZES)


def _joined(pictures: Iterable[bytes]) -> bytes:
    return b"".join(pictures)


def _icon(state: IconState, count: int, panel: Panel) -> str:
    return f"{state}-{count}-{panel}"


def _sign(status: Sign, ground: Ground) -> str:
    return f"{status}-on-{ground}"


def write(path: Path = FILE) -> None:
    """Draw every picture, and replace the file."""
    lines = (f"{name} {b64encode(zlib.compress(rgba, 9)).decode('ascii')}\n" for name, rgba in drawn())
    path.write_text("".join(lines), encoding="ascii", newline="\n")


def fingerprint() -> str:
    """Return a checksum of the file, which differs after every change of a drawing."""
    return f"{zlib.crc32(FILE.read_text(encoding='ascii').encode('ascii')):08x}"


def kept(name: str) -> bytes:
    """Return the pixels of all sizes; empty if there is no such line."""
    start = f"{name} ".encode("ascii")
    with FILE.open("rb") as lines:
        line = next((line for line in lines if line.startswith(start)), b"")
    return zlib.decompress(b64decode(line[len(start) :])) if line else b""


@lru_cache(maxsize=1)
def _kept(name: str, sizes: tuple[int, ...]) -> dict[int, bytes]:
    """Return the pictures of a line, by size. Callers ask for all sizes of an icon in a row, so one line is cached."""
    pixels = kept(name)
    ends = accumulate((4 * size * size for size in sizes), initial=0)
    return {size: pixels[start:end] for size, (start, end) in zip(sizes, pairwise(ends), strict=True)} if pixels else {}


if __name__ == "__main__":
    write()
