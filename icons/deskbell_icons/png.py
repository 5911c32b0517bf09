"""Encode pixels as a PNG file without Pillow. Pure.

https://www.w3.org/TR/png-3/
"""

import struct
import zlib

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
