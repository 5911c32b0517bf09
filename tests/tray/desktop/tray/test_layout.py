"""Test that a number stands for one row for good, and that a difference holds only what has changed."""

from collections.abc import Mapping
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.desktop.tray.layout import EMPTY, ROOT, Difference, Layout, difference, layout
from deskbell.desktop.tray.library import FixedMenu, KeyedItem, Menu

SILENCE = Difference({}, ())

Entry = tuple[str, str] | tuple[str, str, list[Any]]


def built(entries: list[Entry]) -> Menu:
    return Menu(*(KeyedItem(e[0], e[1], None, submenu=built(e[2]) if len(e) == 3 else None) for e in entries))


def first(menu: Menu) -> Layout:
    return layout(EMPTY, menu, count(1).__next__)


def changes(before: Menu, after: Menu) -> Difference:
    numbers = count(1)
    one = layout(EMPTY, before, numbers.__next__)
    return difference(one, layout(one, after, numbers.__next__))


def labels(nodes: Layout) -> Mapping[object, int]:
    return {node.properties.get("label"): number for number, node in nodes.items() if node.shown}


def test_a_menu_becomes_numbered_nodes_below_the_root() -> None:
    nodes = first(
        Menu(
            KeyedItem("a", "snake_case", None, picture=b"png"),
            Menu.SEPARATOR,
            KeyedItem("m", "More", None, submenu=built([("x", "X")])),
        )
    )
    assert [nodes[n].properties for n in nodes[ROOT].children] == [
        {"label": "snake__case", "enabled": True, "visible": True, "icon-data": b"png"},
        {"type": "separator", "visible": True},
        {"label": "More", "enabled": True, "visible": True, "children-display": "submenu"},
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
    assert changes(Menu(before), Menu(after)) == Difference(changed, ())  # type: ignore[arg-type]


def test_the_age_in_a_text_is_that_of_the_moment() -> None:
    ages = iter(["1 min", "2 min"])
    menu, numbers = Menu(KeyedItem("a", lambda: next(ages), None)), count(1)
    one = layout(EMPTY, menu, numbers.__next__)
    assert difference(one, layout(one, menu, numbers.__next__)).changed == {1: {"label": "2 min"}}


@pytest.mark.parametrize(
    ("before", "after", "parents"),
    [
        ([("a", "A")], [("a", "A"), ("b", "B")], (ROOT,)),
        ([("a", "A"), ("b", "B")], [("b", "B"), ("a", "A")], (ROOT,)),
        ([("a", "A")], [("a", "A", [("x", "X")])], (ROOT,)),
        ([("a", "A", [("x", "X")])], [("a", "A", [("y", "Y")])], (1,)),
        ([("a", "A", [("x", "X")])], [("b", "B"), ("a", "A", [("y", "Y")])], (ROOT, 1)),
    ],
    ids=["came", "moved", "became a submenu", "in a submenu", "in both"],
)
def test_the_parent_of_what_came_is_named(before: list[Entry], after: list[Entry], parents: tuple[int, ...]) -> None:
    assert changes(built(before), built(after)).parents == parents


def test_a_row_that_went_is_hidden_and_disabled_without_a_change_of_structure() -> None:
    assert changes(built([("a", "A"), ("b", "B")]), built([("b", "B")])) == Difference(
        {1: {"visible": False, "enabled": False}}, ()
    )


def test_a_hidden_row_keeps_its_item_for_a_late_click_and_is_shown_again() -> None:
    numbers, whole = count(1), built([("a", "A", [("x", "X")]), ("b", "B")])
    before = layout(EMPTY, whole, numbers.__next__)
    hidden = layout(before, built([("b", "B")]), numbers.__next__)
    gone = labels(before)["A"]
    assert not hidden[gone].shown
    assert [hidden[n].item for n in (gone, *hidden[gone].children)] == [
        before[n].item for n in (gone, *before[gone].children)
    ]
    again = layout(hidden, whole, numbers.__next__)
    assert labels(again) == labels(before)


def test_a_submenu_that_is_used_again_keeps_its_numbers_and_one_that_ages_is_read_again() -> None:
    ages, numbers = ["1 min"], count(1)
    same = FixedMenu(KeyedItem("x", "X", None), KeyedItem("y", "Y", None, submenu=FixedMenu(KeyedItem("z", "Z", None))))
    aged = FixedMenu(KeyedItem("x", lambda: ages[0], None))
    menus = [
        Menu(KeyedItem("a", text, None, submenu=same), KeyedItem("b", "B", None, submenu=aged)) for text in ("A", "A!")
    ]
    before = layout(EMPTY, menus[0], numbers.__next__)
    ages[0] = "2 min"
    after = layout(before, menus[1], numbers.__next__)
    assert before.keys() == after.keys()
    assert [*difference(before, after).changed.values()] == [{"label": "A!"}, {"label": "2 min"}]


@pytest.mark.parametrize("entries", [[], [("a", "A")], [("a", "A", [("x", "X")]), ("b", "B")]])
def test_equal_menus_have_no_difference(entries: list[Entry]) -> None:
    assert changes(built(entries), built(entries)) == SILENCE


def test_a_row_that_changes_its_place_gets_a_new_number() -> None:
    numbers = count(1)
    one = layout(EMPTY, built([("a", "A"), ("b", "B")]), numbers.__next__)
    before, after = labels(one), labels(layout(one, built([("c", "C"), ("b", "Other"), ("a", "A")]), numbers.__next__))
    stayed = {before["A"], before["B"]} & {after["A"], after["Other"]}
    assert len(stayed) == 1
    assert after["C"] not in before.values()


def test_items_without_keys_have_numbers_of_their_own() -> None:
    assert len(first(Menu(KeyedItem("", "Same", None), KeyedItem("", "Same", None)))) == 3


TREES = st.recursive(
    st.just([]),
    lambda below: st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from(["X", "Y"]), below), max_size=4),
)


@pytest.mark.uncounted
@given(st.lists(TREES, max_size=12))
def test_the_difference_turns_the_menu_before_into_the_menu_after(menus: list[list[Entry]]) -> None:
    numbers, before = count(1), EMPTY
    for entries in menus:
        after = layout(before, built(entries), numbers.__next__)
        told = difference(before, after)
        for number in before.keys() & after.keys():
            assert {**before[number].properties, **told.changed.get(number, {})} == after[number].properties
        if not told.parents:
            assert before.keys() == after.keys()
        before = after


@given(st.integers(1, 60))
def test_numbers_of_what_went_away_are_forgotten(rounds: int) -> None:
    numbers, nodes = count(1), EMPTY
    for turn in range(rounds):
        nodes = layout(nodes, built([(f"session {turn}", "A"), ("quit", "Quit")]), numbers.__next__)
    assert len(nodes) < 20
