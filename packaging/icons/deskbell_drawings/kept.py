"""Draw the pictures that Deskbell ships, and write them into pixels.txt: `make pixels`."""

import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path

from deskbell_drawings import draw, draw_sign
from deskbell_icons import GROUNDS, LOOKS, SIGNS
from deskbell_icons.pixels import FILE, ICON_SIZES, SIGN_SIZES, icon_name, sign_name


def drawn() -> Iterator[tuple[str, bytes]]:
    """Draw the pictures of every line of the file, and yield its name and its pixels."""
    for ground in GROUNDS:
        for one in SIGNS:
            yield sign_name(one, ground), _joined(draw_sign(one, size, ground).tobytes() for size in SIGN_SIZES[ground])
    for panel, sizes in ICON_SIZES.items():
        for state, count in LOOKS:
            yield icon_name(state, count, panel), _joined(draw(state, count, size, panel).tobytes() for size in sizes)


def _joined(pictures: Iterable[bytes]) -> bytes:
    return b"".join(pictures)


def write(path: Path = FILE) -> None:
    """Draw every picture, and replace the file."""
    lines = (f"{name} {b64encode(zlib.compress(rgba, 9)).decode('ascii')}\n" for name, rgba in drawn())
    path.write_text("".join(lines), encoding="ascii", newline="\n")


if __name__ == "__main__":
    write()
