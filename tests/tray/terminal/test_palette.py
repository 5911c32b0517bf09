"""Test that the colours of the board and the lists can be read on light and dark backgrounds, and where they stay."""

import io
from collections.abc import Mapping

import pytest
from rich.console import Console
from rich.style import Style

from deskbell.terminal.palette import READABLE, TOO_LIGHT, has_many, has_words, in_few, in_many, is_dark
from deskbell.text.rows import LOOKS
from deskbell.text.table import STYLES
from tests.packaging.eyes import contrast
from tests.tray.terminal.colours import DARK, FAR, LIGHT, NEAR, numbered


@pytest.mark.parametrize("number", READABLE.values())
@pytest.mark.parametrize("ground", [*LIGHT, *DARK])
def test_every_colour_can_be_read_on_every_ground(number: int, ground: str) -> None:
    assert contrast(numbered(number), ground) >= (FAR if ground in ("#ffffff", "#000000") else NEAR)


@pytest.mark.parametrize("words", [*STYLES.values(), *(style for _, style in LOOKS.values()), "yellow", "green"])
def test_every_style_of_ours_has_a_colour_that_can_be_read_or_none(words: str) -> None:
    colour = in_many(Style.parse(words)).color
    assert colour is None or colour.number in READABLE.values()


def drawn(words: str) -> str:
    out = io.StringIO()
    Console(file=out, force_terminal=True, color_system="256").print("x", style=in_many(Style.parse(words)), end="")
    return out.getvalue()


def test_another_colour_takes_the_place_of_one_of_the_terminal() -> None:
    assert drawn("bold yellow") == "\x1b[1;38;5;166mx\x1b[0m"


@pytest.mark.parametrize("words", ["bold", "dim", "default on default", "color(99)", "#ff8800", "white", "blue"])
def test_what_is_none_of_ours_stays(words: str) -> None:
    assert in_many(Style.parse(words)) == Style.parse(words)


XTERM = {1: "#cd0000", 2: "#00cd00", 3: "#cdcd00", 5: "#cd00cd", 6: "#00cdcd"}
"""Colours of xterm, whose background is white as it comes."""


@pytest.mark.parametrize("words", [*STYLES.values(), *(style for _, style in LOOKS.values()), "yellow", "green"])
def test_of_16_colours_words_have_none_that_cannot_be_read_on_white(words: str) -> None:
    plain = in_few(Style.parse(words), worded=True).color
    assert plain is None or plain.is_default or contrast(XTERM[plain.number or 0], "#ffffff") >= FAR
    assert in_few(Style.parse(words), worded=False) == Style.parse(words)


def test_the_colours_that_cannot_be_read_on_white_are_known() -> None:
    assert {number for number, colour in XTERM.items() if contrast(colour, "#ffffff") < FAR} <= TOO_LIGHT


@pytest.mark.parametrize(("text", "words"), [("● ", False), ("▰▰▱", False), ("3/7", True), ("日本", True), ("", False)])
def test_signs_are_no_words(text: str, words: bool) -> None:
    assert has_words(text) is words


def test_only_the_console_is_known_to_be_dark() -> None:
    assert [is_dark({"TERM": term}) for term in ("linux", "xterm", "")] == [True, False, False]


TERMINALS: list[tuple[Mapping[str, str], bool]] = [
    ({"TERM": "xterm-256color"}, True),
    ({"TERM": "tmux-256color"}, True),
    ({"TERM": "xterm-direct"}, True),
    ({"TERM": "foot", "COLORTERM": "truecolor"}, True),
    ({"TERM": "xterm"}, False),
    ({"TERM": "linux"}, False),
    ({"TERM": "vt100"}, False),
    ({}, False),
]


@pytest.mark.parametrize(("env", "many"), TERMINALS)
def test_a_terminal_says_whether_it_has_256_colours(env: Mapping[str, str], many: bool) -> None:
    assert has_many(env, windows=False) is many
    assert has_many(env, windows=True)
