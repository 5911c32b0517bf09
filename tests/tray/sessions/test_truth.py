# a case is one line
"""The rules of the truth, one by one: evidence in, verdict out."""

from dataclasses import replace
from typing import Any

import pytest

from deskbell.sessions.conversation import Tail
from deskbell.sessions.evidence import Evidence
from deskbell.sessions.registry import Entry
from deskbell.sessions.truth import GRACE, HEARSAY, LAST_WORD, verdict
from deskbell_hooks.fold import fold
from deskbell_hooks.schema import Record

T = 1_000_000.0


def run(*events: tuple[float, str, dict[str, Any]], attended: bool = True) -> Record:
    """A record as the hooks leave it after these events, each (seconds after T, name, fields of the line)."""
    record = None
    for after, name, fields in events:
        line: Any = {"v": 1, "event": name, "at": T + after, "order": int((T + after) * 1000), **fields}
        line["client"] = {"pid": 7, "start": 1}
        line["where"] = {"pid": 7, "start": 1, "attended": attended}
        record = fold(record, line, "s")
    assert record is not None
    return record


def entry(status: str | None, after: float, waiting_for: str | None = None) -> Entry:
    return Entry(7, "s", "/c", pid_start=1, status=status, status_since=T + after, waiting_for=waiting_for)  # type: ignore[arg-type]  # a status as written


PROMPT = (1.0, "UserPromptSubmit", {"facts": {"prompt": "go"}})
BASH = {"tool": "Bash", "subject": "npm publish", "use": "u1"}
CALL = (2.0, "PreToolUse", BASH)
ASK = (2.1, "PermissionRequest", {"tool": "Bash", "subject": "npm publish"})
STOP = (9.0, "Stop", {"tasks": []})
STOP_WITH_SHELL = (
    9.0,
    "Stop",
    {"tasks": [{"id": "b", "type": "shell", "status": "running", "description": "dev server"}]},
)
END = (9.5, "SessionEnd", {"facts": {"reason": "other"}})

