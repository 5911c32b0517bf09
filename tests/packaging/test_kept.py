"""Test that the pictures that Deskbell ships are those that would be drawn now."""

from pathlib import Path

import pytest

from deskbell_drawings.kept import drawn, write
from deskbell_icons import pixels

AGAIN = "run `make pixels` to draw it again"
NEARLY = 2.0
"""Levels of 255, averaged over a picture: another version of Pillow may round the edges of a shape differently."""


@pytest.mark.uncounted
def test_every_kept_picture_is_what_would_be_drawn_now() -> None:
    names = [line.partition(" ")[0] for line in pixels.FILE.read_text(encoding="ascii").splitlines()]
    now = dict(drawn())
    assert names == list(now), AGAIN
    for name, picture in now.items():
        kept = pixels.kept(name)
        assert len(kept) == len(picture), f"{name}: {AGAIN}"
        off = sum(abs(a - b) for a, b in zip(kept, picture, strict=True)) / len(picture)
        assert off < NEARLY, f"{name}: {AGAIN}"


@pytest.mark.long
def test_it_writes_the_file(tmp_path: Path) -> None:
    write(tmp_path / "pixels.txt")
    assert (tmp_path / "pixels.txt").stat().st_size > 100_000
