"""Test that the tray icon tells every state, to every eye, at every size, on every panel."""

from itertools import combinations
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from deskbell_drawings import draw
from deskbell_drawings.bell import bell
from deskbell_drawings.palettes import PANELS, Paint
from deskbell_icons import LOOKS, MOST, STATES, IconState, Panel
from tests.packaging.eyes import Sight, contrast, distance, strongest, unlike, visible

SIZES = (16, 18, 20, 22, 24, 32, 44, 48, 64)
LIGHT, DARK, MIDDLE, BLACK, WHITE = "#f6f5f4", "#2e3436", "#8a8a8a", "#000000", "#ffffff"
"""The colours of panels."""
ONE_OF_EACH = (*((state, 0) for state in STATES), ("snoozed", 3))
WAYS: tuple[Panel, ...] = get_args(Panel)
COLOURED: tuple[Panel, ...] = ("any", "contrast")


@pytest.mark.uncounted
@pytest.mark.parametrize("size", SIZES)
def test_every_look_differs_from_every_other_in_form_alone(size: int) -> None:
    forms = {look: draw(*look, size, "template") for look in LOOKS}
    nearest = min(combinations(forms, 2), key=lambda pair: unlike(forms[pair[0]], forms[pair[1]]))
    pixels = unlike(forms[nearest[0]], forms[nearest[1]])
    assert pixels > size * size / 80, f"{nearest} differ by {pixels:.1f} pixels"


@pytest.mark.parametrize(("ground", "least"), [(LIGHT, 3.0), (DARK, 3.0), (BLACK, 3.0), (WHITE, 3.0), (MIDDLE, 1.8)])
@pytest.mark.parametrize("size", [16, 22, 48])
def test_every_state_stands_out_from_every_panel(size: int, ground: str, least: float) -> None:
    for look in ONE_OF_EACH:
        assert visible(draw(*look, size), ground, least) > size * size / 12, look


@pytest.mark.parametrize("ground", [LIGHT, DARK, BLACK, WHITE, MIDDLE])
@pytest.mark.parametrize("size", [16, 22, 48])
def test_with_full_contrast_it_stands_out_more(size: int, ground: str) -> None:
    # To the middle grey white has a contrast of 3.4 and black one of 6.1; no colour has more.
    least = 6.9 if ground != MIDDLE else 3.2
    for look in ONE_OF_EACH:
        assert visible(draw(*look, size, "contrast"), ground, least) > size * size / 20, look


def test_on_a_light_panel_the_quiet_bell_is_the_calmest() -> None:
    darkest = {look: strongest(draw(*look, 22), LIGHT) for look in LOOKS}
    assert min(darkest, key=lambda look: darkest[look]) == ("quiet", 0)


@pytest.mark.parametrize("size", SIZES)
def test_the_panel_shows_through_an_outlined_bell(size: int) -> None:
    left, _, _, bottom = bell(size).hollow
    for state in ("quiet", "working", "snoozed", "uninstalled"):
        assert draw(state, 0, size).getchannel("A").getpixel((int(left) + 1, int(bottom) - 1)) == 0, state


def paints() -> list[tuple[str, Paint]]:
    return [(f"{hue} {panel}", paint) for panel in COLOURED for hue, paint in PANELS[panel].items()]


@pytest.mark.parametrize("paint", [paint for _, paint in paints()], ids=[name for name, _ in paints()])
def test_a_mark_stands_out_from_what_surrounds_it(paint: Paint) -> None:
    full = paint in PANELS["contrast"].values()
    assert contrast(paint.fill, paint.on) > (7 if full else 4)
    assert min(contrast(paint.line, paint.case), contrast(paint.line, paint.edge)) > (7 if full else 3)


@pytest.mark.parametrize("sight", get_args(Sight))
@pytest.mark.parametrize("panel", COLOURED)
def test_blocked_your_turn_and_working_differ_in_colour_for_every_eye(panel: Panel, sight: Sight) -> None:
    hues = PANELS[panel]
    colours = hues["red"].fill, hues["blue"].fill, hues["green"].line
    assert min(distance(a, b, sight) for a, b in combinations(colours, 2)) > 0.1  # five times what is just noticeable


@given(
    state=st.sampled_from(STATES),
    count=st.integers(-1, 10_000),
    size=st.integers(12, 128),
    panel=st.sampled_from(WAYS),
)
def test_every_look_is_an_image_of_the_asked_size(state: IconState, count: int, size: int, panel: Panel) -> None:
    image = draw(state, count, size, panel)
    assert (image.mode, image.size) == ("RGBA", (size, size))
    left, top, right, bottom = image.getchannel("A").getbbox() or (0, 0, 0, 0)
    assert right - left > size * 0.9
    assert bottom - top > size * 0.9


@pytest.mark.parametrize("state", ["blocked", "snoozed"])
@pytest.mark.parametrize("count", [MOST + 1, 99, 10_000])
def test_counts_above_nine_look_alike(state: IconState, count: int) -> None:
    assert draw(state, count, 16) is draw(state, MOST + 1, 16)


def test_a_count_changes_only_the_icon_that_shows_it() -> None:
    assert draw("your_turn", 3, 16) is draw("your_turn", 0, 16)


@pytest.mark.parametrize("size", SIZES)
def test_the_number_lies_on_whole_pixels(size: int) -> None:
    alpha = draw("blocked", 1, size, "template").getchannel("A")
    through_the_stem = [alpha.getpixel((x, round(size * 0.55))) for x in range(size // 4, size * 3 // 4)]
    assert set(through_the_stem) == {0, 255}


@pytest.mark.parametrize("size", [16, 22, 24])
def test_the_sides_of_the_bell_and_its_base_lie_on_whole_pixels(size: int) -> None:
    image = draw("quiet", 0, size)
    base = [_pixel(image, size // 2, y) for y in range(size - 5, size)]
    side = [_pixel(image, x, size - 6) for x in range(size // 2)]
    whole = {*(_rgba(colour) for colour in (PANELS["any"]["grey"].case, PANELS["any"]["grey"].line)), (0, 0, 0, 0)}
    assert {*base, *side} == whole


def test_the_template_is_black_and_alpha_only() -> None:
    for look in LOOKS:
        image = draw(*look, 44, "template")
        black, alpha = image.convert("RGB").getextrema(), image.getchannel("A").getextrema()
        assert black == ((0, 0), (0, 0), (0, 0))
        assert alpha == (0, 255)


def _pixel(image: Image.Image, x: int, y: int) -> object:
    return image.getpixel((x, y))


def _rgba(colour: str) -> tuple[int, ...]:
    return (*bytes.fromhex(colour.removeprefix("#")), 255)
