"""Test that the kept pixels are those that would be drawn now."""

import json

from deskbell_icons import draw, pixels

AGAIN = "run python -m deskbell_icons.pixels to draw it again"
NEARLY = 2.0
"""Levels of 255, averaged over a picture: another version of Pillow may round the edges of a shape differently."""


def test_every_kept_picture_is_what_would_be_drawn_now() -> None:
    kept = {name: pixels.kept(name) or b"" for name in json.loads(pixels.FILE.read_text())}
    now = dict(pixels.drawn())
    assert kept.keys() == now.keys(), AGAIN
    for name, picture in kept.items():
        assert len(picture) == len(now[name]), f"{name}: {AGAIN}"
        off = sum(abs(a - b) for a, b in zip(picture, now[name], strict=True)) / len(picture)
        assert off < NEARLY, f"{name}: {AGAIN}"


def test_a_size_that_is_not_kept_is_drawn() -> None:
    assert pixels.icon("blocked", 3, 29) == (29, draw("blocked", 3, 29).tobytes())


def test_all_counts_above_nine_share_a_picture() -> None:
    assert pixels.icon("blocked", 54, 22) == pixels.icon("blocked", 10, 22) != pixels.icon("blocked", 9, 22)


def test_a_notification_has_its_sign() -> None:
    size, rgba = pixels.sign("question")
    assert len(rgba) == size * size * 4
    assert rgba != pixels.sign("plan").rgba
