"""Test the signs of the statuses: in rows of a menu and in notifications."""

from itertools import combinations
from typing import get_args

import pytest
from PIL import Image

from deskbell_drawings import draw_sign
from deskbell_drawings.palettes import ANY, DARK, LIGHT, Hues
from deskbell_drawings.signs import FORMS
from deskbell_hooks.schema import Status
from deskbell_icons import SIGNS, Ground, Sign
from tests.packaging.eyes import contrast, visible

MENUS: dict[str, Ground] = {"#ffffff": "light", "#f6f5f4": "light", "#2e3436": "dark", "#1e1e1e": "dark"}
PAPERS = ("#ffffff", "#f6f5f4", "#8a8a8a", "#2e3436", "#000000")
SIZES = (16, 22, 32, 48)


def grey(sign: Sign, size: int, paper: str, ground: Ground) -> bytes:
    whole = Image.new("RGBA", (size, size), paper)
    whole.alpha_composite(draw_sign(sign, size, ground))
    return whole.convert("L").tobytes()


def test_there_is_a_sign_for_every_status() -> None:
    assert set(get_args(Status)) < set(SIGNS)


@pytest.mark.parametrize("paper", MENUS)
@pytest.mark.parametrize("size", SIZES)
def test_two_signs_differ_also_without_their_colours(size: int, paper: str) -> None:
    forms = {sign: grey(sign, size, paper, MENUS[paper]) for sign in SIGNS}
    for one, other in combinations(SIGNS, 2):
        off = sum(abs(a - b) > 60 for a, b in zip(forms[one], forms[other], strict=True))
        assert off > size * size / 24, f"{one} and {other} differ by {off} pixels"


@pytest.mark.parametrize("paper", MENUS)
@pytest.mark.parametrize("size", SIZES)
def test_every_sign_stands_out_from_its_menu(size: int, paper: str) -> None:
    for sign in SIGNS:
        assert visible(draw_sign(sign, size, MENUS[paper]), paper, 3.0) > size * size / 10, sign


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("size", SIZES)
def test_every_sign_for_any_paper_stands_out_from_it(size: int, paper: str) -> None:
    for sign in SIGNS:
        assert visible(draw_sign(sign, size), paper, 1.8) > size * size / 10, sign


@pytest.mark.parametrize("hues", [LIGHT, DARK, ANY], ids=["light", "dark", "any"])
def test_a_mark_stands_out_from_its_sign(hues: Hues) -> None:
    for sign in (sign for sign in SIGNS if FORMS[sign].filled):
        paint = hues[FORMS[sign].hue]
        assert contrast(paint.fill, paint.on) > 4, sign


def test_what_waits_for_the_person_is_filled() -> None:
    waits = {"permission", "question", "input", "plan", "interrupted", "error", "idle", "crashed", "install"}
    assert {sign for sign in SIGNS if FORMS[sign].filled} == waits


@pytest.mark.parametrize("paper", MENUS)
@pytest.mark.parametrize("other", ["ended", "working", "background"])
def test_a_crash_is_more_striking_than_what_need_not_be_seen(other: Sign, paper: str) -> None:
    crashed, calm = (visible(draw_sign(sign, 22, MENUS[paper]), paper, 3.0) for sign in ("crashed", other))
    assert crashed > calm
    assert [sign for sign in SIGNS if FORMS[sign].hue == FORMS["crashed"].hue] == ["crashed"]
