"""Test how a card is drawn in each size."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell.cards.card import card
from deskbell.cards.drawing import SIZES, Size, drawn, height
from deskbell.cards.spans import wide
from deskbell.face.facts import Facts
from deskbell.session import STATUSES
from tests.tray.cards.boards import NOW, agent, one, plain

FULL: dict[str, Any] = {
    "status": "permission",
    "detail": "Bash: npm publish --access public",
    "branch": "main",
    "model": "claude-opus-5-5",
    "context_percent": 34.0,
    "cost_usd": 0.41,
    "output_tokens": 12_300,
    "todo": (3, 7),
    "agents": tuple(agent(name) for name in ("Explore", "Plan", "reviewer", "tester", "writer")),
}


def lines(columns: int, size: Size, chosen: bool = False, ago: float = 40, **said: Any) -> list[str]:
    found = card(one("api", ago=ago, **{**FULL, **said}), Facts(), NOW)
    return [line.rstrip() for line in plain(drawn(found, columns, size, chosen))]


def test_a_whole_card_shows_all_that_is_known() -> None:
    assert lines(70, "whole") == [
        "▎● api  main                                                     40 s",
        "▎  wants to run npm publish --access public",
        "▎  Do api",
        "▎  opus-5-5 · 34 % · 12k · $0.41 · cache warm for 5 min · 3/7 ▰▰▰▱▱▱▱",
        "▎  ↳ ▶ Explore  running                                         1 min",
        "▎  ↳ ▶ Plan  running                                            1 min",
        "▎  ↳ ▶ reviewer  running                                        1 min",
        "▎  ↳ and 2 more subagents",
        "",
    ]


@pytest.mark.parametrize(
    ("running", "said"),
    [(0, "subagents: 1 done · 1 failed"), (1, "1 done · 1 failed"), (4, "and 1 more subagent · 1 done · 1 failed")],
)
def test_a_whole_card_counts_the_subagents_that_have_ended(running: int, said: str) -> None:
    over = [replace(agent(state, state), ended=NOW - 5) for state in ("done", "error")]
    agents = (*(agent(f"a{n}") for n in range(running)), *over)
    found = card(one("api", agents=agents, turn_started=NOW - 90), Facts(), NOW)
    shown = [line.rstrip() for line in plain(drawn(found, 70, "whole"))]
    assert shown[-2] == f"▎  ↳ {said}"
    assert len(shown) == height(found, "whole")


def test_a_whole_card_leaves_out_what_is_not_known() -> None:
    bare = card(one("api", "idle", 900, title="", prompt="", detail=""), Facts(), NOW)
    assert [line.rstrip() for line in plain(drawn(bare, 30, "whole"))] == [
        "▎○ api                 15 min",
        "▎  your turn",
        "",
    ]


def test_three_lines_name_the_subagents_by_their_number() -> None:
    assert lines(60, "three", ago=900) == [
        "▎● api  main · Do api                                15 min",
        "▎  wants to run npm publish --access public",
        "▎  ↳ 5 subagents · opus-5-5 · 34 % · 12k · $0.41 · 3/7 ▰▰▰▱…",
    ]
    assert (
        lines(
            60,
            "three",
            agents=(agent("Plan"),),
            model=None,
            context_percent=None,
            cost_usd=None,
            output_tokens=None,
            todo=None,
            ago=900,
        )[2]
        == "▎  ↳ 1 subagent"
    )
    assert lines(60, "three", agents=(), ago=900)[2] == "▎  opus-5-5 · 34 % · 12k · $0.41 · 3/7 ▰▰▰▱▱▱▱"


def test_two_lines_end_with_what_there_is_room_for() -> None:
    assert lines(70, "two") == [
        "▎● api  main · Do api                                            40 s",
        "▎  wants to run npm publish --access…  warm 5 min  ↳5  3/7  34 %  12k",
    ]
    assert lines(36, "two")[1] == "▎  wants to run npm…     warm 5 min"


def test_one_line_puts_the_age_at_its_end() -> None:
    assert lines(100, "one", ago=900) == [
        "▎● api                 wants to run npm publish --access public …  ↳5    3/7  34 %    $0.41  15 min"
    ]
    assert lines(30, "one", ago=900) == ["▎● api  wants to…  ↳5  15 min"]


@pytest.mark.parametrize("size", SIZES)
def test_the_chosen_card_has_another_edge_and_is_reversed(size: Size) -> None:
    found = card(one("api"), Facts(), NOW)
    first, *_ = drawn(found, 40, size, chosen=True)
    assert first[0].text == "█"
    assert ["reverse" in span.style for span in first[:2]] == [False, False]
    assert all("reverse" in span.style for span in first[2:])


@given(
    st.integers(3, 130),
    st.sampled_from(SIZES),
    st.sampled_from(STATUSES),
    st.text(max_size=60),
    st.booleans(),
    st.tuples(st.integers(0, 9), st.integers(0, 9)) | st.none(),
)
def test_every_line_has_its_columns_and_every_card_its_height(
    columns: int, size: Size, status: str, text: str, chosen: bool, todo: tuple[int, int] | None
) -> None:
    given = {
        "title": text,
        "branch": text,
        "project": text,
        "detail": text,
        "todo": todo,
        "model": text,
        "stale": chosen,
    }
    found = card(one("api", status, 40, **given), Facts(), NOW)
    shown = drawn(found, columns, size, chosen)
    assert len(shown) == height(found, size)
    assert {wide(line) for line in shown} == {columns}
