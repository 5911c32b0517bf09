"""Test that text is measured as a terminal draws it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks.columns import columns, cut, without_stacks

WIDTHS = [
    ("", 0),
    ("main", 4),
    ("é", 1),
    ("界", 2),
    ("e\u0301", 1),
    ("ｶ", 1),
    ("Ａ", 2),
    ("🚀", 2),
    ("한", 2),
    ("\u1112\u1161", 2),
]


@pytest.mark.parametrize(("text", "expected"), WIDTHS)
def test_a_character_takes_none_one_or_two_columns(text: str, expected: int) -> None:
    assert columns(text) == expected


CUTS = [("main", 4, "main"), ("main", 3, "ma…"), ("界界界", 4, "界…"), ("界界", 3, "界…"), ("界", 1, "…"), ("ab c", 4, "ab c"),
        ("ab cd", 4, "ab…"), ("main", 0, "")]  # fmt: skip


@pytest.mark.parametrize(("text", "room", "expected"), CUTS)
def test_text_is_cut_to_columns(text: str, room: int, expected: str) -> None:
    assert cut(text, room) == expected


@given(st.text(max_size=30), st.integers(1, 20))
def test_cut_text_fits(text: str, room: int) -> None:
    assert columns(cut(text, room)) <= room


STACKS = [
    ("", ""),
    ("abc", "abc"),
    ("e\u0301", "e\u0301"),
    ("e" + "\u0301" * 9 + "a", "e\u0301\u0301a"),
    ("\u0301\u0301a", "a"),
]


@pytest.mark.parametrize(("text", "expected"), STACKS)
def test_a_letter_keeps_two_marks_and_marks_without_a_letter_go(text: str, expected: str) -> None:
    assert without_stacks(text) == expected
