"""Test that two clients of one session each keep a run of their own, and that one run stands in front."""

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks.runs import (
    ANOTHER_BOOT,
    MOST_OTHERS,
    RUN,
    SET_BY,
    TIMES,
    fact,
    foremost,
    fresh,
    has_clock,
    is_older,
    of_client,
    set_clock,
)
from deskbell_hooks.schema import Line, Record, Run
from tests.hooks.said import SESSION, e, folded, line, prompt, tool
from tests.hooks.said import of_client as journal_of

OLDER = [(999, 1_000), (1, ANOTHER_BOOT), (0, 1)]
NOT_OLDER = [(1_000, 1_000), (1_001, 1_000), (1, ANOTHER_BOOT + 1), (0, ANOTHER_BOOT), (5, 0)]


def at(order: int, **fields: Any) -> Line:
    return cast("Line", {"event": "Stop", "order": order, "at": 1e9, **fields})


@pytest.mark.parametrize(("order", "newest"), OLDER)
def test_a_line_is_older_than_a_newer_order_of_the_same_boot(order: int, newest: int) -> None:
    assert is_older(at(order), newest)


@pytest.mark.parametrize(("order", "newest"), NOT_OLDER)
def test_a_line_is_not_older_than_itself_an_older_line_or_a_line_of_another_boot(order: int, newest: int) -> None:
    assert not is_older(at(order), newest)


@pytest.mark.parametrize(("facts", "value"), [({"a": "x"}, "x"), ({"a": 5}, ""), ({"a": None}, ""), ({}, "")])
def test_a_fact_is_a_text_or_empty(facts: dict[str, Any], value: str) -> None:
    assert fact(at(1, facts=facts), "a") == value
    assert fact(at(1), "a") == ""


def test_a_fresh_record_has_counted_nothing() -> None:
    record = fresh(at(1), SESSION)
    assert record == {
        "v": 1, "session_id": SESSION, "title": "", "prompt": "", "started": 1e9, "turns": 0,
        "counters": {"tools": {}, "new": 0, "edited": 0, "read": 0, "errors": 0, "notifications": 0, "prompts": 0,
                     "events": 0},
    }  # fmt: skip


# of_client: (pid in the record or None, other pids, pid of the line or None, gone pids) -> (pid in front, other pids)

CHANGES: list[tuple[int | None, list[int], int | None, list[int], tuple[int | None, list[int]]]] = [
    (None, [], 1, [], (1, [])),
    (1, [], 2, [], (2, [1])),
    (1, [], 2, [1], (2, [])),
    (1, [2], 2, [], (2, [1])),
    (1, [2], 3, [], (3, [1, 2])),
    (1, [2], 3, [2], (3, [1])),
    (1, [2, 3], 3, [], (3, [1, 2])),
    (1, [2, 3], 1, [3], (1, [2])),
    (1, [2, 3, 4], 5, [], (5, [1, 2, 3])),
    (1, [2], None, [2], (1, [])),
]
NOOPS: list[tuple[int | None, list[int], int | None, list[int]]] = [
    (1, [2], 1, []),
    (1, [2, 3], None, []),
    (None, [], None, []),
    (1, [2], 1, [9]),
]


def test_a_client_began_with_the_event_that_says_where_it_runs() -> None:
    """The event that introduces it. Another one may do so again, after the record was made anew."""

    def of(pid: int, second: float) -> Line:
        client = {"pid": pid, "start": pid * 10}
        return at(1, at=1e9 + second, client=client, where=client)

    alone = of_client(None, of(1, 0), SESSION)
    both = of_client(alone, of(2, 60), SESSION)
    again = of_client(both, of(1, 90), SESSION)
    assert [alone["began"], both["began"], again["began"]] == [1e9, 1e9 + 60, 1e9]
    assert [[one["began"] for one in record["others"]] for record in (both, again)] == [[1e9], [1e9 + 60]]


