"""Turn a picture into what D-Bus carries: width, height and the four bytes of every pixel, alpha first."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from deskbell_icons.pixels import Pixels

if TYPE_CHECKING:
    from PIL.Image import Image

Picture: TypeAlias = "Pixels | Image"
Pixmap = list[int | bytes]


def pixmap(picture: Picture) -> Pixmap:
    """Pixels are what Deskbell draws; pystray itself works with Images."""
    if isinstance(picture, Pixels):
        return [picture.size, picture.size, _alpha_first(picture.rgba)]
    return [picture.width, picture.height, _alpha_first(picture.convert("RGBA").tobytes())]


def _alpha_first(rgba: bytes) -> bytes:
    argb = bytearray(len(rgba))
    for place, channel in enumerate((3, 0, 1, 2)):
        argb[place::4] = rgba[channel::4]
    return bytes(argb)
