"""Test that text fits into columns, whatever its characters take."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.text.clean import END_ISOLATE, ISOLATE
from deskbell.text.width import cut_to, even, first_of, fitted, last_of, width


@pytest.mark.parametrize(
    ("text", "columns"),
    {
        "": 0,
        "web": 3,
        "naïve": 5,
        "日本": 4,
        "👍": 2,
        "e\u0301": 1,
        "👩‍🚀": 4,
        "👍🏽": 2,
        "❤️": 1,
        "🇩🇪": 2,
        f"{ISOLATE}שלום{END_ISOLATE}": 4,
    }.items(),
)
def test_a_character_takes_none_one_or_two_columns(text: str, columns: int) -> None:
    assert width(text) == columns


@given(st.text(max_size=60), st.integers(-2, 30))
def test_the_beginning_and_the_end_of_a_text_are_as_long_as_fits(text: str, columns: int) -> None:
    first, last = first_of(text, columns), last_of(text, columns)
    assert text.startswith(first)
    assert text.endswith(last)
    assert max(width(first), width(last)) <= max(0, columns)
    assert first == text or width(text[: len(first) + 1]) > columns
    assert last == text or width(text[len(text) - len(last) - 1 :]) > columns


EVEN = [
    ("👩‍👩‍👧 at work", "👩👩👧 at work"),
    ("👍🏽", "👍"),
    ("❤️", "❤"),
    ("می‌خواهم क्‍ष", "می‌خواهم क्‍ष"),
    ("plain", "plain"),
]


@pytest.mark.parametrize(("text", "shown"), EVEN)
def test_what_takes_other_columns_in_each_terminal_is_left_out(text: str, shown: str) -> None:
    assert even(text) == shown


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        ("publish", 7, "publish"),
        ("publish", 6, "publi…"),
        ("publish it", 9, "publish…"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("日本語", 1, "…"),
        ("日本語", 0, ""),
        ("e\u0301" * 4, 3, "e\u0301" * 2 + "…"),
        (f"{ISOLATE}שלום לכולם{END_ISOLATE}", 5, f"{ISOLATE}שלום…{END_ISOLATE}"),
    ],
)
def test_text_is_cut_to_columns_between_whole_characters(text: str, columns: int, shown: str) -> None:
    assert cut_to(text, columns) == shown


@given(st.text(st.sampled_from("ab 日é👍שx"), max_size=30), st.integers(1, 12))
def test_fitted_text_takes_its_columns_exactly(text: str, columns: int) -> None:
    assert width(fitted(text, columns)) == columns
    assert width(cut_to(text, columns)) <= columns
