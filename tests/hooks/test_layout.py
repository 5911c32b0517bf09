"""Test that the statusline fits, that what matters stays, and how it is coloured and linked."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks.columns import columns
from deskbell_hooks.layout import IMPORTANCE, is_colour, line, style
from deskbell_hooks.linesettings import PRESETS, resolved
from deskbell_hooks.segments import SEGMENTS, Segment
from tests.packaging.eyes import contrast
from tests.tray.terminal.colours import DARK, FAR, FULL, LIGHT, NEAR, numbered

OTHERS = Segment("others", "bad", ["● 1 blocked: shop wants x", "● 1 blocked", "●1"], "0aa")
MODEL = Segment("model", "", ["Opus 5.5", "Opus"])
BRANCH = Segment("branch", "", ["⎇ main"])
COST = Segment("cost", "", ["$1.23"])
ESCAPES = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;;[^\x1b]*\x1b\\")


def shown(
    *found: Segment,
    room: int = 200,
    coloured: bool = False,
    ascii_only: bool = False,
    link: str = "",
    few: bool = False,
    **said: Any,
) -> str:
    options, problem = resolved(said)
    assert not problem
    return line(list(found), options, room, coloured, ascii_only, link, few)


FITS = [
    (200, "● 1 blocked: shop wants x │ Opus 5.5 │ ⎇ main │ $1.23"),
    (50, "● 1 blocked: shop wants x │ Opus │ ⎇ main │ $1.23"),
    (40, "● 1 blocked │ Opus 5.5 │ ⎇ main │ $1.23"),
    (31, "●1 │ Opus 5.5 │ ⎇ main │ $1.23"),
    (27, "●1 │ Opus │ ⎇ main │ $1.23"),
    (25, "●1 │ Opus 5.5 │ ⎇ main"),
    (18, "●1 │ Opus │ ⎇ main"),
    (17, "●1 │ Opus 5.5"),
    (10, "●1 │ Opus"),
    (8, "●1"),
    (1, "…"),
]


def test_who_waits_becomes_shorter_last() -> None:
    context = Segment("context", "", ["█████░░░░░ 50% 100k/200k", "█████░░░░░ 50%", "██░░ 50%", "ctx 50%"])
    assert shown(OTHERS, context, room=40) == "● 1 blocked: shop wants x │ ██░░ 50%"


@pytest.mark.parametrize(("room", "expected"), FITS)
def test_what_does_not_fit_becomes_shorter_and_the_least_important_goes(room: int, expected: str) -> None:
    assert shown(OTHERS, MODEL, BRANCH, COST, room=room) == expected


def test_every_segment_has_its_importance() -> None:
    assert set(IMPORTANCE) == {*SEGMENTS, "problem"}


TEXTS = st.lists(
    st.text(st.characters(min_codepoint=32, exclude_categories=["Cc", "Cs"]), min_size=1, max_size=30),
    min_size=1,
    max_size=3,
)
FOUND = st.lists(st.tuples(st.sampled_from(IMPORTANCE), TEXTS), min_size=1, max_size=11, unique_by=lambda one: one[0])


@given(FOUND, st.integers(8, 150), st.sampled_from(["plain", "powerline", "minimal"]), st.booleans(), st.booleans())
def test_a_line_never_takes_more_columns_than_there_are(
    found: list[tuple[str, list[str]]], room: int, preset: str, coloured: bool, ascii_only: bool
) -> None:
    made = [Segment(name, "", sorted(forms, key=len, reverse=True)) for name, forms in found]
    text = ESCAPES.sub("", shown(*made, room=room, coloured=coloured, ascii_only=ascii_only, preset=preset))
    assert columns(text) <= room
    assert text
    assert not ascii_only or coloured or text.isascii()


def test_each_segment_has_its_own_colour_or_that_of_its_mood() -> None:
    assert shown(OTHERS, MODEL, COST, coloured=True) == (
        "\x1b[1;38;5;196m● 1 blocked: shop wants x\x1b[0m │ \x1b[38;5;133mOpus 5.5\x1b[0m │ $1.23\x1b[0m"
    )
    assert shown(OTHERS, MODEL, COST, coloured=True, few=True) == (
        "\x1b[1;31m● 1 blocked: shop wants x\x1b[0m │ \x1b[35mOpus 5.5\x1b[0m │ $1.23\x1b[0m"
    )


def test_every_colour_of_the_presets_has_one_of_few_in_its_place() -> None:
    for preset in PRESETS:
        made = shown(*map(segment, IMPORTANCE), coloured=True, few=True, preset=preset)
        assert "38;5" not in made
        assert "48;5" not in made
        assert made.count("\x1b[") >= len(PRESETS[preset]["colors"]) - 3  # moods that no segment here has


@pytest.mark.parametrize("preset", ["plain", "minimal"])
def test_of_few_colours_no_word_has_one_that_is_too_light_on_white(preset: str) -> None:
    made = shown(*map(segment, IMPORTANCE), coloured=True, few=True, preset=preset)
    assert not re.search(r"\x1b\[(?:1;)?(?:32|33|36|92|93|96)m", made)


def segment(name: str) -> Segment:
    return Segment(name, {"context": "warn", "problem": "bad", "limits": "good", "others": "turn"}.get(name, ""), ["x"])


PALETTE = [
    (name, *spec.removeprefix("bold ").partition("/")[::2])
    for preset in PRESETS.values()
    for name, spec in preset["colors"].items()
]


@pytest.mark.parametrize(("name", "front", "back"), PALETTE)
def test_every_colour_of_the_presets_can_be_read_on_light_and_on_dark(name: str, front: str, back: str) -> None:
    if back:
        assert contrast(numbered(int(front)), numbered(int(back))) >= FULL
        return
    for ground in (*LIGHT, *DARK):
        least = FAR if ground in ("#ffffff", "#000000") else NEAR
        assert contrast(numbered(int(front)), ground) >= least, ground


def test_powerline_draws_backgrounds_and_arrows_between_them() -> None:
    assert shown(MODEL, COST, coloured=True, preset="powerline") == (
        "\x1b[38;5;231;48;5;60m Opus 5.5 \x1b[0m\x1b[38;5;60;48;5;240m\ue0b0"
        "\x1b[38;5;231;48;5;240m $1.23 \x1b[0m\x1b[38;5;240;49m\ue0b0\x1b[0m"
    )


def test_powerline_gives_a_background_to_a_colour_without_one() -> None:
    assert shown(COST, coloured=True, preset="powerline", colors={"cost": "red"}).startswith("\x1b[31;48;5;238m $1.23 ")


def test_powerline_without_colours_has_plain_separators() -> None:
    assert shown(MODEL, COST, preset="powerline") == "Opus 5.5 ❯ $1.23"


ASCII = [
    ({}, "* 1 blocked: shop wants x | Opus 5.5 | @ main"),
    ({"preset": "powerline"}, "* 1 blocked: shop wants x > Opus 5.5 > @ main"),
    ({"preset": "minimal"}, "* 1 blocked: shop wants x  Opus 5.5  @ main"),
]


@pytest.mark.parametrize(("said", "expected"), ASCII)
def test_in_ascii_every_sign_has_a_stand_in(said: dict[str, Any], expected: str) -> None:
    assert shown(OTHERS, MODEL, BRANCH, ascii_only=True, **said) == expected


def test_in_ascii_a_foreign_letter_is_a_question_mark() -> None:
    assert shown(Segment("branch", "", ["⎇ 界"]), ascii_only=True) == "@ ?"


def test_a_session_that_waits_is_a_link_and_nothing_else_is() -> None:
    assert shown(OTHERS, MODEL, link="deskbell://jump/") == (
        "\x1b]8;;deskbell://jump/0aa\x1b\\● 1 blocked: shop wants x\x1b]8;;\x1b\\ │ Opus 5.5"
    )


STYLES = [
    ("", ""),
    ("red", "\x1b[31m"),
    ("bold bright-blue", "\x1b[1;94m"),
    ("dim 33", "\x1b[2;38;5;33m"),
    ("#ff8800/black", "\x1b[38;2;255;136;0;40m"),
    ("default/bright-white", "\x1b[39;107m"),
    ("/236", "\x1b[48;5;236m"),
]
NO_COLOURS = ["reddish", "256", "#ff88", "#gggggg", "31m\x1b", "/no", "²", "RED", "bright-", "blod/blakc"]


@pytest.mark.parametrize(("spec", "expected"), STYLES)
def test_a_colour_is_a_name_a_number_or_a_code(spec: str, expected: str) -> None:
    assert is_colour(spec)
    assert style(spec) == expected


@pytest.mark.parametrize("spec", NO_COLOURS)
def test_what_is_no_colour_is_passed_over(spec: str) -> None:
    assert not is_colour(spec)
    assert style(spec) == ""


def test_one_wrong_word_spoils_no_other() -> None:
    assert not is_colour("bold rde")
    assert not is_colour("red/1/2")
    assert style("bold rde") == "\x1b[1m"
