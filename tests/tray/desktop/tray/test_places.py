"""Test that no row of a menu ever moves, and that as many as possible stay."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.desktop.tray.places import SPARE, Kind, Old, Place, places

KEYS = "abcdefgh"


def kind(key: str) -> Kind:
    return key, frozenset({"label"})


def rows(written: str) -> list[Old]:
    """Lower case letters are shown, upper case letters are hidden, all else is a separator."""
    return [Old(kind(letter.lower()), not letter.isupper(), letter.isalpha()) for letter in written]


def written(before: str, wanted: str, found: Sequence[Place]) -> str:
    """Write what became of BEFORE: hidden rows are upper case, new ones are in brackets."""

    def one(place: Place) -> str:
        if place.wanted is None:
            return before[place.old or 0].upper()
        return wanted[place.wanted] if place.old is not None else f"({wanted[place.wanted]})"

    return "".join(map(one, found))


@pytest.mark.parametrize(
    ("before", "wanted", "after"),
    [
        ("", "ab", "(a)(b)"),
        ("ab", "ab", "ab"),
        ("ab", "acb", "a(c)b"),
        ("abc", "ac", "aBc"),
        ("abc", "", "ABC"),
        ("abcd", "dabc", "(d)abcD"),
        ("abcd", "bcda", "Abcd(a)"),
        ("aBc", "abc", "abc"),
        ("aBcd", "adbc", "a(d)bcD"),
        ("Bab", "ba", "baB"),
        ("bAaB", "ab", "BAab"),
        ("a-b", "ab", "a(b)"),
        ("a-b=c", "a-c", "a-(c)"),
    ],
    ids=lambda text: text or "nothing",
)
def test_a_row_stays_is_hidden_or_is_new(before: str, wanted: str, after: str) -> None:
    assert written(before, wanted, places(rows(before), [kind(key) for key in wanted])) == after


def test_too_many_hidden_rows_are_removed_with_all_that_is_below_the_first() -> None:
    assert written("aBCd", "ad", places(rows("aBCd"), [kind("a"), kind("d")], spare=2)) == "aBCd"
    assert written("aBCd", "ad", places(rows("aBCd"), [kind("a"), kind("d")], spare=1)) == "a(d)"


def test_a_row_that_becomes_a_submenu_is_new() -> None:
    submenu = "a", frozenset({"label", "children-display"})
    assert places(rows("ab"), [submenu, kind("b")]) == [Place(None, 0), Place(0, None), Place(1, 1)]


MENUS = st.lists(st.sampled_from(KEYS), unique=True)


@given(st.lists(MENUS, max_size=30), st.integers(0, SPARE))
def test_whatever_changes_the_wanted_rows_are_shown_and_none_has_moved(menus: list[list[str]], spare: int) -> None:
    before: list[Old] = []
    for wanted in menus:
        found = places(before, [kind(key) for key in wanted], spare)
        assert [place.wanted for place in found if place.wanted is not None] == list(range(len(wanted)))
        kept = [place.old for place in found if place.old is not None]
        gone = set(range(len(before))) - set(kept)
        assert kept == sorted(set(kept))
        assert not gone or max(kept, default=-1) < min(gone)
        assert sum(place.wanted is None for place in found) <= spare
        assert all(before[old].kind == kind(wanted[at]) for old, at in found if old is not None and at is not None)
        before = [
            Old(before[old or 0].kind if at is None else kind(wanted[at]), shown=at is not None) for old, at in found
        ]