def run_of(pid: int | None) -> dict[str, Any]:
    return {"where": {"pid": pid, "start": pid * 10}, "turn": "working"} if pid else {"turn": "working"}


def before(pid: int | None, others: list[int]) -> Record:
    made = {**fresh(at(1), SESSION), **run_of(pid), "others": [run_of(other) for other in others]}
    return cast("Record", made)


def line_of(pid: int | None, gone: list[int]) -> Line:
    client = {"client": {"pid": pid, "start": pid * 10}} if pid else {}
    return at(2, gone=[{"pid": one, "start": one * 10} for one in gone], **client)


def pids(record: Record) -> tuple[int | None, list[int]]:
    return record.get("where", {}).get("pid"), [run["where"]["pid"] for run in record["others"]]


@pytest.mark.parametrize(("pid", "others", "of", "gone", "after"), CHANGES)
def test_the_client_of_the_line_comes_to_the_front_and_the_gone_are_dropped(
    pid: int | None, others: list[int], of: int | None, gone: list[int], after: tuple[int | None, list[int]]
) -> None:
    assert pids(of_client(before(pid, others), line_of(of, gone), SESSION)) == after


@pytest.mark.parametrize(("pid", "others", "of", "gone"), NOOPS)
def test_a_line_of_the_client_in_front_or_of_none_moves_no_run(
    pid: int | None, others: list[int], of: int | None, gone: list[int]
) -> None:
    record = before(pid, others)
    assert of_client(record, line_of(of, gone), SESSION) == record


def test_a_client_that_has_ended_is_not_kept_beside_the_next() -> None:
    record = of_client(cast("Record", {**before(1, []), "turn": "ended"}), line_of(2, []), SESSION)
    assert pids(record) == (2, [])
    assert "turn" not in record


def test_a_line_that_says_where_its_client_runs_replaces_what_was_known() -> None:
    line = line_of(1, [])
    line["where"] = {"pid": 1, "start": 10, "host": "h"}
    assert of_client(before(1, []), line, SESSION)["where"] == line["where"]


ALIVE: Run = {"turn": "working", "status": "working"}
FOREMOST: list[tuple[str, list[Run], str, int]] = [
    ("ended", [ALIVE], "working", 0),
    ("ended", [ALIVE, ALIVE], "working", 1),
]
NOT_FOREMOST: list[tuple[str, list[Run]]] = [("ended", []), ("working", [ALIVE]), ("idle", [])]


@pytest.mark.parametrize(("turn", "others", "after", "left"), FOREMOST)
def test_a_client_that_lives_on_replaces_one_that_has_ended(
    turn: str, others: list[Run], after: str, left: int
) -> None:
    record = foremost(cast("Record", {"title": "t", "turn": turn, "status": turn, "error": "x", "others": others}))
    assert (record["turn"], record["title"], len(record["others"])) == (after, "t", left)
    assert "error" not in record


@pytest.mark.parametrize(("turn", "others"), NOT_FOREMOST)
def test_a_living_client_or_the_last_one_stays_in_front(turn: str, others: list[Run]) -> None:
    record = cast("Record", {"turn": turn, "others": others})
    assert foremost(record) == record


@given(st.lists(st.tuples(st.integers(1, 6), st.lists(st.integers(1, 6), max_size=2)), min_size=1, max_size=30))
def test_no_client_is_doubled_and_the_fields_of_the_session_are_never_lost(story: list[tuple[int, list[int]]]) -> None:
    record: Record | None = None
    for pid, gone in story:
        record = of_client(record, line_of(pid, [one for one in gone if one != pid]), SESSION)
        front, others = pids(record)
        assert front == pid
        assert len({front, *others}) == 1 + len(others) <= 1 + MOST_OTHERS
        assert not set(gone) - {pid} & set(others)
        assert set(fresh(at(1), SESSION)) <= set(record)
        assert all(set(run) <= set(RUN) for run in record["others"])


