"""Test that a record that is too large loses details in a fixed order, and never what a person waits for."""

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskbell_hooks.codec import encode
from deskbell_hooks.schema import Record
from deskbell_hooks.shrink import PATHS, shrink

LONG = "x" * 250
STEPS = ("over", "clients", "texts", "tools", "work", "paths")
"""What each copy has lost, beside what the copies before it have."""


def agent(n: int, status: str = "running") -> dict[str, Any]:
    return {"id": f"a{n}", "type": "Explore", "status": status}


def large(**fields: Any) -> Record:
    counts = {f"tool{n}": n + 1 for n in range(12)}
    record = {
        "v": 1,
        "session_id": "s" * 128,
        "status": "permission",
        "detail": LONG,
        "prompt": LONG,
        "pending": [{"kind": "permission", "tool": "Bash", "subject": LONG, "use": "u" * 100, "order": 1}],
        "settled": [[1, "", "*", "", ""]],
        "agents": [agent(0, "done"), *(agent(n) for n in range(1, 12)), agent(12, "idle")],
        "tasks": [{"id": "t" * 100, "type": "shell", "description": LONG}],
        "calls": [{"use": "u1", "tool": "Bash", "subject": LONG, "agent": "", "order": 1}],
        "others": [{"status": "idle"}, {"status": "working"}],
        "where": {"pid": 1, "start": 2, "handles": {"TMUX": LONG}},
        "counters": {"tools": counts, "events": 78},
        **dict.fromkeys(PATHS, "/p" * 200),
        **fields,
    }
    return cast("Record", record)


def copies(**fields: Any) -> dict[str, Any]:
    return dict(zip(STEPS, shrink(large(**fields)), strict=True))


LOST: list[tuple[str, str, object]] = [
    ("over", "settled", []),
    ("over", "agents", [agent(n) for n in range(1, 12)]),
    ("clients", "others", [{"status": "idle"}]),
    ("texts", "prompt", "x" * 200),
    ("texts", "detail", "x" * 200),
    ("tools", "agents", [agent(n) for n in range(4, 12)]),
    ("tools", "others", []),
    ("tools", "counters", {"tools": {**{f"tool{n}": n + 1 for n in range(11, 1, -1)}, "other": 3}, "events": 78}),
    ("work", "agents", []),
    ("work", "tasks", []),
    ("work", "calls", []),
    ("work", "where", {"pid": 1, "start": 2, "handles": {}}),
    ("work", "prompt", "x" * 80),
    ("paths", "prompt", "x" * 20),
]


@pytest.mark.parametrize(("step", "field", "value"), LOST)
def test_each_step_loses_a_detail_that_the_step_before_it_keeps(step: str, field: str, value: object) -> None:
    found = copies()
    before = STEPS[STEPS.index(step) - 1] if step != STEPS[0] else None
    assert found[step][field] == value
    assert (found[before] if before else dict(large()))[field] != value


@pytest.mark.parametrize("step", STEPS)
def test_no_step_loses_the_status_or_cuts_an_id(step: str) -> None:
    found = copies()[step]
    assert (found["status"], found["session_id"], found["v"]) == ("permission", "s" * 128, 1)
    assert [(asked["kind"], asked["use"]) for asked in found["pending"]] == [("permission", "u" * 100)]
    assert found["counters"]["events"] == 78
    assert all(task["id"] == "t" * 100 for task in found["tasks"])


@pytest.mark.parametrize("step", STEPS)
def test_a_path_is_whole_or_missing(step: str) -> None:
    paths = {name: value for name, value in copies()[step].items() if name in PATHS}
    assert paths == ({} if step == "paths" else dict.fromkeys(PATHS, "/p" * 200))


def test_tools_that_were_counted_together_before_stay_counted() -> None:
    counters = copies(counters={"tools": {"other": 50, **{f"tool{n}": 1 for n in range(12)}}})["tools"]["counters"]
    assert counters["tools"]["other"] == 53
    assert sum(counters["tools"].values()) == 62


def test_a_record_with_little_in_it_is_shrunk_too() -> None:
    small = cast("Record", {"status": "idle", "counters": {"tools": {}}})
    last = list(shrink(small))[-1]
    assert (last["status"], last["counters"]["tools"]) == ("idle", {"other": 0})


@given(st.integers(0, 40), st.integers(0, 40), st.text(max_size=300), st.integers(0, 3))
def test_every_copy_is_at_most_as_large_as_the_one_before(agents: int, tools: int, text: str, others: int) -> None:
    record = large(
        prompt=text,
        agents=[agent(n) for n in range(agents)],
        counters={"tools": {f"{n}{text[:50]}": n for n in range(tools)} | {"other": 1}},
        others=[{"status": "idle", "detail": text}] * others,
    )
    sizes = [len(encode(copy)) for copy in [record, *shrink(record)]]
    assert sizes == sorted(sizes, reverse=True)
