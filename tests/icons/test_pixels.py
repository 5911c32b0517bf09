"""Test that the kept pixels are those that would be drawn now, and that they are found without Pillow."""

import io
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

import deskbell_icons
from deskbell_icons import SIGNS, Ground, Panel, draw, draw_sign, pixels

AGAIN = "run python -m deskbell_icons.pixels to draw it again"
NEARLY = 2.0
"""Levels of 255, averaged over a picture: another version of Pillow may round the edges of a shape differently."""


@pytest.mark.uncounted
def test_every_kept_picture_is_what_would_be_drawn_now() -> None:
    names = [line.partition(" ")[0] for line in pixels.FILE.read_text(encoding="ascii").splitlines()]
    now = dict(pixels.drawn())
    assert names == list(now), AGAIN
    for name, picture in now.items():
        kept = pixels.kept(name)
        assert len(kept) == len(picture), f"{name}: {AGAIN}"
        off = sum(abs(a - b) for a, b in zip(kept, picture, strict=True)) / len(picture)
        assert off < NEARLY, f"{name}: {AGAIN}"


@pytest.mark.parametrize("size", [*pixels.SIZES, 29])
@pytest.mark.parametrize("panel", ["any", "contrast", "template"])
def test_an_icon_is_that_of_its_size_and_panel_kept_or_drawn(size: int, panel: Panel) -> None:
    found = pixels.icon("blocked", 3, size, panel)
    assert found.size == size
    assert nearly(found, draw("blocked", 3, size, panel))


@pytest.mark.parametrize("state", ["blocked", "snoozed"])
def test_all_counts_above_nine_share_a_picture(state: deskbell_icons.IconState) -> None:
    assert pixels.icon(state, 54, 22) == pixels.icon(state, 10, 22) != pixels.icon(state, 9, 22)


def test_a_notification_has_its_sign() -> None:
    assert nearly(pixels.sign("question"), draw_sign("question", pixels.NOTICE))


@pytest.mark.parametrize(("dark", "ground"), [(False, "light"), (True, "dark"), (None, "any")])
@pytest.mark.parametrize("size", [*pixels.ROWS, 24])
def test_a_row_of_a_menu_has_its_sign_as_a_png(size: int, dark: bool | None, ground: Ground) -> None:
    for sign in SIGNS:
        with Image.open(io.BytesIO(pixels.sign_png(sign, size, dark))) as image:
            image.load()
            assert nearly(pixels.Pixels(image.width, image.tobytes()), draw_sign(sign, size, ground)), sign


USUAL = """
import sys
from deskbell_icons import LOOKS, SIGNS, pixels
for state, count in LOOKS:
    for size in pixels.SIZES:
        for panel in pixels.PANELS:
            pixels.icon(state, count, size, panel)
for sign in SIGNS:
    pixels.sign(sign)
    for size in pixels.ROWS:
        pixels.sign_png(sign, size, dark=True), pixels.sign_png(sign, size, dark=False), pixels.sign_png(sign, size)
sys.exit("PIL" in sys.modules)
"""


def test_what_is_usual_is_there_without_pillow() -> None:
    environment = {"PYTHONPATH": str(Path(deskbell_icons.__file__).parents[1])}
    assert subprocess.run([sys.executable, "-c", USUAL], env=environment, check=False).returncode == 0


def nearly(found: pixels.Pixels, image: Image.Image) -> bool:
    wanted = image.tobytes()
    assert len(found.rgba) == len(wanted)
    return sum(abs(a - b) for a, b in zip(found.rgba, wanted, strict=True)) / len(wanted) < NEARLY