CASES: list[tuple[str, Evidence, str, str]] = [
    ("nobody contradicts the hooks", Evidence(T + 5, run(PROMPT, CALL)), "working", "Bash: npm publish"),
    ("a goodbye", Evidence(T + 10, run(PROMPT, STOP, END)), "ended", "other"),
    (
        "a client that lives on after its goodbye",
        Evidence(T + 30, run(PROMPT, STOP, END), entry("busy", 20)),
        "working",
        "Thinking",
    ),
    (
        "a dialog, and the request it is for",
        Evidence(T + 3, run(PROMPT, CALL, ASK), entry("waiting", 2.11, "permission prompt")),
        "permission",
        "Bash: npm publish",
    ),
    (
        "a request that was approved",
        Evidence(T + 5, run(PROMPT, CALL, ASK), entry("busy", 4.0)),
        "working",
        "Bash: npm publish",
    ),
    (
        "a request that nobody saw",
        Evidence(T + 5, run(PROMPT, CALL, ASK), entry("busy", 1.0)),
        "working",
        "Bash: npm publish",
    ),
    (
        "a request that was denied",
        Evidence(T + 5, run(PROMPT, CALL, ASK), entry("idle", 4.0)),
        "interrupted",
        "Bash: npm publish",
    ),
    (
        "a request left alone for hours",
        Evidence(T + 9999, run(PROMPT, CALL, ASK), entry("waiting", 2.11, "permission prompt")),
        "permission",
        "Bash: npm publish",
    ),
    (
        "a question, while a subagent's request waits for its turn",
        Evidence(
            T + 5,
            run(PROMPT, CALL, ASK, (3.0, "PermissionRequest", {"tool": "AskUserQuestion", "subject": "Which?"})),
            entry("waiting", 3.1, "input needed"),
        ),
        "question",
        "Which?",
    ),
    (
        "a dialog without a request, in a turn",
        Evidence(T + 3, run(PROMPT, CALL), entry("waiting", 2.2, "dialog open")),
        "input",
        "Bash: npm publish",
    ),
    (
        "a dialog that the person opened",
        Evidence(T + 30, run(PROMPT, STOP), entry("waiting", 20, "dialog open")),
        "idle",
        "a dialog is open",
    ),
    (
        "a dialog that the person opened while a shell runs behind",
        Evidence(T + 30, run(PROMPT, STOP_WITH_SHELL), entry("waiting", 20, "dialog open")),
        "background",
        "dev server",
    ),
    (
        "a dialog that the person opened after an escape",
        Evidence(T + 30, run(PROMPT, CALL), entry("waiting", 20, "dialog open"), own_dialog=True),
        "interrupted",
        "Bash: npm publish",
    ),
    (
        "that dialog just closed again",
        Evidence(T + 30.1, run(PROMPT, CALL), entry("idle", 30), own_dialog=True),
        "interrupted",
        "Bash: npm publish",
    ),
    (
        "a dialog that came up so soon that its client was never seen busy",
        Evidence(T + 3, run(PROMPT, CALL), entry("waiting", 2.2, "dialog open"), own_dialog=True),
        "input",
        "Bash: npm publish",
    ),
    (
        "a sandbox that asks",
        Evidence(T + 3, run(PROMPT, CALL), entry("waiting", 2.2, "sandbox request")),
        "permission",
        "Bash: npm publish",
    ),
    (
        "a dialog of a kind not seen before",
        Evidence(T + 3, run(PROMPT), entry("waiting", 2.2, "moon phase")),
        "input",
        "moon phase",
    ),
    (
        "an answer that the hooks know first",
        Evidence(
            T + 4.1, run(PROMPT, CALL, ASK, (4.0, "PostToolUse", BASH)), entry("waiting", 2.11, "permission prompt")
        ),
        "working",
        "Thinking",
    ),
    ("an escape in a tool", Evidence(T + 5, run(PROMPT, CALL), entry("idle", 4.0)), "interrupted", "Bash: npm publish"),
    ("an escape before the first token", Evidence(T + 5, run(PROMPT), entry("idle", 4.0)), "interrupted", ""),
    ("a Stop on its way", Evidence(T + 4.1, run(PROMPT), entry("idle", 4.0)), "working", "Thinking"),
    (
        "an interrupt that the transcript tells",
        Evidence(T + 4.1, run(PROMPT), entry("idle", 4.0), tail=Tail(interrupted_at=T + 4.0)),
        "interrupted",
        "",
    ),
    (
        "an interrupt after which a queued prompt was taken up, whose Stop is on its way",
        Evidence(T + 8.1, run(PROMPT), entry("idle", 8.0), tail=Tail(interrupted_at=T + 4.0)),
        "working",
        "Thinking",
    ),
    (
        "a Stop that got lost",
        Evidence(T + 9, run(PROMPT), entry("idle", 4.0), tail=Tail(finished_at=T + 3.9)),
        "idle",
        "",
    ),
    ("a turn that is over", Evidence(T + 10, run(PROMPT, STOP), entry("idle", 9.05)), "idle", ""),
    (
        "a turn that is over, the client not caught up",
        Evidence(T + 9.1, run(PROMPT, STOP), entry("busy", 1.1)),
        "idle",
        "",
    ),
    ("a turn that a Stop hook sent on", Evidence(T + 20, run(PROMPT, STOP), entry("busy", 1.1)), "working", "Thinking"),
    ("a new turn that no hook told of", Evidence(T + 20, run(PROMPT, STOP), entry("busy", 19)), "working", "Thinking"),
    (
        "a background shell",
        Evidence(T + 20, run(PROMPT, STOP_WITH_SHELL), entry("shell", 9.05)),
        "background",
        "dev server",
    ),
    (
        "a background shell that was killed",
        Evidence(T + 20, run(PROMPT, STOP_WITH_SHELL), entry("idle", 15)),
        "idle",
        "",
    ),
    (
        "a background task while the client is busy with it",
        Evidence(T + 20, run(PROMPT, STOP_WITH_SHELL), entry("busy", 1.1)),
        "background",
        "dev server",
    ),
    ("a shell that no hook told of", Evidence(T + 20, run(PROMPT, STOP), entry("shell", 15)), "background", "a shell"),
    (
        "an API error",
        Evidence(T + 20, run(PROMPT, (9.0, "StopFailure", {"facts": {"error": "rate_limit"}})), entry("idle", 9.1)),
        "error",
        "rate_limit",
    ),
    (
        "a compaction",
        Evidence(T + 9.1, run(PROMPT, STOP, (9.05, "PreCompact", {})), entry("busy", 9.06)),
        "working",
        "Compacting",
    ),
    (
        "a compaction that was broken off",
        Evidence(T + 20, run(PROMPT, STOP, (9.05, "PreCompact", {})), entry("idle", 12)),
        "idle",
        "",
    ),
    (
        "a compaction that was just broken off, or is over",
        Evidence(T + 12.1, run(PROMPT, STOP, (9.05, "PreCompact", {})), entry("idle", 12)),
        "working",
        "Compacting",
    ),
    ("no hooks, busy", Evidence(T + 20, None, entry("busy", 15)), "working", ""),
    ("no hooks, idle", Evidence(T + 20, None, entry("idle", 15)), "idle", ""),
    (
        "no hooks, a permission",
        Evidence(T + 20, None, entry("waiting", 15, "permission prompt")),
        "permission",
        "permission prompt",
    ),
    ("no hooks, a question", Evidence(T + 20, None, entry("waiting", 15, "input needed")), "question", "input needed"),
    (
        "no hooks, a dialog in a turn",
        Evidence(T + 20, None, entry("waiting", 15, "dialog open")),
        "input",
        "dialog open",
    ),
    (
        "no hooks, a dialog that the person opened",
        Evidence(T + 20, None, entry("waiting", 15, "dialog open"), own_dialog=True),
        "idle",
        "a dialog is open",
    ),
    (
        "no hooks, interrupted",
        Evidence(T + 20, None, entry("idle", 15), tail=Tail(interrupted_at=T + 15)),
        "interrupted",
        "",
    ),
    (
        "no hooks, an API error",
        Evidence(T + 20, None, entry("idle", 15), tail=Tail(error="API Error: 400", at=T + 15)),
        "error",
        "API Error: 400",
    ),
    (
        "no hooks, idle before the transcript says why",
        Evidence(T + 15.1, None, entry("idle", 15), tail=Tail(at=T + 14)),
        "working",
        "",
    ),
    (
        "no hooks, and the transcript never says why",
        Evidence(T + 20, None, entry("idle", 15), tail=Tail(at=T + 14)),
        "idle",
        "",
    ),
    (
        "no hooks, idle with a complete answer",
        Evidence(T + 15.1, None, entry("idle", 15), tail=Tail(finished_at=T + 14.9, at=T + 14.9)),
        "idle",
        "",
    ),
    (
        "a registry of an unknown format",
        Evidence(T + 5, run(PROMPT, CALL), entry(None, 0)),
        "working",
        "Bash: npm publish",
    ),
    ("only just started", Evidence(T + 5, None, entry(None, 0)), "idle", ""),
    (
        "no registry, an interrupt in the transcript",
        Evidence(T + 5, run(PROMPT, CALL), tail=Tail(interrupted_at=T + 4)),
        "interrupted",
        "Bash: npm publish",
    ),
    (
        "no registry, an interrupt of an earlier turn",
        Evidence(T + 5, run(PROMPT, CALL), tail=Tail(interrupted_at=T)),
        "working",
        "Bash: npm publish",
    ),
    (
        "killed",
        Evidence(T + 5, run(PROMPT, CALL), alive=False, died=T + 4.9, had_entry=True, left_behind=True),
        "crashed",
        "Bash: npm publish",
    ),
    (
        "gone, a goodbye may come",
        Evidence(T + 5, run(PROMPT, STOP), alive=False, died=T + 4.9, had_entry=True),
        "idle",
        "",
    ),
    (
        "closed without a goodbye",
        Evidence(T + 9, run(PROMPT, STOP), alive=False, died=T + 4.9, had_entry=True),
        "ended",
        "",
    ),
    (
        "gone, and no registry ever",
        Evidence(T + 9, run(PROMPT, CALL), alive=False, died=T + 4.9),
        "crashed",
        "Bash: npm publish",
    ),
    ("moved on to another session", Evidence(T + 20, run(PROMPT, STOP), moved_on=True), "ended", ""),
]


