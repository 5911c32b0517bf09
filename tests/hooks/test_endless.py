"""Test that the record of an endless session neither grows nor loses count: a million events through the fold."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from deskbell_hooks.codec import decode, encode
from deskbell_hooks.fold import fold
from deskbell_hooks.record import LARGEST, bounded
from deskbell_hooks.schema import Line, Record, Status
from deskbell_hooks.trim import FACTS
from tests.hooks.conftest import THOROUGH
from tests.hooks.said import SESSION

EVENTS = 1_000_000 if THOROUGH else 20_000
STATUSES = frozenset(get_args(Status)) - {"crashed"}
NAMES = [
    name for name, weight in (("PreToolUse", 30), ("PostToolUse", 30), ("PermissionRequest", 5)) for _ in range(weight)
]
NAMES += [*FACTS, "ThoughtOfTomorrow"]
TYPES = [
    *(
        "permission_prompt",
        "idle_prompt",
        "agent_needs_input",
        "elicitation_dialog",
        "elicitation_response",
        "auth_success",
    ),
]


def journal(count: int, seed: int = 1) -> Iterator[Line]:
    """Yield lines of three clients and many subagents, some of them in the wrong order."""
    chance = random.Random(seed)
    for n in range(count):
        name = chance.choice(NAMES)
        late = chance.randrange(2_000) if chance.random() < 0.2 else 0
        line: dict[str, Any] = {"v": 1, "event": name, "order": 1_000_000 + n * 100 - late, "at": 1e9 + n / 10}
        if chance.random() < 0.8:
            pid = chance.choice([1, 1, 1, 1, 2, 3])
            line["client"] = {"pid": pid, "start": pid}
            if chance.random() < 0.01:
                line["where"] = {**line["client"], "host": "h", "handles": {"TERM": "xterm" * 30}}
        if chance.random() < 0.3:
            line["agent"], line["agent_type"] = f"agent-{chance.randrange(200)}", "Explore"
        if "ool" in name or "ermission" in name:
            line["tool"], line["subject"] = f"Tool{chance.randrange(60)}", f"subject {chance.randrange(50)} " * 12
            line["use"] = f"toolu_{chance.randrange(1_000)}"
            if chance.random() < 0.1:
                line["error"] = "it went wrong " * 100
        if name == "Stop" and chance.random() < 0.5:
            line["tasks"] = [
                {"id": f"t{t}", "type": "shell", "description": "long " * 20} for t in range(chance.randrange(32))
            ]
        line["facts"] = {
            "prompt": f"do {n} " * 100,
            "notification_type": chance.choice(TYPES),
            "message": "wait " * 50,
            "source": chance.choice(["startup", "compact", "clear"]),
            "error": "rate_limit",
            "session_title": "t" * 300,
            "mcp_server_name": "elic",
            "last_assistant_message": "done " * 90,
            "teammate_name": f"mate {n % 9}",
        }
        yield line  # type: ignore[misc]  # the shape of a Line, built field by field


@pytest.mark.uncounted
@pytest.mark.long
@pytest.mark.timeout(1_800)
def test_a_million_events_leave_a_small_record_that_counts_them_all() -> None:
    record: Record | None = None
    names: Counter[str] = Counter()
    largest = 0
    for n, line in enumerate(journal(EVENTS)):
        record = fold(record, line, SESSION)
        names[line["event"]] += 1
        assert record["status"] in STATUSES
        if n % 50 == 0:
            data = bounded(record)
            largest = max(largest, len(data))
            record = decode(data)
    assert record is not None
    counters = record["counters"]
    assert 4_000 < largest <= LARGEST
    assert counters["events"] == EVENTS
    assert counters["notifications"] == names["Notification"]
    assert sum(counters["tools"].values()) == names["PostToolUse"] + names["PostToolUseFailure"]
    assert (counters["prompts"], record["turns"]) == (names["UserPromptSubmit"], names["UserPromptSubmit"])
    assert record["todo"] == [names["TaskCompleted"], names["TaskCreated"]]
    assert len(encode(record)) <= LARGEST
