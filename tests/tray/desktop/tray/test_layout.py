"""Test that items keep their numbers, and that a difference holds only what has changed."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.desktop.tray.layout import EMPTY, ROOT, Difference, Layout, Numbering, difference
from deskbell.desktop.tray.library import KeyedItem, Menu

SILENCE = Difference({}, {}, False)

Entry = tuple[str, str] | tuple[str, str, list[Any]]


def built(entries: list[Entry], **named: Any) -> Menu:
    return Menu(*(KeyedItem(e[0], e[1], None, submenu=built(e[2]) if len(e) == 3 else None, **named) for e in entries))


def changes(before: Menu, after: Menu) -> Difference:
    numbering = Numbering()
    return difference(numbering.layout(before), numbering.layout(after))


def labels(layout: Layout) -> Mapping[object, int]:
    return {node.properties.get("label"): number for number, node in layout.items()}


def test_a_menu_becomes_numbered_nodes_below_the_root() -> None:
    layout = Numbering().layout(
        Menu(
            KeyedItem("a", "snake_case", None),
            Menu.SEPARATOR,
            KeyedItem("m", "More", None, submenu=built([("x", "X")])),
        )
    )
    assert [layout[n].properties for n in layout[ROOT].children] == [
        {"label": "snake__case", "enabled": True},
        {"type": "separator"},
        {"label": "More", "enabled": True, "children-display": "submenu"},
    ]


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        (KeyedItem("a", "A", None), KeyedItem("a", "B", None), {1: {"label": "B"}}),
        (KeyedItem("a", "A", None), KeyedItem("a", "A", None, enabled=False), {1: {"enabled": False}}),
        (
            KeyedItem("a", "A", None, checked=False),
            KeyedItem("a", "A", None, checked=True),
            {1: {"toggle-state": 1}},
        ),
    ],
    ids=["text", "enabled", "tick"],
)
def test_a_patch_of_an_item_leaves_the_structure(before: KeyedItem, after: KeyedItem, changed: object) -> None:
    assert changes(Menu(before), Menu(after)) == Difference(changed, {}, False)  # type: ignore[arg-type]


def test_a_tick_that_goes_away_is_removed() -> None:
    ticked, plain = KeyedItem("a", "A", None, checked=True), KeyedItem("a", "A", None)
    assert set(changes(Menu(ticked), Menu(plain)).removed[1]) == {"toggle-type", "toggle-state"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([("a", "A")], [("a", "A"), ("b", "B")]),
        ([("a", "A"), ("b", "B")], [("b", "B")]),
        ([("a", "A"), ("b", "B")], [("b", "B"), ("a", "A")]),
        ([("a", "A", [("x", "X")])], [("a", "A", [("y", "Y")])]),
    ],
    ids=["came", "went", "moved", "in a submenu"],
)
def test_what_changes_the_structure(before: list[Entry], after: list[Entry]) -> None:
    assert changes(built(before), built(after)).restructured


@pytest.mark.parametrize("entries", [[], [("a", "A")], [("a", "A", [("x", "X")]), ("b", "B")]])
def test_equal_menus_have_no_difference(entries: list[Entry]) -> None:
    assert changes(built(entries), built(entries)) == SILENCE


def test_an_item_keeps_its_number_wherever_it_moves_among_its_siblings() -> None:
    numbering = Numbering()
    before = labels(numbering.layout(built([("a", "A"), ("b", "B")])))
    after = labels(numbering.layout(built([("c", "C"), ("b", "Other"), ("a", "A")])))
    assert (after["A"], after["Other"]) == (before["A"], before["B"])
    assert after["C"] not in before.values()


def test_items_without_keys_have_numbers_of_their_own() -> None:
    layout = Numbering().layout(Menu(KeyedItem("", "Same", None), KeyedItem("", "Same", None)))
    assert len(layout) == 3


TREES = st.recursive(
    st.just([]),
    lambda below: st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from(["X", "Y"]), below), max_size=4),
)


@given(st.lists(TREES, max_size=12))
def test_the_difference_turns_the_menu_before_into_the_menu_after(menus: list[list[Entry]]) -> None:
    numbering, before = Numbering(), EMPTY
    for entries in menus:
        after = numbering.layout(built(entries))
        told = difference(before, after)
        for number in before.keys() & after.keys():
            patched = {**before[number].properties, **told.changed.get(number, {})}
            kept = {name: value for name, value in patched.items() if name not in told.removed.get(number, ())}
            assert kept == after[number].properties
        if not told.restructured:
            assert before.keys() == after.keys()
        before = after


@given(st.integers(1, 60))
def test_numbers_of_what_went_away_are_forgotten(rounds: int) -> None:
    numbering = Numbering()
    for turn in range(rounds):
        layout = numbering.layout(built([(f"session {turn}", "A"), ("quit", "Quit")]))
    assert len(layout) == len(numbering._numbers) == 3