# The same, folded from journals


def test_each_of_two_clients_waits_for_a_request_of_its_own() -> None:
    first, second = journal_of(1, prompt("one"), tool("PermissionRequest")), journal_of(2, prompt("two"), first=5_000)
    record = folded([*first, *second])
    assert (record["status"], record["where"]["pid"]) == ("working", 2)
    (other,) = record["others"]
    assert (other["status"], other["detail"], other["where"]["pid"]) == ("permission", "Bash: make test", 1)
    assert record["counters"]["events"] == 3


def test_the_client_of_the_last_event_is_in_front_with_all_that_it_had() -> None:
    first, second = journal_of(1, prompt("one"), tool("PermissionRequest")), journal_of(2, prompt("two"), first=5_000)
    record = folded([*first, *second, *journal_of(1, tool("PreToolUse", what="ls"), first=9_000)])
    assert (record["where"]["pid"], record["status"], record["detail"]) == (1, "permission", "Bash: make test")
    assert record["where"]["handles"] == {"TMUX_PANE": "%1"}


def test_when_one_client_ends_the_other_becomes_the_session() -> None:
    ends = journal_of(2, prompt("two"), e("SessionEnd", reason="other"), first=5_000)
    record = folded([*journal_of(1, prompt("one")), *ends])
    assert (record["status"], record["where"]["pid"], record["others"]) == ("working", 1, [])
    assert (record["prompt"], record["turns"], record["counters"]["events"]) == ("two", 2, 3)


def test_a_request_of_an_idle_client_does_not_wait_in_the_next_one() -> None:
    resumed = journal_of(2, e("SessionStart", source="resume"), first=5_000)
    record = folded([*journal_of(1, tool("PermissionRequest")), *resumed])
    assert (record["status"], record["pending"]) == ("idle", [])


def test_when_the_clock_is_set_the_times_of_the_run_move_with_it() -> None:
    asks = tool("PermissionRequest", agent_id="a1", agent_type="Explore")
    record = folded(
        [line(prompt(), 1_000, zero=500.0), line(asks, 2_000), line(e("SubagentStop", agent_id="a2"), 3_000)]
    )
    later = folded([line(e("PostToolBatch"), 4_000, zero=-3_100.0)], record)
    moved, kept = dict(set_clock(record, -3_100.0, 5.0)), dict(record)
    assert all(moved[name] == max(0.0, round(kept[name] - 3_600.0, 3)) for name in TIMES if kept.get(name) is not None)
    assert moved["pending"][0]["at"] == max(0.0, kept["pending"][0]["at"] - 3_600.0)
    assert [set(one) for one in moved["agents"]] == [set(one) for one in kept["agents"]]
    assert later["turn_started"] == moved["turn_started"]
    assert (record["zero"], later["zero"], moved["steps"]) == (500.0, -3_100.0, [[5.0, -3_600.0]])
    ahead = set_clock(set_clock(record, -3_100.0, 9_000.0), 500.0, 9_100.0)
    assert ahead["steps"] == [[12_600.0, -3_600.0], [9_100.0, 3_600.0]]


def test_a_correction_by_the_system_moves_nothing() -> None:
    record = folded([line(prompt(), 1_000, zero=500.0)])
    assert set_clock(record, 500.0 + SET_BY, 5.0) == {**record, "zero": 500.0 + SET_BY}
    assert set_clock(folded([line(prompt(), 1_000)]), 700.0, 5.0)["turn_started"] == record["turn_started"]


def test_a_clock_is_known_if_every_client_has_it() -> None:
    one, other = line(prompt(), 1_000, zero=500.0), {"zero": 400.0}
    record = folded([one])
    assert has_clock(record, 500.0)
    assert not has_clock(record, 502.0)
    assert not has_clock({**record, "others": [other]}, 500.0)  # type: ignore[typeddict-item]
    assert not has_clock(folded([line(prompt(), 1_000)]), 500.0)
