"""Test that the tray icon tells every state, to every eye, at every size, on every panel."""

import subprocess
import sys
from itertools import combinations
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_icons import LOOKS, MOST, STATES, IconState, Panel, draw
from deskbell_icons.scenes import FORMS, PALETTES, Hue
from tests.icons.eyes import Sight, contrast, distance, unlike

PANELS: tuple[Panel, ...] = get_args(Panel)
SIZES = (16, 22, 24, 32, 48)


@pytest.mark.parametrize("size", SIZES)
def test_every_look_differs_from_every_other_in_form_alone(size: int) -> None:
    forms = {look: draw(*look, size, "template") for look in LOOKS}
    nearest = min(combinations(forms, 2), key=lambda pair: unlike(forms[pair[0]], forms[pair[1]]))
    pixels = unlike(forms[nearest[0]], forms[nearest[1]])
    assert pixels > size * size / 60, f"{nearest} differ by {pixels:.1f} pixels"


@pytest.mark.parametrize("panel", ["dark", "light", "any"])
@pytest.mark.parametrize("hue", ["red", "blue", "amber"])
def test_a_sign_on_a_filled_bell_is_readable(panel: Panel, hue: Hue) -> None:
    palette = PALETTES[panel]
    floor = 4.5 if hue != "amber" else 3.0  # the large exclamation mark is a graphic, not text
    assert contrast(palette.fill[hue], palette.on) > floor


@pytest.mark.parametrize(("panel", "ground"), [("dark", "#2b2b2b"), ("light", "#f0f0f0")])
def test_every_colour_stands_out_from_its_panel(panel: Panel, ground: str) -> None:
    palette = PALETTES[panel]
    assert min(contrast(colour, ground) for colour in palette.line.values()) > 3


@pytest.mark.parametrize("ground", ["#000000", "#2b2b2b", "#808080", "#f0f0f0", "#ffffff"])
@pytest.mark.parametrize("state", ["working", "quiet", "snoozed", "uninstalled"])
def test_on_an_unknown_panel_the_line_or_the_core_stands_out(ground: str, state: IconState) -> None:
    palette = PALETTES["any"]
    assert max(contrast(palette.core, ground), contrast(palette.line[FORMS[state].hue], ground)) > 3


@pytest.mark.parametrize("sight", get_args(Sight))
@pytest.mark.parametrize("panel", ["dark", "light", "any"])
def test_blocked_your_turn_and_working_differ_in_colour_for_every_eye(panel: Panel, sight: Sight) -> None:
    palette = PALETTES[panel]
    colours = palette.fill["red"], palette.fill["blue"], palette.line["green"]
    assert min(distance(a, b, sight) for a, b in combinations(colours, 2)) > 0.1  # five times what is just noticeable


@given(
    state=st.sampled_from(STATES),
    count=st.integers(-1, 10_000),
    size=st.integers(12, 128),
    panel=st.sampled_from(PANELS),
)
def test_every_look_is_an_image_of_the_asked_size(state: IconState, count: int, size: int, panel: Panel) -> None:
    image = draw(state, count, size, panel)
    assert (image.mode, image.size) == ("RGBA", (size, size))
    left, top, right, bottom = image.getchannel("A").getbbox() or (0, 0, 0, 0)
    assert right - left > size * 0.9
    assert bottom - top > size * 0.9


@pytest.mark.parametrize("count", [MOST + 1, 99, 10_000])
def test_counts_above_nine_look_alike(count: int) -> None:
    assert draw("blocked", count, 16) is draw("blocked", MOST + 1, 16)


def test_a_count_changes_only_the_icon_that_shows_it() -> None:
    assert draw("your_turn", 3, 16) is draw("your_turn", 0, 16)


@pytest.mark.parametrize("size", SIZES)
def test_the_number_lies_on_whole_pixels(size: int) -> None:
    alpha = draw("blocked", 1, size, "template").getchannel("A")
    through_the_stem = [alpha.getpixel((x, round(size * 0.55))) for x in range(size // 4, size * 3 // 4)]
    assert set(through_the_stem) == {0, 255}


def test_the_template_is_black_and_alpha_only() -> None:
    for look in LOOKS:
        image = draw(*look, 44, "template")
        black, alpha = image.convert("RGB").getextrema(), image.getchannel("A").getextrema()
        assert black == ((0, 0), (0, 0), (0, 0))
        assert alpha == (0, 255)


def test_importing_the_package_does_not_load_pillow() -> None:
    check = "import sys, deskbell_icons; sys.exit('PIL' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], env={"PYTHONPATH": _source()}, check=False).returncode == 0


def _source() -> str:
    from pathlib import Path

    import deskbell_icons

    return str(Path(deskbell_icons.__file__).parents[1])
