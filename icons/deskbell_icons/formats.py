"""Encode pictures as files: PNG without Pillow, and ICO as Windows needs it. Pure.

https://www.w3.org/TR/png-3/
"""

import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from PIL.Image import Image

SIGNATURE = b"\x89PNG\r\n\x1a\n"
DEPTH, RGBA, DEFLATE, ADAPTIVE, NOT_INTERLACED = 8, 6, 0, 0, 0
UNFILTERED = b"\0"


def png(size: int, rgba: bytes) -> bytes:
    """Return the file of a square picture."""
    row = 4 * size
    rows = b"".join(UNFILTERED + rgba[start : start + row] for start in range(0, len(rgba), row))
    head = struct.pack(">IIBBBBB", size, size, DEPTH, RGBA, DEFLATE, ADAPTIVE, NOT_INTERLACED)
    return SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows, 9)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def save_ico(images: "Sequence[Image]", file: Path | BinaryIO) -> None:
    """Save each of IMAGES as it is. Pillow alone would scale the largest one, and leave out unusual sizes."""
    *smaller, largest = sorted(images, key=lambda image: image.width)
    largest.save(file, "ICO", sizes=[image.size for image in images], append_images=smaller)
