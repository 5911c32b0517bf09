"""Text from elsewhere: whatever it holds, what is shown is harmless."""

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
    "a title ended the other way": ("a\x1b]2;owned\x1b\\b", "ab"),
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
    "a tower of marks": ("e" + "\u0301" * 90, "e\u0301\u0301"),
    "half a character": ("a\ud83d", "a"),
    "no character": ("a\uffffb\ufffe", "ab"),
    "a mark on nothing": ("\u0301a", "a"),
}
KEPT = {
    "a family": FAMILY,
    "a flag": FLAG,
    "accents": "naïve café",
    "marks of a script": "ต้องการ สี่ ป่า",
    "hebrew": "שלום",
    "persian with its joiner": "می\u200cخواهم",
    "a variation": "❤️",
    "markup, which is escaped where it is shown": "<b>&amp;",
}


@pytest.mark.parametrize(("text", "shown"), CHANGED.values(), ids=CHANGED)
def test_what_could_harm_is_taken_out(text: str, shown: str) -> None:
    assert clean(text) == shown


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_what_people_write_is_kept(text: str) -> None:
    assert clean(text) == text


@given(st.text())
def test_nothing_that_is_shown_controls_anything(text: str) -> None:
    shown = clean(text)
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cs", "Co"}
    assert not {c for c in shown if unicodedata.category(c) == "Cf"} - {"\u200c", "\u200d"}
    shown.encode()


@given(st.text())
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert clean(clean(text)) == clean(text)


def test_a_megabyte_costs_no_more_than_its_beginning() -> None:
    assert len(clean("x" * 1_000_000)) == 4000


@given(st.text(), st.integers(20, 60))
def test_a_cut_text_is_short_enough_and_a_short_one_is_not_cut(text: str, length: int) -> None:
    assert len(cut(text, length)) <= length
    assert len(text) > length or cut(text, length) == text


@pytest.mark.parametrize("whole", [FAMILY, FLAG, "é", "👍🏽", "❤️"])
def test_no_cut_goes_through_a_character(whole: str) -> None:
    text = whole * 30
    for length in range(20, 30):
        assert set(cut(text, length).removesuffix("…").split(whole)) == {""}


def test_a_cut_is_made_between_words_where_there_is_one_near() -> None:
    assert cut("the quick brown fox jumps", 22) == "the quick brown fox…"


def test_right_to_left_text_keeps_its_direction_to_itself() -> None:
    assert (isolate("שלום"), isolate("abc")) == ("\u2068שלום\u2069", "abc")
