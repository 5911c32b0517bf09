"""Test that text from elsewhere is safe to show, whatever it holds."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.text.clean import clean, cut, isolate

FAMILY = "👨‍👩‍👧"
FLAG = "🇫🇷"

CHANGED = {
    "colours": ("\x1b[31mred\x1b[0m", "red"),
    "a title for the terminal": ("a\x1b]0;owned\x07b", "ab"),
    "a title ended by ST": ("a\x1b]2;owned\x1b\\b", "ab"),
    "a link": ("\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"),
    "an escape that never ends": ("a\x1b]0;owned", "a"),
    "the 8 bit form": ("a\x9b31mb", "ab"),
    "a device string": ("a\x1bPq#0\x1b\\b", "ab"),
    "controls and NUL": ("a\x00b\x07c\x7f", "abc"),
    "lines and tabs": ("a\n\tb\r\n\n c", "a b c"),
    "an override of direction": ("a\u202egnp.exe", "agnp.exe"),
    "isolates of its own": ("a\u2066b\u2069", "ab"),
    "invisible characters": ("pass\u200bword\ufeff\u00ad", "password"),
    "hidden tags": ("a\U000e0041\U000e0042", "a"),
    "a stack of marks": ("e" + "\u0301" * 90, "e\u0301\u0301"),
    "a lone surrogate": ("a\ud83d", "a"),
    "noncharacters": ("a\uffffb\ufffe", "ab"),
    "a mark without a letter": ("\u0301a", "a"),
    "a mark on a space": ("a \u0301 b", "a b"),
    "marks before the first letter": (" \u0301 \u0301a", "a"),
    "a control between spaces": ("a\r\x1a b", "a b"),
    "nothing but spaces and controls": (" \x00 \n", ""),
}
KEPT = {
    "a family": FAMILY,
    "a flag": FLAG,
    "accents": "naïve café",
    "the marks of Thai": "ต้องการ สี่ ป่า",
    "hebrew": "שלום",
    "persian with its joiner": "می\u200cخواهم",
    "a variation": "❤️",
    "markup, which the place that shows it escapes": "<b>&amp;",
}


@pytest.mark.parametrize(("text", "shown"), CHANGED.values(), ids=CHANGED)
def test_harmful_characters_are_removed(text: str, shown: str) -> None:
    assert clean(text) == shown


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_text_that_people_write_is_kept(text: str) -> None:
    assert clean(text) == text


AWKWARD = st.text("ab \n\r\x1a\x1b[]0;m\x07\x9b\u0301\u0302\u0e49\u200c\u200d\u202e\ufe0fש", max_size=30)
"""Text in which every character is one that some rule is about."""


@given(st.text() | AWKWARD)
def test_clean_text_holds_no_control_characters(text: str) -> None:
    shown = clean(text)
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cs", "Co"}
    assert not {c for c in shown if unicodedata.category(c) == "Cf"} - {"\u200c", "\u200d"}
    shown.encode()


@given(st.text() | AWKWARD)
def test_cleaning_clean_text_changes_nothing(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(st.text() | AWKWARD)
def test_clean_text_is_one_line_with_single_spaces(text: str) -> None:
    assert clean(text) == " ".join(clean(text).split())


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert len(clean("x" * 1_000_000)) == 4000


@given(st.text(), st.integers(1, 60))
def test_cut_text_is_short_enough_and_short_text_is_not_cut(text: str, length: int) -> None:
    assert len(cut(text, length)) <= length
    assert len(text) > length or cut(text, length) == text


@pytest.mark.parametrize("whole", [FAMILY, FLAG, "é", "👍🏽", "❤️"])
def test_a_cut_never_splits_a_character(whole: str) -> None:
    text = whole * 30
    for length in range(1, 30):
        assert set(cut(text, length).removesuffix("…").split(whole)) == {""}


def test_a_cut_falls_between_words_if_a_space_is_near() -> None:
    assert cut("the quick brown fox jumps", 22) == "the quick brown fox…"


def test_right_to_left_text_is_isolated() -> None:
    assert (isolate("שלום"), isolate("abc")) == ("\u2068שלום\u2069", "abc")
