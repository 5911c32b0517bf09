"""Return the pixels of an icon or a sign, in the sizes that pixels.txt keeps; a panel scales them to any other.

Deskbell so shows them without Pillow, which takes 3 megabytes. Of the file, only the line that was read last stays in
memory. `make pixels` draws the file again; a test fails if it is out of date.
"""

import zlib
from base64 import b64decode
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deskbell_icons import Ground, IconState, Panel, Sign, look
from deskbell_icons.formats import png

if TYPE_CHECKING:
    from PIL.Image import Image

FILE = Path(__file__).with_name("pixels.txt")
"""Each line: a name, a space, and the pixels of all sizes that are kept, one after the other."""
SIZES = (16, 18, 20, 22, 24, 32, 40, 44, 48, 64)
"""Sizes of the tray icon: those of panels and taskbars, and 22 at twice the density."""
ICON_SIZES: dict[Panel, tuple[int, ...]] = {"any": SIZES, "contrast": SIZES, "template": (18, 36)}
ROWS = (16, 22, 32)
"""Sizes of a sign in a menu."""
NOTICE = 48
SIGN_SIZES: dict[Ground, tuple[int, ...]] = {"any": (*ROWS, NOTICE), "light": ROWS, "dark": ROWS}


class Pixels(NamedTuple):
    size: int
    rgba: bytes


def icon(state: IconState, count: int, size: int, panel: Panel = "any") -> Pixels:
    """Return the tray icon in one of ICON_SIZES."""
    return Pixels(size, _kept(icon_name(*look(state, count), panel), ICON_SIZES[panel])[size])


def image(state: IconState, count: int, size: int, panel: Panel = "any") -> "Image":
    """Return the tray icon as pystray takes it."""
    from PIL import Image  # imported here, because Linux needs none

    return Image.frombytes("RGBA", (size, size), icon(state, count, size, panel).rgba)


def sign(status: Sign, size: int = NOTICE, ground: Ground = "any") -> Pixels:
    """Return the sign of a status in one of SIGN_SIZES; by default as a notification shows it."""
    return Pixels(size, _kept(sign_name(status, ground), SIGN_SIZES[ground])[size])


@lru_cache(maxsize=64)
def sign_png(status: Sign, size: int, dark: bool | None = None) -> bytes:
    """Return the sign of a status as a PNG file for a menu that is DARK or light; None if that is not known."""
    return png(*sign(status, size, "any" if dark is None else "dark" if dark else "light"))


def icon_name(state: IconState, count: int, panel: Panel) -> str:
    """Return the name of the line of an icon."""
    return f"{state}-{count}-{panel}"


def sign_name(status: Sign, ground: Ground) -> str:
    """Return the name of the line of a sign."""
    return f"{status}-on-{ground}"


def fingerprint() -> str:
    """Return a checksum of the file, which differs after every change of a drawing."""
    return f"{zlib.crc32(FILE.read_text(encoding='ascii').encode('ascii')):08x}"


def kept(name: str) -> bytes:
    """Return the pixels of all sizes. Raise KeyError if there is no such line."""
    start = f"{name} ".encode("ascii")
    with FILE.open("rb") as lines:
        for line in lines:
            if line.startswith(start):
                return zlib.decompress(b64decode(line[len(start) :]))
    raise KeyError(name)


@lru_cache(maxsize=1)
def _kept(name: str, sizes: tuple[int, ...]) -> dict[int, bytes]:
    """Return the pictures of a line, by size. Callers ask for all sizes of an icon in a row, so one line is cached."""
    pixels = kept(name)
    ends = accumulate((4 * size * size for size in sizes), initial=0)
    return {size: pixels[start:end] for size, (start, end) in zip(sizes, pairwise(ends), strict=True)}
