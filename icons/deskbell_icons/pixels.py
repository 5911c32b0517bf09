"""Return the pixels of an icon: from pixels.json if they are kept there, else drawn with Pillow.

The icons of every day are kept, so that a program that shows them does not load Pillow, which takes 3 megabytes.
`python -m deskbell_icons.pixels` draws the file again; a test fails when that is due.
"""

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from deskbell_icons import LOOKS, SIGNS, IconState, Sign, draw, look, notice

FILE = Path(__file__).with_name("pixels.json")
PANELS = (16, 22, 24, 32, 44, 48, 64)
NOTICE = 48


class Pixels(NamedTuple):
    size: int
    rgba: bytes


def icon(state: IconState, count: int, size: int) -> Pixels:
    """Return the tray icon for a panel of any colour."""
    return Pixels(size, kept(_icon(*look(state, count), size)) or draw(state, count, size).tobytes())


def sign(sign: Sign) -> Pixels:
    """Return the picture in a notification."""
    return Pixels(NOTICE, kept(_sign(sign)) or notice(sign, NOTICE).tobytes())


def drawn() -> Iterator[tuple[str, bytes]]:
    """Draw every picture that the file keeps, by name."""
    for state, count in LOOKS:
        for size in PANELS:
            yield _icon(state, count, size), draw(state, count, size).tobytes()
    for one in SIGNS:
        yield _sign(one), notice(one, NOTICE).tobytes()


def _icon(state: IconState, count: int, size: int) -> str:
    return f"{state} {count} {size}"


def _sign(sign: Sign) -> str:
    return f"notice {sign} {NOTICE}"


def write(path: Path = FILE) -> None:
    texts = {name: b64encode(zlib.compress(rgba, 9)).decode("ascii") for name, rgba in drawn()}
    path.write_text(json.dumps(texts, indent=0) + "\n", encoding="ascii")


def kept(name: str) -> bytes | None:
    text = _file().get(name)
    return zlib.decompress(b64decode(text)) if text else None


@cache
def _file() -> Mapping[str, str]:
    texts: dict[str, str] = json.loads(FILE.read_text(encoding="ascii"))
    return texts


if __name__ == "__main__":
    write()
