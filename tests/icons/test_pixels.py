"""Test that each picture is the drawing of its size, and that the usual ones are found without Pillow."""

import io
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

import deskbell_icons
from deskbell_drawings import draw, draw_sign
from deskbell_icons import SIGNS, Ground, Panel, pixels

NEARLY = 2.0
"""Levels of 255, averaged over a picture: another version of Pillow may round the edges of a shape differently."""


@pytest.mark.parametrize(("panel", "sizes"), pixels.ICON_SIZES.items())
def test_an_icon_of_a_usual_size_is_as_it_was_drawn(panel: Panel, sizes: tuple[int, ...]) -> None:
    for size in sizes:
        found = pixels.icon("blocked", 3, size, panel)
        assert (found.size, pixels.image("blocked", 3, size, panel).size) == (size, (size, size))
        assert off(found, draw("blocked", 3, size, panel)) < NEARLY


def test_a_picture_that_is_not_kept_is_an_error() -> None:
    with pytest.raises(KeyError, match="odd"):
        pixels.kept("odd")
    with pytest.raises(KeyError, match="29"):
        pixels.icon("quiet", 0, 29)


@pytest.mark.parametrize("state", ["blocked", "snoozed"])
def test_all_counts_above_nine_share_a_picture(state: deskbell_icons.IconState) -> None:
    assert pixels.icon(state, 54, 22) == pixels.icon(state, 10, 22) != pixels.icon(state, 9, 22)


def test_a_notification_has_its_sign() -> None:
    assert off(pixels.sign("question"), draw_sign("question", pixels.NOTICE)) < NEARLY


@pytest.mark.parametrize(("dark", "ground"), [(False, "light"), (True, "dark"), (None, "any")])
@pytest.mark.parametrize("size", pixels.ROWS)
def test_a_row_of_a_menu_has_its_sign_as_a_png(size: int, dark: bool | None, ground: Ground) -> None:
    for sign in SIGNS:
        with Image.open(io.BytesIO(pixels.sign_png(sign, size, dark))) as image:
            image.load()
            assert off(pixels.Pixels(image.width, image.tobytes()), draw_sign(sign, size, ground)) < NEARLY, sign


USUAL = """
import sys
from deskbell_icons import LOOKS, SIGNS, pixels
for state, count in LOOKS:
    for panel, sizes in pixels.ICON_SIZES.items():
        for size in sizes:
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


def off(found: pixels.Pixels, image: Image.Image) -> float:
    """Return by how many levels of 255 the picture differs from IMAGE, averaged over all of it."""
    wanted = image.tobytes()
    return sum(abs(a - b) for a, b in zip(found.rgba, wanted, strict=True)) / len(wanted)