@pytest.mark.parametrize(
    ("evidence", "status", "detail"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_the_verdict_on(evidence: Evidence, status: str, detail: str) -> None:
    found = verdict(evidence)

    assert (found.status, found.detail) == (status, detail)
    assert found.reason


@pytest.mark.parametrize("evidence", [case[1] for case in CASES], ids=[case[0] for case in CASES])
def test_what_time_alone_may_change_is_asked_again_later_and_comes_to_rest(evidence: Evidence) -> None:
    looks = 0
    while (again := verdict(evidence).again) is not None:
        assert again > evidence.now
        evidence = replace(evidence, now=again)
        looks += 1

    assert looks <= 2


def test_a_compaction_that_was_broken_off_does_not_stay_on_the_board() -> None:
    compacting = Evidence(T + 12.1, run(PROMPT, STOP, (9.05, "PreCompact", {})), entry("idle", 12))

    assert verdict(compacting).again == T + 12 + GRACE
    assert verdict(replace(compacting, now=T + 12 + GRACE)).status == "idle"


def test_a_reminder_proves_a_dialog_that_the_registry_does_not_tell_of() -> None:
    reminded = run(PROMPT, CALL, ASK, (8.2, "Notification", {"facts": {"notification_type": "permission_prompt"}}))

    assert verdict(Evidence(T + 8.3, reminded, entry("busy", 1.0))).status == "permission"


def test_a_dialog_whose_hook_is_about_to_speak_is_not_guessed_at() -> None:
    early = Evidence(T + 2.15, run(PROMPT, CALL), entry("waiting", 2.1, "permission prompt"))
    found = verdict(early)

    assert (found.status, found.again) == ("working", T + 2.1 + HEARSAY)
    assert verdict(replace(early, run=run(PROMPT, CALL, ASK))).status == "permission"
    assert verdict(replace(early, now=T + 2.1 + HEARSAY)).status == "permission"


def test_a_subagents_request_after_the_turn_is_a_request_of_the_session() -> None:
    agent = {"agent": "a1", "agent_type": "Explore"}
    asked = run(PROMPT, (2.0, "SubagentStart", agent), STOP, (9.5, "PermissionRequest", {**BASH, **agent}))
    waiting, approved = entry("waiting", 9.52, "permission prompt"), entry("busy", 11.0)

    assert verdict(Evidence(T + 10, asked, waiting)).status == "permission"
    assert verdict(Evidence(T + 12, asked, approved)).status in ("background", "working")


def test_the_graces_are_short_enough_to_be_right_within_a_second() -> None:
    assert GRACE < 0.8
    assert LAST_WORD > 1.5  # a SessionEnd takes as long as that
